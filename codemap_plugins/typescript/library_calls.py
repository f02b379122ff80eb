"""Functions of libraries that give an instance of the class that they are handed. A library has no source here, so what following values
needs of it is said in a table; everything else of it stays unknown.

Angular: ``inject<T>(token: ProviderToken<T>): T``, and ``TestBed.inject`` alike, where a class is a token of its own instances
(https://angular.dev/api/core/inject).
"""

from __future__ import annotations

from typing import Final

from codemap_plugins.typescript.table import Module
from codemap_plugins.typescript.unit import NONE, Binding, BindingKind, Node, Op, Space

_GIVES_INSTANCE: Final = frozenset({("@angular/core", "inject"), ("@angular/core", "TestBed", "inject")})
"""The specifier and the name that are imported, then the member that is called."""


def gives_instance(module: Module, callee: int) -> bool:
    """Whether calling a node gives an instance of the class that is the first argument."""
    members: list[str] = []
    node = module.unit.nodes[callee] if callee != NONE else None
    while node is not None and node.op is Op.MEMBER and node.a != NONE:
        members.insert(0, node.name)
        node = module.unit.nodes[node.a]
    return node is not None and (*_imported(module, node), *members) in _GIVES_INSTANCE


def _imported(module: Module, node: Node) -> tuple[str, ...]:
    """The specifier and the name that the name of a node imports; empty where it does not."""
    bound = module.bound(node.name, node.scope, Space.VALUE) if node.op is Op.NAME else None
    if not isinstance(bound, Binding) or bound.kind is not BindingKind.IMPORT:
        return ()
    imported = module.unit.imports[bound.of]
    return imported.specifier, imported.name
