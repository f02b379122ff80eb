"""References to items inside text: ``@(Type)``, transforms ``@(Type->'%(Filename).x')``, item functions, and
``%(Metadata)``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from codemap_plugins.dotnet.functions import UnknownFunctionError, to_text
from codemap_plugins.dotnet.members import call_member
from codemap_plugins.dotnet.repository_tree import absolute, folder_of
from codemap_plugins.dotnet.templates import closing_parenthesis, split_arguments


class Item(Struct):
    """One item. ``path``: its specification as an absolute path, whether or not it means one. ``recursive_from``: where in it begins
    what the wildcards of a glob stood for."""

    spec: str
    path: str
    metadata: dict[str, str]
    recursive_from: int = 0

    def value(self, name: str) -> str:
        """Metadata by name, the well-known ones included; empty when there is none."""
        folded = name.lower()
        known = self.metadata.get(folded)
        if known is not None:
            return known
        compute = _WELL_KNOWN.get(folded)
        return compute(self) if compute else ""

    def words(self, name: str) -> set[str]:
        """Metadata that is a list of words, in lower case."""
        return {piece for one in self.value(name).lower().split(";") if (piece := one.strip())}


class ItemScope(Struct, frozen=True):
    """What references to items are evaluated against. ``of``: the items of a type; ``folder``: the project's; ``exists``: whether there is
    a file or a folder at a path, which may be relative to it."""

    of: Callable[[str], list[Item]]
    folder: str
    exists: Callable[[str], bool]
    report: Callable[[str], None]


def _file_name(item: Item) -> str:
    return item.spec.replace("\\", "/").rpartition("/")[2]


def _with_separator(folder: str) -> str:
    return folder + "/" if folder else ""


_WELL_KNOWN: Final[dict[str, Callable[[Item], str]]] = {
    "identity": lambda item: item.spec,
    "fullpath": lambda item: item.path,
    "filename": lambda item: _file_name(item).rpartition(".")[0] or _file_name(item),
    "extension": lambda item: "." + _file_name(item).rpartition(".")[2] if "." in _file_name(item) else "",
    "relativedir": lambda item: _with_separator(folder_of(item.spec.replace("\\", "/"))),
    "directory": lambda item: _with_separator(folder_of(item.path).lstrip("/")),
    "recursivedir": lambda item: (
        _with_separator(folder_of(item.path[item.recursive_from :])) if item.recursive_from else ""
    ),
    "rootdir": lambda item: "/",
}
_METADATA: Final = re.compile(r"%\(\s*(?:\w+\.)?(\w+)\s*\)")


def expand_metadata(text: str, item: Item) -> str:
    return _METADATA.sub(lambda match: item.value(match[1]), text)


def split_list(text: str) -> list[str]:
    """A semicolon-separated list, trimmed, empties left out; semicolons inside item references do not separate."""
    if "@(" not in text:
        return [piece for one in text.split(";") if (piece := one.strip())]
    pieces: list[str] = []
    start = position = 0
    while position < len(text):
        if text.startswith("@(", position):
            end = closing_parenthesis(text, position + 2)
            position = len(text) if end < 0 else end
        elif text[position] == ";":
            pieces.append(text[start:position])
            start = position + 1
        position += 1
    pieces.append(text[start:])
    return [piece for one in pieces if (piece := one.strip())]


def referenced_items(piece: str, scope: ItemScope) -> list[Item]:
    """The items that one entry of an Include means. A whole reference keeps metadata; one inside other text is joined
    to that text."""
    if piece.startswith("@(") and closing_parenthesis(piece, 2) == len(piece) - 1:
        items, separator = _evaluate(piece[2:-1], scope)
        if separator is None:
            return [Item(item.spec, absolute(scope.folder, item.spec), dict(item.metadata)) for item in items]
    joined = expand_item_references(piece, scope)
    return [Item(one, absolute(scope.folder, one), {}) for one in split_list(joined)]


def expand_item_references(text: str, scope: ItemScope) -> str:
    """Every ``@(...)`` replaced by its specifications, joined with its separator or ``;``."""
    result = ""
    position = 0
    while (start := text.find("@(", position)) >= 0:
        end = closing_parenthesis(text, start + 2)
        if end < 0:
            break
        items, separator = _evaluate(text[start + 2 : end], scope)
        result += text[position:start] + (";" if separator is None else separator).join(item.spec for item in items)
        position = end + 1
    return result + text[position:]


def _evaluate(body: str, scope: ItemScope) -> tuple[list[Item], str | None]:
    match = re.match(r"\s*([\w.]+(?:-(?!>)[\w.]+)*)\s*", body)
    if match is None:
        scope.report(f"cannot read the item reference @({body[:200]})")
        return [], None
    items = scope.of(match[1])
    rest = body[match.end() :]
    while rest.startswith("->"):
        rest = rest[2:].lstrip()
        if rest.startswith("'"):
            end = rest.find("'", 1)
            if end < 0:
                break
            items = [_transformed(rest[1:end], item, scope.folder) for item in items]
            rest = rest[end + 1 :].lstrip()
            continue
        call = re.match(r"(\w+)\s*\(", rest)
        end = closing_parenthesis(rest, call.end()) if call else -1
        if call is None or end < 0:
            break
        arguments = [argument or "" for argument in split_arguments(rest[call.end() : end])]
        try:
            items = _call(call[1].lower(), items, arguments, scope)
        except (UnknownFunctionError, IndexError) as error:
            scope.report(f"cannot evaluate the item function {call[1]}: {error}")
            return [], None
        rest = rest[end + 1 :].lstrip()
    if rest.startswith(","):
        quoted = rest[1:].strip()
        return items, quoted[1:-1] if len(quoted) >= 2 and quoted[0] in "'\"" else quoted
    if rest:
        scope.report(f"cannot read the item reference @({body[:200]})")
        return [], None
    return items, None


def _transformed(template: str, item: Item, folder: str) -> Item:
    spec = expand_metadata(template, item)
    return Item(spec, absolute(folder, spec), item.metadata)


def _call(name: str, items: list[Item], arguments: list[str], scope: ItemScope) -> list[Item]:
    if name in _WELL_KNOWN and not arguments:
        return [Item(_WELL_KNOWN[name](item), item.path, item.metadata) for item in items]
    if name == "exists":
        return [item for item in items if item.spec and scope.exists(item.spec)]
    if name == "count":
        return [_plain(str(len(items)))]
    if name in ("distinct", "distinctwithcase"):
        key: Callable[[str], str] = str.lower if name == "distinct" else str
        return list({key(item.spec): item for item in reversed(items)}.values())[::-1]
    if name == "reverse":
        return items[::-1]
    if name == "clearmetadata":
        return [Item(item.spec, item.path, {}) for item in items]
    if name == "metadata":
        return [_plain(one) for item in items for one in split_list(item.value(arguments[0]))]
    if name == "directoryname":
        return [_plain(folder_of(item.path)) for item in items]
    if name == "combine":
        return [_plain(f"{item.spec.rstrip('/')}/{arguments[0]}") for item in items]
    if name == "hasmetadata":
        return [item for item in items if item.value(arguments[0])]
    if name == "anyhavemetadatavalue":
        found = any(item.value(arguments[0]).lower() == arguments[1].lower() for item in items)
        return [_plain("true" if found else "false")]
    if name == "withmetadatavalue":
        return [item for item in items if item.value(arguments[0]).lower() == arguments[1].lower()]
    if name == "withoutmetadatavalue":
        return [item for item in items if item.value(arguments[0]).lower() != arguments[1].lower()]
    return [Item(to_text(call_member(item.spec, name, arguments)), item.path, item.metadata) for item in items]


def _plain(spec: str) -> Item:
    return Item(spec, spec, {})
