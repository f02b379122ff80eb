"""C# signatures, as symbols of an index have them, taken apart: modifiers, type, parameters, constraints, accessors.

A signature is one declaration without its body (ECMA-334 §14 to §20). Types stay text, spelt as ``plain_type`` spells them, so that
``System.Int32`` and ``int`` are equal; namespaces are left out, as a spelling with and without one means the same type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

MODIFIERS: Final = frozenset(
    {
        *(
            "public",
            "internal",
            "protected",
            "private",
            "static",
            "abstract",
            "sealed",
            "virtual",
            "override",
            "readonly",
        ),
        *("const", "volatile", "extern", "unsafe", "async", "partial", "new", "required", "file", "fixed", "event"),
        *("delegate", "class", "struct", "interface", "enum", "record", "implicit", "explicit", "operator"),
    }
)
_PARAMETER_MODIFIERS: Final = frozenset(["this", "ref", "out", "in", "params", "scoped", "readonly"])
_KEYWORD_TYPES: Final = {
    "Boolean": "bool",
    "Byte": "byte",
    "SByte": "sbyte",
    "Int16": "short",
    "UInt16": "ushort",
    "Int32": "int",
    "UInt32": "uint",
    "Int64": "long",
    "UInt64": "ulong",
    "Single": "float",
    "Double": "double",
    "Decimal": "decimal",
    "Char": "char",
    "String": "string",
    "Object": "object",
}
_OPENING: Final = "<([{"
_CLOSING: Final = ">)]}"
_TOKEN: Final = re.compile(r"""@?"(?:[^"\\]|\\.|"")*"|'(?:[^'\\]|\\.)*'|=>|.""", re.DOTALL)
_QUALIFIED: Final = re.compile(r"(?:\w+\s*(?:\.|::)\s*)+(?=\w)")
_DIRECTIVE: Final = re.compile(r"#\w+\s+")
_ACCESSOR: Final = re.compile(r"(?:(?P<modifiers>(?:\w+\s+)*))(?P<name>get|set|init|add|remove)\b")
_CONSTRAINT: Final = re.compile(r"\bwhere\s+(\w+)\s*:\s*")


class Parameter(Struct, frozen=True):
    """``modifiers``: ``ref``, ``ref readonly``, ``out``, ``in``, ``params``, ``this``; ``default``: as written, empty for none."""

    name: str
    type: str
    modifiers: tuple[str, ...] = ()
    default: str = ""


class Signature(Struct, frozen=True):
    """``type``: of a member what it is or returns, with ``ref`` or ``ref readonly`` before it; of an enum what it is based on.
    ``accessors``: by name, with their own visibility, which is empty where it is the member's."""

    modifiers: frozenset[str]
    type: str = ""
    parameters: tuple[Parameter, ...] = ()
    accessors: tuple[tuple[str, str], ...] = ()
    constraints: tuple[tuple[str, tuple[str, ...]], ...] = ()
    value: str = ""


@lru_cache(maxsize=4096)
def parse_signature(text: str, name: str) -> Signature:
    """``name``: the symbol's, as ``SymbolRow.name`` has it. Any text; of what is not well formed parts are empty."""
    text = _DIRECTIVE.sub("", text).strip()
    head, constraints = _constraints(text)
    head, accessors = _accessors(head)
    head, _, value = (head, "", "") if "operator" in head else _cut(head, "=")
    start, end = _name_span(head, name)
    before, behind = head[:start], head[end:]
    words = before.split()
    known = MODIFIERS | {"ref"} if "struct" in words else MODIFIERS
    count = next((number for number, word in enumerate(words) if word not in known), len(words))
    parameters = ""
    opening = "[" if name == "this[]" else "("
    if behind.lstrip().startswith("<"):
        behind = behind.lstrip()[_closing(behind.lstrip()) :]
    behind = behind.lstrip()
    if behind.startswith(opening):
        close = _closing(behind)
        parameters, behind = behind[1 : close - 1], behind[close:]
    modifiers = frozenset(words[:count])
    written = " ".join(words[count:])
    if "enum" in modifiers:
        written = behind.partition(":")[2].strip() or "int"
    return Signature(
        modifiers=modifiers,
        type=plain_type(written),
        parameters=tuple(_parameter(each) for each in split_list(parameters)),
        accessors=accessors,
        constraints=constraints,
        value=" ".join(value.split()),
    )


def plain_type(text: str) -> str:
    """A type without white space, namespaces and attributes, the built-in ones by their keywords."""
    bare = _QUALIFIED.sub("", text.replace("global::", ""))
    words = re.sub(r"\w+", lambda word: _KEYWORD_TYPES.get(word[0], word[0]), bare)
    return re.sub(r"\s*([<>,()\[\]?*])\s*", r"\1", words).strip()


