"""How views read as plain text: cells beside each other, symbols by short names, long lines cut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from textwrap import dedent, indent
from typing import Final

from codemap_core.model.documentation_id import is_constructor_id, parse_id, split_outside
from codemap_core.queries.names.type_spelling import as_written, parse_types

_ARITY: Final = re.compile(r"`+\d+")
_LONGEST: Final = 200
"""Characters of a value in a row of text."""
_LONGEST_SOURCE: Final = 80
"""Characters of a line of source beside a row that says its place."""
_CONFIGURED: Final = "ConfigureAwait"
_BEFORE_NAME: Final = 24
_TYPE_PARAMETERS: Final = 16
"""More than any declaration has, in practice; those beyond keep the placeholder of ids."""
_BEHIND_NAME: Final = re.compile(r"\s*(?:[({=:;]|\bwhere\b|$)")
"""What follows the name that a signature declares, and its type parameters."""
_CONSTRAINTS: Final = re.compile(r"\s+where \w+\s*:")
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_NO_MEMBER: Final = "(no member)"
"""Of what stands outside every declaration, where a row above it stands in one."""
_PARAMETER_LIST: Final = re.compile(r"(?<=[\w>])\(")
_PARAMETER: Final = re.compile(r"^(?P<before>\s*)(?P<type>\S.*?) (?P<name>@?\w+)(?P<default>\s*=.*)?$", re.DOTALL)
_SAYS_LITTLE: Final = frozenset(
    {
        *("bool", "byte", "char", "decimal", "double", "dynamic", "float", "int", "long", "nint", "nuint", "object"),
        *("sbyte", "short", "string", "uint", "ulong", "ushort"),
        *("DateOnly", "DateTime", "DateTimeOffset", "Guid", "TimeOnly", "TimeSpan", "Type", "Uri"),
    }
)
"""Types of which a parameter's name says what it is for: those of C# itself, and times and ids."""


SAME_SOURCE: Final = "(same)"
"""In place of a line of source that reads as the one in the row above."""


class NamesInFiles:
    """Names of the members that rows under one path stand in, each said where it begins to hold.

    Under ``src/Order.cs`` the member ``Order.Submit`` is ``.Submit``. A row without a name stands in the member of the row above it; the
    first one under a path stands in the type that the file is named after.
    """

    def __init__(self) -> None:
        self._path = ""
        self._above = ""

    def said(self, path: str, name: str) -> str:
        """What a row under a path says of the member called ``name``; empty for none."""
        if path != self._path:
            self._path, self._above = path, type_named_by(path)
        if name == self._above:
            return ""
        if not name and self._above == type_named_by(path):
            return ""
        self._above = name
        return name_under(path, name) or _NO_MEMBER


class SaidPlaces:
    """Places in one answer, each as short as the rows above tell: a line alone in the file that it is told from, a file's name alone where
    a row above has its path, or where it lies beside that file."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}
        """By the names of files."""

    def path(self, path: str) -> None:
        """A row has the whole path."""
        self._paths.setdefault(file_name(path), path)

    def place(self, path: str, line: int, told_from: str = "") -> str:
        """``told_from``: the path of the file that the place is told from."""
        if path == told_from:
            return f":{line}"
        name = file_name(path)
        is_first = name not in self._paths
        is_meant = self._paths.setdefault(name, path) == path
        is_beside = path.rpartition("/")[0] == told_from.rpartition("/")[0]
        return f"{name if is_meant and (is_beside or not is_first) else path}:{line}"


def file_name(path: str) -> str:
    """What stands behind the last folder."""
    return path.rpartition("/")[2]


def type_named_by(path: str) -> str:
    """The type that a file's name tells: ``Order`` for ``src/Order.cs`` and for a part of it in ``src/Order.Lines.cs``."""
    return path.rpartition("/")[2].partition(".")[0]


def name_under(path: str, name: str) -> str:
    """A short name as it is said under a path: a member of the type that the file is named after as ``.Submit``; its constructor as
    ``.Order``, since ``new Order`` would read as source; without the file's name where names begin with it.
    """
    file = path.rpartition("/")[2]
    if name.startswith(f"{file}."):
        return name[len(file) + 1 :]
    container, dot, member = name.partition(".")
    if name == f"new {type_named_by(path)}":
        return f".{type_named_by(path)}"
    return f".{member}" if dot and container == type_named_by(path) else name


