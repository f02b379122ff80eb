"""Calls that extractors ask for, by the name that is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from codemap_core.hooks.interests import Interests
from codemap_core.hooks.matching import Names
from codemap_core.model.bound import Argument, Event, EventKind
from codemap_plugins.typescript.evaluation import Evaluation
from codemap_plugins.typescript.table import Module, Outside
from codemap_plugins.typescript.unit import NONE, Node, Op
from codemap_plugins.typescript.values import Values

_CALLEES: Final = frozenset({Op.NAME, Op.MEMBER})


class Calls:
    """Those of the files of one package."""

    def __init__(self, evaluation: Evaluation, interests: Interests) -> None:
        self._evaluation: Final = evaluation
        self._values: Final = Values(evaluation)
        self._names: Final = Names(interests.invocations)

    def of(self, module: Module, owner: Callable[[Node], str]) -> Iterator[Event]:
        """Of a file, in the order of the text. ``owner``: of a node, the id of the symbol that it stands in."""
        if self._names.is_empty:
            return
        nodes = module.unit.nodes
        for node in nodes:
            callee = nodes[node.a] if node.op is Op.CALL and node.a != NONE else None
            if callee is not None and callee.op in _CALLEES and callee.line and self._names.has(callee.name):
                yield self._event(module, node, callee, owner(callee))

    def _event(self, module: Module, call: Node, callee: Node, owner: str) -> Event:
        found = self._evaluation.named(module, call.a, ())
        return Event(
            kind=EventKind.INVOCATION,
            name=callee.name,
            target=found.symbol.id if found.symbol is not None else None,
            receiver=self._values.of(module, callee.a) if callee.op is Op.MEMBER else None,
            arguments=tuple(Argument(self._values.of(module, each)) for each in call.items),
            enclosing=owner,
            line=callee.line,
            column=callee.column,
            external=isinstance(found.meaning, Outside),
        )
