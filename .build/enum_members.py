"""Members of enums as constants of the module that names them, for the sources that are compiled.

Python 3.11 looks ``Kind.MEMBER`` up through the metaclass's ``__getattr__``: each look makes and calls a wrapper, which costs more than
most of what compiled code does with the answer. A constant that is ``Final`` is a C variable. The constants stand in the line of the
import, or behind the class, that the name comes from: lines keep their numbers. What runs while a module is imported is left as it is,
and so are patterns, where a bare name would mean something else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

_BASES = frozenset({"Enum", "IntEnum", "StrEnum"})


def rewrite(root: Path, compiled: Iterable[str]) -> None:
    """The modules at these paths below ``root``, with the members of all enums of the packages there as constants."""
    enums = enum_classes(path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    for name in compiled:
        path = root / name
        path.write_text(with_member_constants(path.read_text(encoding="utf-8"), enums), encoding="utf-8")


def enum_classes(sources: Iterable[str]) -> frozenset[str]:
    """Names of the classes in ``sources`` that are enums; flags, whose members are made as they are combined, are not."""
    return frozenset(
        node.name
        for source in sources
        if "Enum" in source
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id in _BASES for base in node.bases)
    )


def with_member_constants(source: str, enums: frozenset[str]) -> str:
    """``source`` with the members of ``enums`` that its functions name as constants of the module."""
    tree = ast.parse(source)
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name in enums}
    imported = {
        alias.asname or alias.name: node
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in enums
    }
    lines = source.split("\n")
    found: dict[str, set[str]] = {}
    for use in sorted(_members_in_functions(tree), key=lambda use: (use.lineno, use.col_offset), reverse=True):
        if isinstance(use.value, ast.Name) and (use.value.id in known or use.value.id in imported):
            enum, member = use.value.id, use.attr
            found.setdefault(enum, set()).add(member)
            line = lines[use.lineno - 1].encode()
            name = f"_ENUM_{enum}_{member}".encode()
            lines[use.lineno - 1] = (line[: use.col_offset] + name + line[use.end_col_offset :]).decode()
    for enum, members in sorted(found.items()):
        constants = [f"_ENUM_{enum}_{member}: _typing.Final = {enum}.{member}" for member in sorted(members)]
        made = "; ".join(("import typing as _typing", *constants))
        if enum in imported:
            lines[(imported[enum].end_lineno or 0) - 1] += f"; {made}"
        else:  # the line behind a class is empty
            lines[known[enum].end_lineno or 0] = made
    return "\n".join(lines)


def _members_in_functions(tree: ast.Module) -> Iterator[ast.Attribute]:
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_inside = pending.pop()
        if isinstance(node, ast.pattern):
            continue
        if isinstance(node, ast.Attribute) and is_inside and node.attr.isupper() and node.lineno == node.end_lineno:
            yield node
        if isinstance(node, ast.FunctionDef):
            pending += [(each, True) for each in node.body]
            pending += [
                (each, is_inside)
                for each in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
                if each
            ]
        else:
            pending += [(each, is_inside) for each in ast.iter_child_nodes(node)]