def row(*cells: str) -> str:
    """Cells side by side; empty ones are left out."""
    return "  ".join(cell for cell in cells if cell)


def source_text(text: str) -> str:
    """Lines of source under the row that says their place: each begins with a tab, with which no other line of an answer does, so that
    what they say is not taken for what the answer says. The indentation that all of them share is left out."""
    return indent(dedent(text), "\t")


def line_range(first: int, last: int | None) -> str:
    """``47``, or ``47–53``."""
    return f"{first}" if last is None or last == first else f"{first}–{last}"


def one_line(text: str) -> str:
    """A text whose line breaks are written as C# escapes them."""
    return text.replace("\r", "\\r").replace("\n", "\\n") if "\n" in text or "\r" in text else text


def clipped(text: str, longest: int = _LONGEST) -> str:
    """One line of it, cut where it is long."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def from_difference(older: str, newer: str) -> tuple[str, str]:
    """Two texts, each one line; if either is too long to be shown whole, both from shortly before where they begin to differ."""
    lines = one_line(older), one_line(newer)
    same = (nth for nth, (one, other) in enumerate(zip(*lines, strict=False)) if one != other)
    start = next(same, 0) - _BEFORE_NAME
    if start > 0 and max(map(len, lines)) > _LONGEST:
        lines = f"…{lines[0][start:]}", f"…{lines[1][start:]}"
    return clipped(lines[0]), clipped(lines[1])


def around(text: str, name: str) -> str:
    """A line of source, without what awaits a task in another context; of a long one the part that begins shortly before a name."""
    if name != _CONFIGURED:
        text = text.replace(f".{_CONFIGURED}(false)", "")
    if len(text) <= _LONGEST_SOURCE:
        return text
    start = max(0, text.find(name) - _BEFORE_NAME)
    return clipped(f"…{text[start:].lstrip()}" if start else text, _LONGEST_SOURCE)


def short_name(symbol_id: str) -> str:
    """Type and member of a documentation-comment id, or the type alone, as ``symbol`` accepts it: ``Order.Submit``; a constructor is
    ``Order.Order``, an explicit implementation ``Order.IComparable.CompareTo``. Where the namespace is the path of a file, all from the
    file's name on: ``order.ts.Order.submit``."""
    kind, _, bare = symbol_id.partition(":")
    bare = _ARITY.sub("", bare.partition("(")[0].partition("~")[0])
    if "#" in bare and "/" not in bare and (explicit := parse_id(symbol_id)).interface:
        return ".".join((explicit.parts[-2].name, explicit.interface[-1].name, explicit.name))
    bare = bare.replace("#", ".").rstrip(".")
    folder, _, bare = bare.rpartition("/")
    parts = [part for part in bare.split(".") if part]
    if parts[-1:] in (["ctor"], ["cctor"]):
        parts[-1] = parts[-2]
    return ".".join(parts if folder else parts[-1:] if kind in ("T", "!") else parts[-2:])


def called_name(symbol_id: str) -> str:
    """As ``short_name``, where what runs is meant rather than what is named: a constructor is ``new Order``."""
    name = short_name(symbol_id)
    return f"new {name.rpartition('.')[2]}" if is_constructor_id(symbol_id) else name


def overload_name(symbol_id: str) -> str:
    """As ``called_name``, with what tells overloads apart: ``Order.Add<T>(T, int)``. Type parameters are called ``T``, ``T1`` and so on."""
    parsed = parse_id(symbol_id)
    types = parse_types(",".join(parsed.parameters or ()))
    if types is None or (parsed.prefix != "M" and not types):
        return called_name(symbol_id)
    named = ["T", *(f"T{n}" for n in range(1, _TYPE_PARAMETERS))]
    placeholders = {f"{mark}{n}": name for mark in ("`", "``") for n, name in enumerate(named)}
    arity = parsed.parts[-1].arity
    own = f"<{', '.join(named[:arity])}>" if arity else ""
    return f"{called_name(symbol_id)}{own}({', '.join(as_written(each, placeholders) for each in types)})"


