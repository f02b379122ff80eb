"""Reads references, and patterns of them. Everything that is wrong with one is found in one pass, each problem with the character where it
stands (counted from 1).

Grammar: ``@`` designator ``/`` path [``#`` element] [``:`` line] [``{`` key ``:`` value {``,`` key ``:`` value} ``}``]. White space around
the whole and around the parts of metadata means nothing. In a pattern ``*`` and ``?`` may stand in the path and the element, and ``*`` in
place of the designator.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import Struct

from codemap_plugins.coderef.designators import Designator
from codemap_plugins.coderef.issues import Issue, IssueCode, issue
from codemap_plugins.coderef.reference import PATH_SAFE, Reference

MAX_LENGTH: Final = 2_000
FORM: Final = "Write @Type/path#element:line{key:value}; element, line and metadata may be left out."
_DESIGNATOR_END: Final = re.compile(r"[/#:{\s]|$")
_PATH_END: Final = re.compile(r"[#:{]|$")
_ELEMENT_END: Final = re.compile(r"[:{]|$")
_LINE_END: Final = re.compile(r"[{]|$")
_LINE: Final = re.compile(r"[+-]?[0-9]{1,9}")
_KEY: Final = re.compile(r"[^\W\d][\w-]*")
_WORDS: Final = re.compile(r"[^,{}:\"\\\x00-\x1f\x7f]*")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WILD: Final = re.compile(r"[*?]+")
_NO_PATH: Final = re.compile(rf"[^\w.\-%{re.escape(PATH_SAFE)}]")
_NO_PATTERN_OF_PATH: Final = re.compile(rf"[^\w.\-%*?{re.escape(PATH_SAFE)}]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


class Parsed(Struct, frozen=True):
    """``reference``: null when something of it cannot be read. ``issues`` may hold remarks on one that can."""

    reference: Reference | None
    issues: tuple[Issue, ...]


class Pattern(Struct, frozen=True):
    """Elements to look for. Null: any."""

    designator: Designator | None
    path: str
    element: str | None
    line: int | None
    metadata: tuple[tuple[str, str], ...]


class ParsedPattern(Struct, frozen=True):
    """``pattern``: null when something of it cannot be read."""

    pattern: Pattern | None
    issues: tuple[Issue, ...]


def is_wild(text: str) -> bool:
    return "*" in text or "?" in text


def parse(text: str) -> Parsed:
    """A reference, or what keeps ``text`` from being one."""
    parser = _Parser(text)
    reference = parser.read()
    return Parsed(reference, tuple(parser.issues))


def parse_pattern(text: str) -> ParsedPattern:
    """A pattern, or what keeps ``text`` from being one. Every reference is a pattern that means itself."""
    parser = _Parser(text, wild=True)
    pattern = parser.read_pattern()
    return ParsedPattern(pattern, tuple(parser.issues))


def is_identifier(text: str) -> bool:
    """Whether every part between dots is an identifier; of TypeScript these may have ``$``."""
    return all(part.isidentifier() for part in text.replace("$", "_").split("."))


class _Parser:
    def __init__(self, text: str, wild: bool = False) -> None:
        self.issues: list[Issue] = []
        self._text: Final = text.rstrip()
        self._at = len(text) - len(text.lstrip())
        self._wild: Final = wild

    def read(self) -> Reference | None:
        found = self.read_pattern()
        if found is None or found.designator is None:
            return None
        return Reference(
            designator=found.designator,
            path=found.path,
            element=found.element,
            line=found.line,
            metadata=found.metadata,
        )

    def read_pattern(self) -> Pattern | None:
        if self._at >= len(self._text):
            self._add(IssueCode.EMPTY_REFERENCE, "The reference is empty.", "reference", FORM)
            return None
        if len(self._text) > MAX_LENGTH:
            self._malformed(f"The reference has {len(self._text):,} characters; the maximum is {MAX_LENGTH:,}.")
            return None
        if self._text[self._at] != "@":
            self._malformed(f"A reference begins with '@', and there is {self._here()}.")
            return None
        self._at += 1
        designator = self._designator()
        if not self._takes("/"):
            self._malformed(f"The designator is followed by '/' and a path, and there is {self._here()}.")
            return None
        path = self._path()
        element = self._element() if self._takes("#") else None
        line = self._line() if self._takes(":") else None
        metadata = self._metadata() if self._takes("{") else ()
        if self._at < len(self._text) and not self.issues:
            self._malformed(f"The reference ends before {self._here()}.")
        if self.issues or path is None:
            return None
        return Pattern(designator, path, element, line, metadata)

    def _designator(self) -> Designator | None:
        start = self._at
        written = self._until(_DESIGNATOR_END)
        if written in _KNOWN:
            return Designator(written)
        if self._wild and written == "*":
            return None
        near = [each for each in _KNOWN if each.lower() == written.lower()] or get_close_matches(written, _KNOWN, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"Designators: {', '.join(_KNOWN)}."
        self._add(
            IssueCode.INVALID_TYPE,
            f"{_quoted(written)} at character {start + 1} is not a type designator.",
            "type",
            hint,
        )
        return None

    def _path(self) -> str | None:
        start = self._at
        written = self._until(_PATH_END)
        if not written.strip("/ "):
            self._add(IssueCode.EMPTY_PATH, f"The path at character {start + 1} is missing.", "path", FORM)
            return None
        wrong = (_NO_PATTERN_OF_PATH if self._wild else _NO_PATH).search(written)
        if wrong is not None:
            self._malformed(
                f"A path has no {_quoted(wrong[0])}, which stands at character {start + wrong.start() + 1}.",
                "path",
                "Write it percent-encoded." if wrong[0].isprintable() else None,
            )
            return None
        path = _decoded(written)
        if path is None:
            self._malformed(
                f"A '%' of the path at character {start + 1} is not followed by a character's code.", "path"
            )
            return None
        return self._checked(path, start)

    def _checked(self, path: str, start: int) -> str | None:
        parts = path.split("/")
        if path.startswith("/") or ".." in parts or "" in parts[:-1] or path != path.strip():
            self._malformed(
                f"The path at character {start + 1} is not one inside a repository: it is relative, without '..' or empty parts.",
                "path",
            )
            return None
        if _CONTROL.search(path) is not None:
            self._malformed(f"The path at character {start + 1} has a control character.", "path")
            return None
        return path.rstrip("/")

    def _element(self) -> str | None:
        start = self._at
        written = self._until(_ELEMENT_END)
        named = _WILD.sub("_", written) if self._wild else written
        if not is_identifier(named):
            self._malformed(
                f"{_quoted(written)} at character {start + 1} is not an identifier, nor several with dots between them.",
                "element",
                "Write Type.Member, without parameters or type arguments.",
            )
            return None
        return written

    def _line(self) -> int | None:
        start = self._at
        written = self._until(_LINE_END)
        if not _LINE.fullmatch(written):
            self._malformed(f"{_quoted(written)} at character {start + 1} is not a line number.", "line")
            return None
        number = int(written)
        if number < 1:
            self._add(
                IssueCode.NEGATIVE_LINE,
                f"The line number {number} at character {start + 1} is not positive: lines count from 1.",
                "line",
            )
            return None
        return number

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        while True:
            self._skip_space()
            start = self._at
            key = self._match(_KEY)
            self._skip_space()
            if not key or not self._takes(":"):
                return self._no_metadata(f"At character {start + 1} there is no key followed by ':'.")
            self._skip_space()
            value = self._value()
            if value is None:
                return self._no_metadata(f"The value at character {self._at + 1} cannot be read.")
            if key in found:
                return self._no_metadata(f"The key {_quoted(key)} at character {start + 1} was given before.")
            found[key] = value
            self._skip_space()
            if self._takes(","):
                continue
            if self._takes("}"):
                return tuple(sorted(found.items()))
            return self._no_metadata(f"',' or '}}' is missing at character {self._at + 1}.")

    def _value(self) -> str | None:
        if self._text.startswith('"', self._at):
            written = self._match(_STRING)
            try:
                return msgspec.json.decode(written, type=str) if written else None
            except msgspec.DecodeError:
                return None
        return self._match(_WORDS).strip() or None

    def _no_metadata(self, message: str) -> tuple[tuple[str, str], ...]:
        self._add(IssueCode.INVALID_METADATA_FORMAT, message, "metadata", "Write {key:value,key:value}.")
        self._at = len(self._text)
        return ()

    def _takes(self, character: str) -> bool:
        if self._text.startswith(character, self._at):
            self._at += 1
            return True
        return False

    def _until(self, end: re.Pattern[str]) -> str:
        found = end.search(self._text, self._at)
        start, self._at = self._at, found.start() if found is not None else len(self._text)
        return self._text[start : self._at]

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found.group()

    def _skip_space(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _here(self) -> str:
        if self._at >= len(self._text):
            return f"nothing at character {self._at + 1}"
        return f"{_quoted(self._text[self._at])} at character {self._at + 1}"

    def _malformed(self, message: str, field: str = "reference", suggestion: str | None = FORM) -> None:
        self._add(IssueCode.MALFORMED_REFERENCE, message, field, suggestion)

    def _add(self, code: IssueCode, message: str, field: str, suggestion: str | None = None) -> None:
        self.issues.append(issue(code, message, field, suggestion))


def _decoded(written: str) -> str | None:
    """The path that percent-encoding stands for; null where it stands for none."""
    if "%" in _PERCENT.sub("", written):
        return None
    try:
        return _PERCENT.sub(lambda found: unquote_to_bytes(found.group()).decode(), written)
    except UnicodeDecodeError:
        return None


def _quoted(text: str) -> str:
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    return repr(shown)


_KNOWN: Final = tuple(each.value for each in Designator)
