"""The bodies section of a unit, which ``unit.decode_roots`` reads: what a declaration holds besides its
signature, lowered, in one list for each declaration.

An entry is ``[role, index, lowered]``. ``lowered`` is one node of ``bodies``, but a list of PARAMETERs for ``RootRole.PARAMETERS`` and of
ATTRIBUTEs for ``RootRole.ATTRIBUTES``. The index of a constructor initialiser is 1 for ``base``, 0 for ``this``, with the token's byte
offset as a fourth element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from codemap_core.syntax import Node
from codemap_plugins.csharp import grammar
from codemap_plugins.csharp.bodies import Op
from codemap_plugins.csharp.lowering import lower_attributes, lower_body, lower_parameters, lower_statements
from codemap_plugins.csharp.unit import RootRole

_encoder: Final = msgspec.msgpack.Encoder()

Root: TypeAlias = tuple[RootRole, int, Node]
"""Role, index and node of what is to be lowered of a declaration."""


def encode_roots(
    source: bytes,
    declarations: Sequence[Sequence[Root]],
    rewritten: Callable[[list[Any]], list[Any]] | None = None,
) -> bytes:
    """``rewritten``: puts other nodes in the place of some of what is lowered of a declaration."""
    lowered = [_lowered(source, roots) for roots in declarations]
    return _encoder.encode(lowered if rewritten is None else [rewritten(entries) for entries in lowered])


def _lowered(source: bytes, roots: Sequence[Root]) -> list[list[Any]]:
    entries: list[list[Any]] = []
    statements: list[Node] = []
    for role, index, node in roots:
        if role is RootRole.STATEMENT:
            statements.extend(child for child in node.children if child.is_named)
        elif role is RootRole.ATTRIBUTES:
            entries.append([role.value, index, lower_attributes(node, source)])
        elif role is RootRole.PARAMETERS:
            entries.append([role.value, index, lower_parameters(node, source)])
        elif role is RootRole.CONSTRUCTOR_INITIALIZER:
            entries.extend(_initializer(source, node))
        else:
            entries.append([role.value, index, lower_body(node, source)])
    if statements:
        entries.append([RootRole.STATEMENT.value, 0, lower_statements(statements, source)])
    return entries


def _initializer(source: bytes, node: Node) -> list[list[Any]]:
    is_base, offset = 0, node.start_byte
    for child in node.children:
        if child.kind_id in (grammar.TOKEN_BASE, grammar.TOKEN_THIS):
            is_base, offset = int(child.kind_id == grammar.TOKEN_BASE), child.start_byte
        elif child.kind_id == grammar.ARGUMENT_LIST:
            return [[RootRole.CONSTRUCTOR_INITIALIZER.value, is_base, lower_body(child, source), offset]]
    return [[RootRole.CONSTRUCTOR_INITIALIZER.value, is_base, [Op.ARGUMENTS.value, offset, [], node.end_byte], offset]]
