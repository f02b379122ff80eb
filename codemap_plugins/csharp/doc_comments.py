"""Documentation comments (ECMA-334 annex D) to text for people, and the ``cref``s in them with their places.

Tolerant on purpose: a comment is user text, often malformed XML, so elements are found by scanning and never by an XML parser. White
space is folded; ``see`` and ``seealso`` leave the name they refer to, ``paramref`` and ``typeparamref`` the parameter's name.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.unit import DocComment

_TAG: Final = re.compile(
    r"<(/?)([A-Za-z][\w.-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)(/?)>|<!--.*?-->|<!\[CDATA\[(.*?)\]\]>", re.DOTALL
)
_ATTRIBUTE: Final = re.compile(r"([A-Za-z][\w.:-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_CREF: Final = re.compile(rb"(<exception\s(?:[^<>]*\s)?)?\bcref\s*=\s*(?:\"([^\"\r\n]*)\"|'([^'\r\n]*)')")
"""A ``cref``, and before it the start of an ``<exception>`` that it belongs to."""
_CREF_BEGUN: Final = re.compile(rb"(<exception\s(?:[^<>]*\s)?)?\bcref\s*=\s*\"([^\"\r\n]*)\Z")
_CREF_ENDED: Final = re.compile(rb"///([\w\s.,(){}\[\]*&?@:`\x80-\xff]*)\"")
"""A ``cref`` on two lines of a comment; no mark of XML stands in its second one, so a quotation mark that is missing reaches no further."""
_BLANK: Final = (" ", "\t")
_STAR_PREFIX: Final = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)
_SPACE_BEFORE_PUNCTUATION: Final = re.compile(r" ([.,;:!?)])(?= |$)")

_SECTIONS: Final = frozenset(
    {
        "summary",
        "remarks",
        "returns",
        "value",
        "param",
        "typeparam",
        "exception",
        "example",
        "seealso",
        "permission",
        "inheritdoc",
        "include",
    }
)
_TELLING_ALONE: Final = frozenset({"exception", "permission", "include"})
"""Sections that say something by what they name, also without a text: not a parameter that nothing is said of."""
_NAMED_BY: Final = ("name", "cref", "href")
_INLINE_NAME: Final = ("cref", "name", "langword", "href")
_BLOCKS: Final = frozenset(
    {"para", "br", "list", "item", "code", "listheader", "description", "term", "p", "li", "ul", "ol"}
)


def readable_cref(cref: str) -> str:
    """A ``cref`` as a reader would write it: no ``T:`` prefix, braces as angle brackets."""
    text = cref.strip()
    if len(text) > 2 and text[1] == ":" and text[0] in "NTFPMEO!":
        text = text[2:]
    return text.replace("{", "<").replace("}", ">")


def _attributes(text: str) -> dict[str, str]:
    return {m.group(1): m.group(2) if m.group(2) is not None else m.group(3) for m in _ATTRIBUTE.finditer(text)}


def _fold(pieces: list[str]) -> str:
    text = " ".join(html.unescape("".join(pieces)).split())
    if _SPACE_BEFORE_PUNCTUATION.search(text) is None:  # to substitute nothing takes five times as long
        return text
    return _SPACE_BEFORE_PUNCTUATION.sub(r"\1", text)


def _inline(name: str, attributes: str) -> str:
    if not attributes:
        return ""
    values = _attributes(attributes)
    for key in _INLINE_NAME:
        if key in values:
            return readable_cref(values[key]) if key == "cref" else values[key]
    return ""


def _read_sections(xml: str) -> tuple[str, list[str], bool]:
    summary: str | None = None
    rest: list[str] = []
    related: list[str] = []
    outside: list[str] = []
    inherits = False
    section = label = ""
    pieces: list[str] = []
    last = 0

    def close() -> None:
        nonlocal summary, section
        text = _fold(pieces)
        if section == "summary":
            if summary is None:
                summary = text
        elif text:
            rest.append(f"{section} {label}: {text}" if label else f"{section}: {text}")
        elif label and section == "seealso":
            related.append(label)
        elif label and section in _TELLING_ALONE:
            rest.append(f"{section} {label}")
        section = ""

    for match in _TAG.finditer(xml):
        (pieces if section else outside).append(xml[last : match.start()])
        last = match.end()
        name = match.group(2)
        if name is None:
            if match.group(5) is not None:
                (pieces if section else outside).append(html.escape(match.group(5)))
            continue
        closing, self_closing = bool(match.group(1)), bool(match.group(4))
        if not section or name == section:
            if name in _SECTIONS and not closing:
                if section:
                    continue
                if name == "inheritdoc":
                    inherits = True
                    continue
                section, pieces = name, []
                written = match.group(3)
                values = _attributes(written) if written else {}
                label = readable_cref(next((values[k] for k in _NAMED_BY if k in values), ""))
                if self_closing:
                    close()
                continue
            if closing and name == section:
                close()
                continue
        target = pieces if section else outside
        if name in _BLOCKS:
            target.append(" ")
        elif not closing:
            text = _inline(name, match.group(3))
            if text and (self_closing or name in ("paramref", "typeparamref") or xml.startswith("</", last)):
                target.append(text)
    (pieces if section else outside).append(xml[last:])
    if section:
        close()
    if related:
        rest.append(f"see also: {', '.join(related)}")
    return (summary if summary is not None else _fold(outside)), rest, inherits


def read_doc_comment(source: bytes, spans: Sequence[tuple[int, int]]) -> DocComment | None:
    """The documentation comment made of the comment tokens at ``spans`` (byte spans in ``source``, in order), or null when they say
    nothing."""
    if not spans:
        return None
    lines: list[str] = []
    crefs: list[tuple[str, int]] = []
    exceptions: list[int] = []
    for number, (start, end) in enumerate(spans):
        raw = source[start:end]
        text = raw.decode("utf-8", "replace")
        if text.startswith("/**"):
            text = _STAR_PREFIX.sub("", text[3:].removesuffix("*/"))
        else:
            text = text[4:] if text[3:4] in _BLANK else text[3:]
        lines.append(text)
        if b"cref" in raw:
            for match in _CREF.finditer(raw):
                group = 2 if match.group(2) is not None else 3
                if match.group(1) is not None:
                    exceptions.append(len(crefs))
                crefs.append((match.group(group).decode("utf-8", "replace"), start + match.start(group)))
            begun = _CREF_BEGUN.search(raw.rstrip())
            if begun is not None and number + 1 < len(spans):
                following, after = spans[number + 1]
                ended = _CREF_ENDED.match(source, following, after)
                if ended is not None:
                    if begun.group(1) is not None:
                        exceptions.append(len(crefs))
                    # What stands between its two parts is blank in it, so names keep their places.
                    at = start + begun.start(2)
                    whole = begun.group(2).ljust(ended.start(1) - at) + ended.group(1)
                    crefs.append((whole.decode("utf-8", "replace"), at))
    summary, rest, inherits = _read_sections("\n".join(lines))
    if not (summary or rest or inherits or crefs):
        return None
    return DocComment(
        summary=summary, rest="\n".join(rest), crefs=tuple(crefs), inherits=inherits, exceptions=tuple(exceptions)
    )
