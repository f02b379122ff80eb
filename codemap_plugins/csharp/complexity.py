"""How hard the members of a file are to follow, read off their lowered bodies.

Cyclomatic complexity (McCabe): 1, and 1 for each decision: ``if``, loop, ``case`` and arm that is not the default, ``catch``,
``?:``, ``&&``, ``||``, ``??``, ``??=``, ``when``, and each ``and`` or ``or`` of a pattern. Cognitive complexity (Campbell,
SonarSource): 1 for each break in the linear flow (``if``, ``else``, loop, ``switch``, ``catch``, ``?:``, ``goto case``, a run of
equal logical operators), and 1 more for each level of nesting around those that nest; recursion is not counted. Lambdas and local
functions count with the member that contains them, and nest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.hooks.contracts import MemberComplexity
from codemap_plugins.csharp.bodies import Lowered, Op, children_of_node
from codemap_plugins.csharp.unit import RootRole, decode_members, decode_outline, decode_roots, encoded_bodies

_CODE: Final = frozenset(
    {
        *(RootRole.BODY.value, RootRole.GET.value, RootRole.SET.value, RootRole.ADD.value, RootRole.REMOVE.value),
        *(RootRole.INITIALIZER.value, RootRole.CONSTRUCTOR_INITIALIZER.value, RootRole.STATEMENT.value),
    }
)
_LOOPS: Final = frozenset({Op.WHILE.value, Op.DO.value, Op.FOR.value, Op.FOREACH.value})
_FUNCTIONS: Final = frozenset({Op.LAMBDA.value, Op.LOCAL_FUNCTION.value})
_LOGICAL: Final = frozenset({"&&", "||"})
_DECIDING: Final = frozenset({*_LOGICAL, "??"})


def complexities(unit: bytes) -> Iterator[MemberComplexity]:
    """Of every member with code, in order."""
    lines = decode_outline(unit).lines.index()
    roots = decode_roots(encoded_bodies(unit))
    for member in decode_members(unit).declarations:
        code = [entry[2] for entry in roots[member.body] if entry[0] in _CODE] if member.body >= 0 else []
        if not code:
            continue
        measured = _Measured()
        for node in code:
            measured.add(node)
        line, column = lines.position(member.name_offset)
        yield MemberComplexity(line, column, measured.cyclomatic, measured.cognitive)


class _Measured:
    def __init__(self) -> None:
        self.cyclomatic = 1
        self.cognitive = 0

    def add(self, root: Lowered) -> None:
        stack = [(root, 0)]
        while stack:
            node, nesting = stack.pop()
            stack += self._visit(node, nesting)

    def _visit(self, node: Lowered, nesting: int) -> list[tuple[Lowered, int]]:
        """Counts a node itself; the nodes below it, with their nesting."""
        op = node[0]
        if op == Op.IF:
            return self._if(node, nesting)
        if op in _LOOPS or op in (Op.CONDITIONAL, Op.CATCH):
            self.cyclomatic += 1
            self.cognitive += 1 + nesting
            if op == Op.CATCH and node[4] is not None:
                self.cyclomatic += 1
            return [(child, nesting + 1) for child in children_of_node(node)]
        if op in (Op.SWITCH, Op.SWITCH_EXPRESSION):
            self.cognitive += 1 + nesting
            return [(node[2], nesting), *((child, nesting + 1) for child in node[3])]
        if op == Op.LABEL:
            self.cyclomatic += int(node[1] is not None) + int(node[2] is not None)
        elif op == Op.ARM:
            self.cyclomatic += int(node[1][0] != Op.DISCARD) + int(node[2] is not None)
        elif op == Op.BINARY:
            self._binary(node)
        elif op == Op.ASSIGN:
            self.cyclomatic += int(node[2] == "??=")
        elif op in (Op.AND_PATTERN, Op.OR_PATTERN):
            self.cyclomatic += len(node[1]) - 1
            self.cognitive += 1
        elif op == Op.GOTO_CASE:
            self.cognitive += 1
        inner = nesting + 1 if op in _FUNCTIONS else nesting
        return [(child, inner) for child in children_of_node(node)]

    def _if(self, node: Lowered, nesting: int) -> list[tuple[Lowered, int]]:
        branches, otherwise = node[2], node[3]
        self.cyclomatic += len(branches)
        self.cognitive += nesting + len(branches) + int(otherwise is not None)
        below = [(otherwise, nesting + 1)] if otherwise is not None else []
        for branch in branches:
            below += [(branch[1], nesting), (branch[2], nesting + 1)]
        return [(child, depth) for child, depth in below if child is not None]

    def _binary(self, node: Lowered) -> None:
        before = ""
        for operand in node[2]:
            operator = operand[2]
            self.cyclomatic += int(operator in _DECIDING)
            self.cognitive += int(operator in _LOGICAL and operator != before)
            before = operator
