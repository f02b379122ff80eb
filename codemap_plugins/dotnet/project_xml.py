"""Project files as inert trees of elements, read without trusting them.

A document type declaration is refused (entities are the one way XML can expand or reach out); depth and size are
bounded. Namespace prefixes are dropped: old projects declare MSBuild's namespace, new ones none, and both mean the
same.
"""

from __future__ import annotations

from typing import Final
from xml.parsers import expat

from msgspec import Struct

MAX_DEPTH: Final = 64
MAX_SIZE: Final = 8 * 1024 * 1024


class InvalidXmlError(ValueError):
    """The file is not a project file that can be read; the message says why."""


class Element(Struct):
    """One element. ``text`` is its own character data, untrimmed; comments and children's text are not part of it."""

    name: str
    attributes: dict[str, str]
    children: list[Element]
    condition: str = ""
    text: str = ""


def parse_xml(content: bytes) -> Element:
    """The root element. Raises: InvalidXmlError."""
    if len(content) > MAX_SIZE:
        raise InvalidXmlError("larger than 8 MiB")
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = Element("", {}, [])
    stack = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > MAX_DEPTH:
            raise InvalidXmlError("nested too deeply")
        element = Element(name.rpartition(":")[2], attributes, [], attributes.get("Condition", ""))
        stack[-1].children.append(element)
        stack.append(element)

    def end(_name: str) -> None:
        stack.pop()

    def characters(data: str) -> None:
        stack[-1].text += data

    def doctype(*_: object) -> None:
        raise InvalidXmlError("it declares a document type, which project files never need")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(content.lstrip(b" \t\r\n"), True)
    except expat.ExpatError as error:
        raise InvalidXmlError(f"line {error.lineno}: {expat.ErrorString(error.code)}") from error
    except (LookupError, ValueError) as error:
        raise InvalidXmlError(str(error)) from error
    return top.children[0]
