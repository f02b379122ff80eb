"""Members of values inside property functions: ``$(Name.Contains('x'))``, ``$(Version.Split('.')[0])``,
``$(...Major)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from codemap_plugins.dotnet.functions import (
    DirectoryInfo,
    MachineValue,
    MatchedText,
    UnknownFunctionError,
    Value,
    to_number,
    to_text,
)
from codemap_plugins.dotnet.repository_tree import folder_of
from codemap_plugins.dotnet.versions import Version


def call_member(value: Value, member: str, arguments: Sequence[Value]) -> Value:
    """A member of a value; an indexer has the empty name. Raises: UnknownFunctionError."""
    name = member.lower()
    try:
        if name == "tostring" and not isinstance(value, Version):
            return to_text(value)
        if isinstance(value, MachineValue):
            return value
        if isinstance(value, MatchedText) and name in ("groups", "value"):
            return value.groups if name == "groups" else str(value)
        if isinstance(value, list):
            return _of_list(value, name, arguments)
        if isinstance(value, DirectoryInfo):
            return _of_directory(value, name)
        if isinstance(value, Version):
            return _of_version(value, name, arguments)
        function = _OF_STRING.get(name)
        if function is not None:
            return function(to_text(value), *arguments)
    except UnknownFunctionError:
        raise
    except (TypeError, ValueError, IndexError) as error:
        raise UnknownFunctionError(f"{member}: {error}") from error
    raise UnknownFunctionError(member or "an indexer")


def _of_list(value: list[str], name: str, arguments: Sequence[Value]) -> Value:
    if name in ("", "get", "get_item", "getvalue", "item"):
        return value[_position(arguments[0], len(value) - 1)]
    if name in ("length", "count"):
        return len(value)
    raise UnknownFunctionError(name)


def _of_directory(value: DirectoryInfo, name: str) -> Value:
    if name == "parent":
        return DirectoryInfo(folder_of(value.path))
    if name == "fullname":
        return value.path
    if name == "name":
        return value.path.rpartition("/")[2]
    raise UnknownFunctionError(name)


def _of_version(value: Version, name: str, arguments: Sequence[Value]) -> Value:
    if name == "tostring":
        return value.to_text(int(to_number(arguments[0])) if arguments else 4)
    if name in ("major", "minor", "build", "revision"):
        number: int = getattr(value, name)
        return number
    if name == "compareto":
        other = Version.parse(to_text(arguments[0]))
        key, other_key = _order(value), _order(other)
        return (key > other_key) - (key < other_key)
    raise UnknownFunctionError(name)


def _order(version: Version) -> tuple[int, int, int, int]:
    return version.major, version.minor, version.build, version.revision


def _position(value: Value, last: int) -> int:
    position = int(to_number(value))
    if not 0 <= position <= last:
        raise IndexError(f"position {position} of {last + 1}")
    return position


def _contains(text: str, part: Value, how: Value = "") -> bool:
    return to_text(part).lower() in text.lower() if _ignores_case(how) else to_text(part) in text


def _starts(text: str, part: Value, how: Value = "") -> bool:
    return text.lower().startswith(to_text(part).lower()) if _ignores_case(how) else text.startswith(to_text(part))


def _ends(text: str, part: Value, how: Value = "") -> bool:
    return text.lower().endswith(to_text(part).lower()) if _ignores_case(how) else text.endswith(to_text(part))


def _equals(text: str, other: Value, how: Value = "") -> bool:
    return text.lower() == to_text(other).lower() if _ignores_case(how) else text == to_text(other)


def _ignores_case(how: Value) -> bool:
    return "ignorecase" in to_text(how).lower()


def _split(text: str, *separators: Value) -> list[str]:
    given = [to_text(one) for one in separators if to_text(one)]
    characters = set("".join(one for one in given if one.lower() not in ("none", "removeemptyentries"))) or set(" ")
    pieces, current = [], ""
    for character in text:
        if character in characters:
            pieces.append(current)
            current = ""
        else:
            current += character
    pieces.append(current)
    remove_empty = any(one.lower().endswith("removeemptyentries") for one in given)
    return [piece for piece in pieces if piece or not remove_empty]


def _substring(text: str, start: Value, count: Value = None) -> str:
    first = _position(start, len(text))
    if count is None:
        return text[first:]
    return text[first : first + _position(count, len(text) - first)]


def _find(text: str, part: Value, start: Value = 0, *_: Value) -> int:
    return text.find(to_text(part), int(to_number(start)) if to_text(start).isdigit() else 0)


def _remove(text: str, start: Value, count: Value = None) -> str:
    first = _position(start, len(text))
    return text[:first] + ("" if count is None else text[first + _position(count, len(text) - first) :])


def _insert(text: str, start: Value, part: Value) -> str:
    first = _position(start, len(text))
    return text[:first] + to_text(part) + text[first:]


def _pad(left: bool) -> Callable[..., str]:
    def pad(text: str, width: Value, fill: Value = " ") -> str:
        size = min(int(to_number(width)), 4096)
        return text.rjust(size, to_text(fill)) if left else text.ljust(size, to_text(fill))

    return pad


def _trim(strip: Callable[[str, str | None], str]) -> Callable[..., str]:
    return lambda text, *characters: strip(text, "".join(map(to_text, characters)) or None)


_OF_STRING: Final[dict[str, Callable[..., Value]]] = {
    "": lambda text, position: text[_position(position, len(text) - 1)],
    "get_chars": lambda text, position: text[_position(position, len(text) - 1)],
    "length": lambda text: len(text),
    "contains": _contains,
    "startswith": _starts,
    "endswith": _ends,
    "equals": _equals,
    "compareto": lambda text, other: (text > to_text(other)) - (text < to_text(other)),
    "replace": lambda text, old, new, *_: text.replace(to_text(old), to_text(new)) if to_text(old) else text,
    "split": _split,
    "substring": _substring,
    "indexof": _find,
    "lastindexof": lambda text, part, *_: text.rfind(to_text(part)),
    "indexofany": lambda text, characters: min((i for i, c in enumerate(text) if c in to_text(characters)), default=-1),
    "remove": _remove,
    "insert": _insert,
    "padleft": _pad(left=True),
    "padright": _pad(left=False),
    "trim": _trim(str.strip),
    "trimstart": _trim(str.lstrip),
    "trimend": _trim(str.rstrip),
    "tolower": lambda text, *_: text.lower(),
    "toupper": lambda text, *_: text.upper(),
    "tolowerinvariant": lambda text: text.lower(),
    "toupperinvariant": lambda text: text.upper(),
    "normalize": lambda text, *_: text,
    "gethashcode": lambda text: 0,
    "tochararray": lambda text: list(text),
}
