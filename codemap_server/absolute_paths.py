"""Paths in the arguments of a tool, relative to the repository's root where a client gives them from the root of the file system, as
hosts have models do. Texts are compared and nothing on disk is looked at, so that links lead nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

_NAMES: Final = ("file_path", "file_paths", "path", "glob", "exclude")
"""Arguments that hold paths or patterns for them. One that begins with ``/`` need not be absolute: to a pattern it is the root."""
_UNSAVED: Final = "virtual_files"
_Arguments = TypeVar("_Arguments", bound=Struct)


def with_relative_paths(arguments: _Arguments, root: Callable[[], Path]) -> _Arguments:
    """``arguments`` with paths below ``root`` relative to it; ``root`` is asked for where a path is absolute alone."""
    given = {name: getattr(arguments, name) for name in _NAMES if getattr(arguments, name, None)}
    unsaved = getattr(arguments, _UNSAVED, ())
    if not any(map(_may_be_absolute, (*given.values(), *(each.file_path for each in unsaved)))):
        return arguments
    top = root().as_posix().rstrip("/")
    changed: dict[str, Any] = {name: _relative(value, top) for name, value in given.items()}
    if unsaved:
        changed[_UNSAVED] = tuple(replace(each, file_path=_relative(each.file_path, top)) for each in unsaved)
    return replace(arguments, **changed)


def _may_be_absolute(value: str | tuple[str, ...]) -> bool:
    if not isinstance(value, str):
        return any(map(_may_be_absolute, value))
    return any(each.startswith(("/", "\\")) or each[1:2] == ":" for each in map(_bare, value.split(",")))


def _bare(pattern: str) -> str:
    return pattern.strip().removeprefix("!")


def _relative(value: Any, top: str) -> Any:
    """A text, of one path or several with commas, or several of them."""
    if not isinstance(value, str):
        return tuple(_relative(each, top) for each in value)
    return ",".join(_one_relative(each, top) for each in value.split(","))


def _one_relative(written: str, top: str) -> str:
    pattern = _bare(written)
    spelt = pattern.replace("\\", "/")
    if f"{spelt.rstrip('/')}/" == f"{top}/":
        rest = "."
    elif spelt.startswith(f"{top}/"):
        rest = spelt[len(top) + 1 :]
    else:
        return written
    return f"!{rest}" if written.strip().startswith("!") else rest
