"""What is known of the value of an expression, for extractors: texts, objects that are written out, and what names are initialised with.

A variable or property is taken for what it is initialised with, though it may be given something else later, and what is made of options
for these; what is not known is a hole in a text. Functions are told by their type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codemap_core.model.bound import BoundType, Constant, TextPart, TypeForm, Value
from codemap_core.model.special_types import TEXT_ID
from codemap_plugins.typescript.evaluation import Evaluation
from codemap_plugins.typescript.table import Module, Symbol
from codemap_plugins.typescript.unit import MAKERS, NONE, Binding, Node, Op, Space

_MOST_STEPS: Final = 256
"""Nodes that are looked at for one value: what is behind them is not known."""
_UNKNOWN: Final = Value()
_A_FUNCTION: Final = Value(type=BoundType(TypeForm.NAMED, "function"))


class Values:
    """Over the files of one package."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation: Final = evaluation
        self._left = 0

    def of(self, module: Module, at: int) -> Value:
        """Of a node."""
        self._left = _MOST_STEPS
        return self._of(module, at)

    def _of(self, module: Module, at: int) -> Value:
        self._left -= 1
        if at == NONE or self._left < 0:
            return _UNKNOWN
        node = module.unit.nodes[at]
        match node.op:
            case Op.TEXT:
                return Value(constant=Constant(TEXT_ID, node.name))
            case Op.JOINED:
                return _joined([self._of(module, each) for each in node.items])
            case Op.OBJECT:
                held = zip(_names(node), node.items, strict=True)
                return Value(members=tuple((name, self._of(module, each)) for name, each in held))
            case Op.EITHER:
                return Value(alternatives=tuple(self._of(module, each) for each in node.items))
            case Op.FUNCTION:
                return _A_FUNCTION
            case Op.NAME | Op.MEMBER | Op.CALL:
                to = self._to(module, at)
                return self._of(*to) if isinstance(to, tuple) else to
            case _:
                return _UNKNOWN

    def _to(self, module: Module, at: int) -> tuple[Module, int] | Value:
        """The initialiser that a name leads to, or the options that a call makes something of."""
        node = module.unit.nodes[at]
        if node.op is Op.CALL:
            is_made = len(node.items) == 1 and node.a != NONE and module.unit.nodes[node.a].name in MAKERS
            return (module, node.items[0]) if is_made else _UNKNOWN
        if node.op is Op.NAME:
            meant = self._evaluation.meaning(module, node.name, node.scope, Space.VALUE)
            if isinstance(meant, Binding):
                return module, meant.value
            return _initialiser(meant) if isinstance(meant, Symbol) else _UNKNOWN
        found = self._evaluation.named(module, at, ())
        if found.symbol is not None:
            return _initialiser(found.symbol)
        return self._property(module, node.a, node.name)

    def _property(self, module: Module, at: int, name: str) -> tuple[Module, int] | Value:
        """Of the object that is written out where a node leads to."""
        while at != NONE and self._left > 0:
            self._left -= 1
            node = module.unit.nodes[at]
            if node.op is Op.OBJECT:
                names = _names(node)
                return (module, node.items[names.index(name)]) if name in names else _UNKNOWN
            to = self._to(module, at) if node.op in (Op.NAME, Op.MEMBER, Op.CALL) else _UNKNOWN
            if not isinstance(to, tuple):
                return _UNKNOWN
            module, at = to
        return _UNKNOWN


def _initialiser(symbol: Symbol) -> tuple[Module, int] | Value:
    return (symbol.module, symbol.declared.value) if not symbol.declared.functions else _A_FUNCTION


def _names(node: Node) -> list[str]:
    return node.name.split("\n") if node.name else []


def _joined(values: Sequence[Value]) -> Value:
    parts: list[TextPart] = []
    for part in _parts(values):
        if part.text is not None and parts and parts[-1].text is not None:
            parts[-1] = TextPart(parts[-1].text + part.text)
        else:
            parts.append(part)
    if len(parts) == 1 and parts[0].text is not None:
        return Value(constant=Constant(TEXT_ID, parts[0].text))
    return Value(parts=tuple(parts))


def _parts(values: Sequence[Value]) -> Iterator[TextPart]:
    for each in values:
        if each.constant is not None:
            yield TextPart(str(each.constant.value))
        elif each.parts:
            yield from each.parts
        else:
            yield TextPart(hole=each)
