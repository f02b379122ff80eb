"""Statements, queries and switch expressions as a walk over bodies meets them: their regions, and what they throw, catch and return."""

from __future__ import annotations

from codemap_core.model.bound import EventKind, RegionKind
from codemap_plugins.csharp.binding.bodies_walk import BodiesWalk, walks
from codemap_plugins.csharp.binding.happenings import Block, Happening, Part, Variable
from codemap_plugins.csharp.bodies import Lowered, Op


@walks(Op.RETURN)
def return_(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    if node[2] is None:
        return
    walk.happenings.append(
        Happening(EventKind.RETURN, node[1], "", node, block, region, arguments=(node[2],), end=node[3])
    )
    walk.visit(node[2], block, region)


@walks(Op.IF)
def if_(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    at = region
    for number, (_, condition, statement) in enumerate(node[2]):
        if number:  # what an earlier condition decides is the whole of the next `if`, its condition included
            at = walk.region(RegionKind.BRANCH, region, node[1])
        walk.visit(condition, block, at)
        own = walk.region(RegionKind.BRANCH, at, node[1])
        walk.visit(statement, Block(block, own), own)
    if node[3] is not None:
        own = walk.region(RegionKind.BRANCH, region, node[1])
        walk.visit(node[3], Block(block, own), own)


@walks(Op.SWITCH)
def switch(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    walk.visit(node[2], block, region)
    inner = Block(block, region)
    for _, labels, statements in node[3]:
        own = walk.region(RegionKind.BRANCH, region, node[1])
        for _, pattern, guard in labels:
            walk.visit(pattern, inner, region)
            walk.visit(guard, inner, own)
        walk.visit_all(statements, inner, own)


@walks(Op.SWITCH_EXPRESSION)
def switch_expression(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    walk.visit(node[2], block, region)
    for _, pattern, guard, result in node[3]:
        own = walk.region(RegionKind.BRANCH, region, node[1])
        arm = Block(block, own)
        walk.visit(pattern, arm, region)
        walk.visit(guard, arm, own)
        walk.visit(result, arm, own)


@walks(Op.WHILE, Op.DO)
def while_(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    own = walk.region(RegionKind.LOOP, region, node[1])
    inner = Block(block, own)
    walk.visit(node[2], inner, own)
    walk.visit(node[3], inner, own)


@walks(Op.FOR)
def for_(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    inner = Block(block, region)
    walk.visit_all(node[2], inner, region)
    own = walk.region(RegionKind.LOOP, region, node[1])
    walk.visit(node[3], inner, own)
    before = walk.write_count
    walk.visit_all(node[4], inner, own)
    walk.run_later(before)
    walk.visit(node[5], Block(inner, own), own)


@walks(Op.FOREACH)
def foreach(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    _, offset, _, written, designation, collection, body = node
    walk.visit(collection, block, region)
    own = walk.region(RegionKind.LOOP, region, offset)
    inner = Block(block, own)
    walk.designated(designation, inner, walk.written_type(written))
    walk.visit(body, inner, own)


@walks(Op.TRY)
def try_(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    _, offset, body, catches, final = node
    types = [walk.written_type(clause[3]) for clause in catches]
    end = catches[0][6] if catches else 0  # what stands between the block and the first clause is white space
    own = walk.enter(Part(RegionKind.TRY, region, offset, end, caught=types))
    walk.visit(body, Block(block, own), own)
    for clause, type_ in zip(catches, types, strict=True):
        at, name, condition, handler = clause[1], clause[2], clause[4], clause[5]
        happening = Happening(EventKind.CATCH, at, "", node, block, region, start=clause[6], end=clause[7], type_=type_)
        is_filtered = condition is not None
        caught = walk.enter(
            Part(RegionKind.CATCH, region, at, caught=(type_,), has_filter=is_filtered, guards=own, happening=happening)
        )
        inner = Block(block, caught)
        if name:
            inner.variables[name] = Variable(name, type_=type_ or walk.exception_type())
        walk.happenings.append(happening)
        walk.visit(condition, inner, caught)
        walk.visit(handler, inner, caught)
    if final is not None:
        last = walk.enter(Part(RegionKind.FINALLY, region, final[1], guards=own))
        walk.visit(final, Block(block, last), last)


@walks(Op.THROW)
def throw(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    thrown = (node[2],) if node[2] is not None else ()
    walk.happenings.append(
        Happening(
            *(EventKind.THROW, node[1], "", node, block, region),
            arguments=thrown,
            end=node[4],
            in_expression=bool(node[3]),
        )
    )
    walk.visit(node[2], block, region)


@walks(Op.USING)
def using(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    inner = Block(block, region)
    walk.visit(node[3], inner, region)
    walk.visit(node[4], inner, region)


@walks(Op.LOCK, Op.FIXED)
def locked(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    inner = Block(block, region)
    walk.visit(node[2], inner, region)
    walk.visit(node[3], inner, region)


@walks(Op.QUERY)
def query(walk: BodiesWalk, node: Lowered, block: Block, region: int) -> None:
    """Clauses after the first are functions that run for each element."""
    inner = Block(block, region)
    for clause in node[2]:
        if clause[0] in (Op.FROM, Op.LET, Op.JOIN, Op.INTO):
            inner.variables[clause[2]] = Variable(clause[2])
        walk.visit(clause, inner, region)