def named(signature: str, name: str) -> str:
    """A signature that names what it declares as ``name`` does, so that this need not stand beside it: ``int Order.Count(string text)``.
    Where the signature does not have the last part of the name by itself, both, side by side."""
    simple = name.rpartition(".")[2]
    found = declared_name(signature, simple) if simple.isidentifier() else None
    if found is None:
        return row(name, signature)
    return f"{signature[: found.start()]}{name}{signature[found.end() :]}"


def declared_name(signature: str, name: str) -> re.Match[str] | None:
    """Where a signature has the simple name of what it declares: outside all brackets, so not in the tuple of a result's type."""
    for found in re.finditer(rf"(?<![\w.@]){re.escape(name)}(?!\w)", signature):
        before, behind = signature[: found.start()], signature[found.end() :]
        if not _open_brackets(before) and _BEHIND_NAME.match(_without_type_parameters(behind)):
            return found
    return None


def _open_brackets(text: str) -> int:
    return sum(text.count(each) for each in "<([{") - sum(text.count(each) for each in ">)]}")


def _without_type_parameters(text: str) -> str:
    """What follows a name, without the type parameters that it begins with."""
    if not text.startswith("<"):
        return text
    ends = (place for place, each in enumerate(text, start=1) if each == ">" and not _open_brackets(text[:place]))
    return text[next(ends, 0) :]


def without_constraints(signature: str) -> str:
    """A signature without what its type parameters have to be: ``void Add<T>(T item) where T : Item`` is ``void Add<T>(T item)``."""
    found = (each.start() for each in _CONSTRAINTS.finditer(signature) if not _open_brackets(signature[: each.start()]))
    return signature[: next(found, len(signature))]


def without_obvious_names(signature: str) -> str:
    """A signature whose parameters have no names where their types tell enough: ``Pay(IOrder order, int n)`` is ``Pay(IOrder, int n)``.
    Names stay where a type stands twice, and where it, or its last type argument, says little: ``string``, ``Guid``."""
    found = _PARAMETER_LIST.search(signature)
    if found is None:
        return signature
    behind = _behind_list(signature, found.end())
    parts = split_outside(signature[found.end() : behind], ",")
    parameters = [_PARAMETER.match(each) for each in parts]
    types = Counter(each["type"] for each in parameters if each)
    said = [
        f"{each['before']}{each['type']}{each['default'] or ''}"
        if each
        and types[each["type"]] == 1
        and _words(each["type"])[-1:]
        and _words(each["type"])[-1] not in _SAYS_LITTLE
        else part
        for part, each in zip(parts, parameters, strict=True)
    ]
    return f"{signature[: found.end()]}{','.join(said)}{signature[behind:]}"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _behind_list(signature: str, start: int) -> int:
    """Where the list that begins at ``start`` ends."""
    depth = 1
    for place in range(start, len(signature)):
        depth += {"(": 1, ")": -1}.get(signature[place], 0)
        if not depth:
            return place
    return len(signature)


def told_apart(names: Sequence[tuple[str, bool]]) -> list[str]:
    """Readable names, each with whether it is a type's, as short as they differ: ``Order``, or ``Shop.Order`` beside ``Bar.Order``."""
    short = [shortened(name, is_type=is_type) for name, is_type in names]
    parts = [name.split(".") for name, _ in names]
    told = []
    for nth, name in enumerate(short):
        others = {names[other][0] for other, same in enumerate(short) if same == name} - {names[nth][0]}
        count = name.count(".") + 1
        while others and count < len(parts[nth]):
            count += 1
            tail = "." + ".".join(parts[nth][-count:])
            others = {each for each in others if f".{each}".endswith(tail)}
            name = tail[1:]
        told.append(name)
    return told


def shortened(qualified_name: str, *, is_type: bool) -> str:
    """The same of a readable name: ``Shop.Ordering.Order<T>.Submit`` is ``Order.Submit``."""
    while (bare := _TYPE_ARGUMENTS.sub("", qualified_name)) != qualified_name:
        qualified_name = bare
    return ".".join(bare.split(".")[-1 if is_type else -2 :])