def has_body(declaration: str) -> bool:
    """Whether a member has one. ``declaration``: its text from the name on; of a property or event one accessor with a body is enough."""
    depth = position = 0
    for token in _tokens(declaration):
        if depth == 0 and token in ("=>", ";"):
            return token == "=>"
        if depth == 0 and token == "{":
            break
        depth += (token in ("(", "[")) - (token in (")", "]"))
        position += len(token)
    accessors = declaration[position + 1 :].partition("}")[0]
    is_list = re.match(r"\s*(?:\[[^\]]*\]\s*|\w+\s+)*(?:get|set|init|add|remove)\b", accessors)
    return not is_list or "{" in accessors or "=>" in accessors


def split_list(text: str) -> list[str]:
    """The items between commas that stand outside brackets and literals; none of an empty text."""
    if not text.strip():
        return []
    items, depth, item = [], 0, ""
    for token in _tokens(text):
        if token == "," and depth == 0:
            items.append(item)
            item = ""
            continue
        depth += (token in _OPENING) - (token in _CLOSING)
        item += token
    return [*items, item]


def _parameter(text: str) -> Parameter:
    declared, _, default = _cut(text.strip(), "=")
    while declared.startswith("["):
        declared = declared[_closing(declared) :].lstrip()
    words = declared.split()
    count = next((number for number, word in enumerate(words) if word not in _PARAMETER_MODIFIERS), len(words))
    written, _, name = declared.strip().rpartition(" ")
    for modifier in words[:count]:
        written = written.strip().removeprefix(modifier)
    return Parameter(name.removeprefix("@"), plain_type(written), tuple(words[:count]), " ".join(default.split()))


def _constraints(text: str) -> tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """What is before the constraints, and those by type parameter."""
    clauses = list(_CONSTRAINT.finditer(text))
    if not clauses:
        return text, ()
    ends = [*(clause.start() for clause in clauses[1:]), len(text)]
    found = []
    for clause, end in zip(clauses, ends, strict=True):
        listed = text[clause.end() : end].partition("{")[0]
        found.append((clause[1], tuple(sorted(plain_type(each) for each in split_list(listed)))))
    return text[: clauses[0].start()].rstrip(), tuple(found)


def _accessors(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    if not text.endswith("}"):
        return text, ()
    head, _, body = text.rpartition("{")
    found = []
    for each in body.rstrip("} ").split(";"):
        accessor = _ACCESSOR.fullmatch(each.strip())
        if accessor is not None:
            words = [word for word in (accessor["modifiers"] or "").split() if word != "readonly"]
            found.append((accessor["name"], " ".join(words)))
    return head.rstrip(), tuple(found)


def _name_span(head: str, name: str) -> tuple[int, int]:
    """Where the declared name stands in a signature without constraints and accessors."""
    if name == "this[]":
        start = head.rfind("this[")
        start = start if start >= 0 else len(head)
        return start, min(start + 4, len(head))
    if name.startswith("operator") or "operator " in name:
        opening = head.find("(", head.find("operator") + len("operator "))
        start = head.find("operator")
        is_conversion = "implicit" in head or "explicit" in head
        return (
            (start + len("operator "), start + len("operator ")) if is_conversion and opening < 0 else (start, opening)
        )
    found = None
    for found in re.finditer(rf"(?<!\w)@?{re.escape(name)}(?=\s*(?:<|\(|$|:|\s|\{{|=))", head):
        rest = head[found.end() :].lstrip()
        if rest.startswith("<"):
            rest = rest[_closing(rest) :].lstrip()
        if rest[:1] in ("", "(", ":", "="):
            return found.span()
    return (len(head), len(head)) if found is None else found.span()


def _cut(text: str, separator: str) -> tuple[str, str, str]:
    """As ``str.partition``, outside brackets and literals."""
    depth = position = 0
    for token in _tokens(text):
        if token == separator and depth == 0:
            return text[:position].rstrip(), separator, text[position + 1 :].strip()
        depth += (token in _OPENING) - (token in _CLOSING)
        position += len(token)
    return text, "", ""


def _closing(text: str) -> int:
    """The end of the bracket that ``text`` begins with."""
    depth = position = 0
    for token in _tokens(text):
        depth += (token in _OPENING) - (token in _CLOSING)
        position += len(token)
        if depth == 0:
            return position
    return len(text)


def _tokens(text: str) -> Iterator[str]:
    return (match[0] for match in _TOKEN.finditer(text))
