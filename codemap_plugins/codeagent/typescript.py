"""What a node of TypeScript says: parameters, result and accepted types from its signature, and the module that its file is.

A signature has names before types: ``async load(id: string, deep = false): Promise<Order>``. The module of a file is a symbol of kind
``module``, which owns what the file imports and its top-level code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.model.documentation_id import split_outside

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot

MODULE: Final = SymbolKind("module")
_CALLED: Final = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind("function"), SymbolKind("component")})
_TYPED: Final = frozenset({SymbolKind.PROPERTY, SymbolKind("variable")})
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"


def parameter_signature(kind: SymbolKind, signature: str) -> str:
    """``(id: string, deep = false)``; empty for what takes no parameters."""
    start, end = _parameter_list(signature) if kind in _CALLED else (0, 0)
    return signature[start:end]


def return_type(kind: SymbolKind, signature: str) -> str:
    """The type of the result, or that of a property or variable; empty where a signature says none."""
    if kind in _CALLED:
        rest = signature[_parameter_list(signature)[1] :].lstrip()
        return rest[1:].strip() if rest.startswith(":") else ""
    if kind not in _TYPED:
        return ""
    head = split_outside(signature.replace("=>", "\0"), "=")[0].replace("\0", "=>")
    _, colon, type_ = head.partition(":")
    return type_.strip() if colon else ""


def parameter_count(kind: SymbolKind, signature: str) -> int:
    inside = parameter_signature(kind, signature)[1:-1].strip()
    return len(split_outside(inside.replace("=>", ""), ",")) if inside else 0


def accepted_names(kind: SymbolKind, signature: str) -> frozenset[str]:
    """Every name that the parameters mention: types among them."""
    return frozenset(_NAME.findall(parameter_signature(kind, signature)))


def module_of(snapshot: Snapshot, path: str) -> SymbolRow | None:
    """The symbol that a file is; null for files of other languages."""
    return next((row for row in snapshot.reader.symbols_in_file(path) if row.kind == MODULE), None)


def _parameter_list(signature: str) -> tuple[int, int]:
    """Where its brackets begin and end; twice the length when there are none."""
    depth = angles = 0
    start = -1
    for position, character in enumerate(signature):
        if start < 0 and character in "<>" and signature[position - 1] != "=":
            angles += 1 if character == "<" else -1
        if angles:
            continue
        if character in _OPENING:
            if character == "(" and not depth and start < 0:
                start = position
            depth += 1
        elif character in _CLOSING:
            depth -= 1
            if not depth and start >= 0:
                return start, position + 1
    return len(signature), len(signature)
