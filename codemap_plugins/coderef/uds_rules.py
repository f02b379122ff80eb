"""A repository's own standard, ``.coderef/uds.json`` or ``.coderef/uds.toml``: rules that elements keep, and templates for new code. It is
data: patterns are globs, templates replace ``${name}``, and nothing of it is run.

    [[rules]]
    id = "services-are-documented"
    severity = "error"
    applies_to = { types = ["C"], path = "src/*", element = "*Service", security = ["public"] }
    require = { documentation = "complete", max_complexity = 50 }

    [[templates]]
    name = "service"
    path = "src/Services/${name}.cs"
    content = "public class ${name} { }"
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct, field

from codemap_plugins.coderef.designators import Designator
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.issues import Severity

FILES: Final = (".coderef/uds.json", ".coderef/uds.toml")
MAX_BYTES: Final = 1 << 20


class NameStyle(StrEnum):
    PASCAL = "PascalCase"
    CAMEL = "camelCase"
    UNDERSCORE_CAMEL = "_camelCase"
    UPPER = "UPPER_CASE"

    def fits(self, name: str) -> bool:
        return _STYLES[self].fullmatch(name) is not None


_STYLES: Final = {
    NameStyle.PASCAL: re.compile(r"[A-Z][A-Za-z0-9]*"),
    NameStyle.CAMEL: re.compile(r"[a-z][A-Za-z0-9]*"),
    NameStyle.UNDERSCORE_CAMEL: re.compile(r"_[a-z][A-Za-z0-9]*"),
    NameStyle.UPPER: re.compile(r"[A-Z][A-Z0-9_]*"),
}


class Documented(StrEnum):
    PARTIAL = "partial"
    COMPLETE = "complete"


class Scope(Struct, frozen=True, forbid_unknown_fields=True):
    """The elements that a rule is about: those that fit all that is given. ``path`` and ``element`` are globs."""

    types: tuple[Designator, ...] = ()
    path: str = "*"
    element: str = "*"
    security: tuple[str, ...] = ()


class Requirement(Struct, frozen=True, forbid_unknown_fields=True):
    """What such an element must be. ``name``: globs of which its own name must fit one."""

    name: tuple[str, ...] = ()
    name_style: NameStyle | None = None
    documentation: Documented | None = None
    max_complexity: Annotated[float, Meta(ge=0, le=100)] | None = None
    max_lines: Annotated[int, Meta(ge=1)] | None = None
    min_coverage: Annotated[float, Meta(ge=0, le=100)] | None = None
    status: tuple[str, ...] = ()


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=1)]
    require: Requirement
    severity: Severity = Severity.ERROR
    applies_to: Scope = field(default_factory=Scope)
    message: str = ""


class CodeTemplate(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1)]
    path: Annotated[str, Meta(min_length=1)]
    content: str
    type: Designator = Designator.CLASS
    """Of the element that it makes, whose name is ``${name}``."""

    def placeholders(self) -> tuple[str, ...]:
        found = (*Template(self.path).get_identifiers(), *Template(self.content).get_identifiers())
        return tuple(dict.fromkeys(found))


class Standard(Struct, frozen=True, forbid_unknown_fields=True):
    version: int = 1
    rules: tuple[Rule, ...] = ()
    templates: tuple[CodeTemplate, ...] = ()


def load_standard(root: Path) -> Standard | None:
    """The standard of a working tree; null where it has none. Symbolic links are not followed. Raises: CodeRefError for one that cannot be
    read."""
    for name in FILES:
        content = _read(root, name)
        if content is None:
            continue
        try:
            if name.endswith(".json"):
                return msgspec.json.decode(content, type=Standard)
            return msgspec.convert(tomllib.loads(content.decode()), type=Standard)
        except (msgspec.MsgspecError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise CodeRefError(
                CodeRefCode.VALIDATION_ERROR, f"{name} cannot be read as rules: {error}", suggestion=f"Correct {name}."
            ) from error
    return None


def _read(root: Path, name: str) -> bytes | None:
    """Null for what is not there. Raises: CodeRefError for what is not a plain file in a plain folder, or too large."""
    path = root / name
    if path.parent.is_symlink():
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > MAX_BYTES:
            raise CodeRefError(CodeRefCode.VALIDATION_ERROR, f"{name} is larger than {MAX_BYTES:,} bytes.")
        return stream.read(MAX_BYTES)
