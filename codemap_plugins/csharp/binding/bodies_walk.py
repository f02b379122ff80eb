"""What a declaration's bodies do, in source order: events, the regions they stand in, and the variables they use.

A walk over lowered bodies after they were bound. What a name means was settled by the binder, whose references are looked up by offset,
so what was bound speculatively and given up leaves no trace. Nothing is bound here. ``bound_values`` says what expressions are worth.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from codemap_core.model import RefKind
from codemap_core.model.bound import NOWHERE, EventKind, RegionKind
from codemap_plugins.csharp.binding.happenings import Block, Happening, Part, Variable, Write
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.bodies import LocalFlag, Lowered, Op, beginning, last_name, type_arguments
from codemap_plugins.csharp.bodies import RefKind as PassedBy
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import Type
from codemap_plugins.csharp.unit import RootRole

_INITIAL_VALUE: Final = (RootRole.INITIALIZER, 0)
_CONSTANT: Final = int(LocalFlag.CONST)
_CONDITIONAL_OPERATORS: Final = frozenset({"??", "&&", "||"})
_CALLS: Final = (RefKind.CALL,)
_ACCESSES: Final = (RefKind.READ, RefKind.WRITE)
_ASSIGNED: Final = (RefKind.WRITE, RefKind.EVENT_SUBSCRIBE)
_CREATED: Final = (RefKind.INSTANTIATE,)
_INITIALIZED: Final = (RefKind.CTOR_INITIALIZER,)
_LAYOUTS: Final = {op.value: op.layout for op in Op}
_LEAVES: Final = frozenset(
    {
        *(Op.NAME.value, Op.GENERIC_NAME.value, Op.ALIAS_NAME.value, Op.THIS.value, Op.BASE.value, Op.TYPE.value),
        *(Op.LITERAL.value, Op.NAMEOF.value, Op.DEFAULT.value, Op.TYPEOF.value, Op.SIZEOF.value, Op.ATTRIBUTE.value),
        *(Op.SUPPRESS.value, Op.MEMBER.value, Op.DISCARD.value, Op.VARIABLE.value),
    }
)


class BodiesWalk:
    """Walks the roots of one declaration. ``references``: those bound in it, by offset; ``types`` and ``delegate_calls``: as its recording
    has them. ``at``: events by the offset of what names them
    (the invoked name, ``new``, ``[``)."""

    def __init__(
        self,
        references: Mapping[int, Sequence[Reference]],
        types: Mapping[int, Type],
        delegate_calls: Mapping[int, Use],
        resolver: TypeResolver,
        parts: list[Part],
        exception_type: Callable[[], Type],
    ) -> None:
        self._references: Final = references
        self._types: Final = types
        self._delegate_calls: Final = delegate_calls
        self._resolver: Final = resolver
        self.exception_type: Final = exception_type
        self.parts: Final = parts
        self.happenings: Final[list[Happening]] = []
        self.at: Final[dict[int, Happening]] = {}
        self.functions: Final[dict[int, int]] = {}
        """Regions of lambdas by the offset of their arrow."""
        self.takers: Final[dict[int, Happening]] = {}
        """By the region of a lambda, what it is handed to."""
        self._written: Final[list[tuple[str, Write]]] = []
        """Writes of variables, by name."""
        self._writes: Final[dict[Variable, list[Write]]] = {}

    def walk(self, roots: Sequence[Sequence[Any]], outer: Block, returns: bool) -> None:
        """``outer`` holds the declaration's parameters. ``returns``: it gives its initial value, or a body that is an expression."""
        for entry in roots:
            role, lowered = entry[0], entry[2]
            if role in (RootRole.ATTRIBUTES, RootRole.PARAMETERS):
                continue
            if role in (RootRole.CONSTRUCTOR_INITIALIZER, RootRole.BASE_ARGUMENTS):
                self._constructor_initializer(entry, outer)
                continue
            inner = Block(outer)
            if role in (RootRole.SET, RootRole.ADD, RootRole.REMOVE):
                inner.variables["value"] = Variable("value")
            elif role == RootRole.GET or (returns and (role == RootRole.BODY or (role, entry[1]) == _INITIAL_VALUE)):
                self._returned(lowered, inner, NOWHERE)
            self.visit(lowered, inner, NOWHERE)
        for name, write in self._written:
            variable = write.block.find(name)
            if variable is not None:
                insort(self._writes.setdefault(variable, []), write, key=lambda each: each.offset)

    def writes_of(self, variable: Variable) -> Sequence[Write]:
        """In the order of the text; known when all has been walked."""
        return self._writes.get(variable, ())

    @property
    def write_count(self) -> int:
        return len(self._written)

    def run_later(self, first: int) -> None:
        """What was written from the number ``first`` on runs after what stands behind it, if at all."""
        self._written[first:] = [(name, write.seen(False)) for name, write in self._written[first:]]

    def reference(self, offset: int, kinds: Sequence[RefKind]) -> Reference | None:
        """The reference there, a resolved one first."""
        found: Reference | None = None
        for each in self._references.get(offset, ()):
            if each.kind in kinds and (found is None or (found.target is None and each.target is not None)):
                found = each
        return found

    # Nodes

    def visit(self, node: Lowered | None, block: Block, region: int) -> None:
        if node is None:
            return
        op = node[0]
        if op in _LEAVES:
            return
        rule = _RULES.get(op)
        if rule is not None:
            rule(self, node, block, region)
            return
        for at, letter in enumerate(_LAYOUTS[op], 1):
            if letter == "x":
                self.visit(node[at], block, region)
            elif letter == "X":
                for each in node[at] or ():
                    self.visit(each, block, region)

    def visit_all(self, nodes: Sequence[Lowered] | None, block: Block, region: int) -> None:
        for each in nodes or ():
            self.visit(each, block, region)

    def region(self, kind: RegionKind, parent: int, offset: int) -> int:
        return self.enter(Part(kind, parent, offset))

    def enter(self, part: Part) -> int:
        """A region more; its number."""
        self.parts.append(part)
        return len(self.parts) - 1

    def _record(self, happening: Happening) -> Happening:
        self.happenings.append(happening)
        self.at.setdefault(happening.offset, happening)
        return happening

    def _block(self, node: Lowered, block: Block, region: int) -> None:
        self.visit_all(node[2], Block(block, region), region)

    def _chain(self, node: Lowered, block: Block, region: int) -> None:
        head, links = node[1], node[2]
        self.visit(head, block, region)
        for index, link in enumerate(links):
            op = link[0]
            if op == Op.CALL:
                before = links[index - 1] if index else head
                is_named = before is not None and before[0] in (Op.MEMBER, Op.NAME, Op.GENERIC_NAME, Op.ALIAS_NAME)
                offset = (before[3] if before[0] == Op.ALIAS_NAME else before[1]) if is_named else link[1]
                name = (before[4] if before[0] == Op.ALIAS_NAME else before[2]) if is_named else ""
                links_before = index - 1 if is_named else index
                happening = Happening(
                    EventKind.INVOCATION,
                    offset,
                    name,
                    node,
                    block,
                    region,
                    links_before,
                    reference=self.reference(offset, _CALLS),
                    delegate_call=self._delegate_calls.get(link[1]),
                    arguments=link[2],
                    start=node[3],
                    end=link[3],
                    written_types=type_arguments(before),
                )
                self._record(happening)
                self._arguments(happening, link[2], block, region)
            elif op == Op.INDEX:
                happening = Happening(
                    EventKind.ELEMENT_ACCESS,
                    link[1],
                    "this[]",
                    node,
                    block,
                    region,
                    index,
                    reference=self.reference(link[1], _ACCESSES),
                    arguments=link[2],
                    start=node[3],
                    end=link[4],
                )
                self._record(happening)
                self._arguments(happening, link[2], block, region)

    def _arguments(self, happening: Happening, nodes: Sequence[Lowered] | None, block: Block, region: int) -> None:
        for node in nodes or ():
            inner = node
            if node[0] == Op.ARGUMENT:
                inner = node[4]
                if node[3] in (PassedBy.REF, PassedBy.OUT):
                    self._passed(inner, block, region)
            self.visit(inner, block, region)
            self._takes(happening, inner)

    def _passed(self, node: Lowered | None, block: Block, region: int) -> None:
        """What is passed by reference may be written to; ``out var x`` declares."""
        if node is None:
            return
        if node[0] == Op.NAME:
            self._written.append((node[2], Write(node[1], block, region, None, "")))
        elif node[0] == Op.DECLARATION:
            block.variables[node[2]] = Variable(node[2], type_=self.written_type(node[3]) or self._types.get(node[1]))

    def _takes(self, happening: Happening, node: Lowered | None) -> None:
        """A lambda that is an argument belongs to what takes it."""
        if node is not None and node[0] == Op.LAMBDA and node[1] in self.functions:
            self.takers[self.functions[node[1]]] = happening

    def _new(self, node: Lowered, block: Block, region: int) -> None:
        targeted = node[0] == Op.NEW_TARGET_TYPED
        arguments, initializer = (node[2], node[3]) if targeted else (node[3], node[4])
        reference: Reference | None = None
        for offset in (node[1],) if targeted else node[2][1:]:
            reference = self.reference(offset, _CREATED) or reference
        happening = Happening(
            EventKind.CREATION,
            node[1],
            "",
            node,
            block,
            region,
            reference=reference,
            arguments=arguments or (),
            end=node[-1],
            type_=None if targeted else self.written_type(node[2]),
        )
        self._record(happening)
        self._arguments(happening, arguments, block, region)
        self._initializer(happening, initializer, block, region)

    def _initializer(self, created: Happening, node: Lowered | None, block: Block, region: int) -> None:
        if node is None:
            return
        for element in node[2]:
            if element[0] == Op.MEMBER_INITIALIZER:
                offset, name, inner = element[1], element[2], element[3]
                is_nested = inner is not None and inner[0] == Op.INITIALIZER
                happening = Happening(
                    EventKind.ASSIGNMENT,
                    offset,
                    name,
                    element,
                    block,
                    region,
                    reference=self.reference(offset, _ASSIGNED),
                    arguments=() if inner is None or is_nested else (inner,),
                    end=element[4],
                    operator="=",
                    initializes=created,
                )
                self._record(happening)
                if is_nested:
                    self._initializer(happening, inner, block, region)
                else:
                    self.visit(inner, block, region)
                    self._takes(happening, inner)
            elif element[0] == Op.INITIALIZER:
                self.visit_all(element[2], block, region)
            else:
                self.visit(element, block, region)

    def _with(self, node: Lowered, block: Block, region: int) -> None:
        """Its result has the type of what is copied (ECMA-334, with expressions of C# 9)."""
        self.visit(node[2], block, region)
        happening = Happening(
            EventKind.CREATION,
            node[1],
            "with",
            node,
            block,
            region,
            start=node[4],
            end=node[5],
            type_=self._types.get(node[1]),
        )
        self._record(happening)
        self._initializer(happening, [Op.INITIALIZER.value, node[1], node[3]], block, region)

    def _constructor_initializer(self, entry: Sequence[Any], outer: Block) -> None:
        """``: base(…)`` and ``: this(…)``, and the arguments of a primary constructor's base: an invocation of the constructor."""
        role, is_base, lowered = entry[0], entry[1], entry[2]
        offset = lowered[1] if role == RootRole.BASE_ARGUMENTS else entry[3]
        name = "base" if is_base or role == RootRole.BASE_ARGUMENTS else "this"
        reference = self.reference(offset, _INITIALIZED)
        arguments, end = lowered[2], lowered[3]
        happening = Happening(
            EventKind.INVOCATION, offset, name, lowered, outer, NOWHERE, 0, reference, arguments, end=end
        )
        self._record(happening)
        self._arguments(happening, lowered[2], Block(outer), NOWHERE)

    def _assign(self, node: Lowered, block: Block, region: int) -> None:
        offset, sign, target, source = node[1], node[2], node[3], node[4]
        if target is not None and target[0] == Op.NAME and block.find(target[2]) is not None:
            self._written.append((target[2], Write(node[6], block, region, source, sign)))
        happening = self._assigned(node, node, target, source, block, region)
        self._deconstructed(node, target, source, block, region)
        self.visit(target, block, region)
        self.visit(source, block, self.region(RegionKind.BRANCH, region, offset) if sign == "??=" else region)
        if happening is not None:
            self._takes(happening, source)

    def _assigned(
        self,
        whole: Lowered,
        node: Lowered,
        target: Lowered | None,
        source: Lowered | None,
        block: Block,
        region: int,
    ) -> Happening | None:
        """``whole``: the assignment; ``node``: it, or the element of a tuple on its left that is assigned to."""
        named = last_name(target)
        reference = self.reference(named[0], _ASSIGNED) if named is not None else None
        if named is None or reference is None:
            return None
        happening = Happening(
            EventKind.ASSIGNMENT,
            named[0],
            named[1],
            node,
            block,
            region,
            len(target[2]) - 1 if target is not None and target[0] == Op.CHAIN else NOWHERE,
            reference,
            (source,) if source is not None else (),
            start=whole[5],
            end=whole[6],
            operator=whole[2],
        )
        return self._record(happening)

    def _deconstructed(
        self, whole: Lowered, target: Lowered | None, source: Lowered | None, block: Block, region: int
    ) -> None:
        """The elements of a tuple that is assigned to (ECMA-334 §12.7); of a tuple that is written out each is given its own element."""
        if target is None or target[0] != Op.TUPLE:
            return
        given = [_inner(each) for each in source[2]] if source is not None and source[0] == Op.TUPLE else []
        for position, each in enumerate(target[2]):
            inner = _inner(each)
            if inner is None:
                continue
            value = given[position] if position < len(given) else None
            self._assigned(whole, inner, inner, value, block, region)
            if inner[0] == Op.NAME:
                self._written.append((inner[2], Write(inner[1], block, region, None, "")))
            elif inner[0] == Op.DECLARATION:
                block.variables[inner[2]] = Variable(inner[2], type_=self.written_type(inner[3]))
            self._deconstructed(whole, inner, value, block, region)

    def _step(self, node: Lowered, block: Block, region: int) -> None:
        """``++`` and ``--``, and other operators of one operand."""
        if node[2] in ("++", "--", "&") and node[3] is not None and node[3][0] == Op.NAME:
            self._written.append((node[3][2], Write(node[3][1], block, region, None, "")))
        self.visit(node[3], block, region)

    def _local(self, node: Lowered, block: Block, region: int) -> None:
        type_ = self.written_type(node[2])
        is_constant = bool(node[1] & _CONSTANT)
        for _, _, name, initial in node[3]:
            block.variables[name] = Variable(name, initial, type_, is_constant=is_constant, is_unset=initial is None)
            self.visit(initial, block, region)

    def _local_deconstruction(self, node: Lowered, block: Block, region: int) -> None:
        self.visit(node[4], block, region)
        self.designated(node[3], block)

    def _list_pattern(self, node: Lowered, block: Block, region: int) -> None:
        self.visit_all(node[2], block, region)
        self.designated(node[3], block)

    def designated(self, node: Lowered | None, block: Block, type_: Type | None = None) -> None:
        """Variables that patterns and designations declare."""
        if node is None:
            return
        if node[0] == Op.VARIABLE:
            block.variables[node[2]] = Variable(node[2], type_=type_ or self._types.get(node[1]))
        elif node[0] == Op.DECONSTRUCTION:
            for each in node[2]:
                self.designated(each, block)

    def _pattern(self, node: Lowered, block: Block, region: int) -> None:
        type_ = self.written_type(node[1])
        self.designated(node[2], block, type_)

    def _recursive_pattern(self, node: Lowered, block: Block, region: int) -> None:
        self.visit_all(node[3], block, region)
        self.visit_all(node[4], block, region)
        self.designated(node[5], block, self.written_type(node[2]))

    def written_type(self, written: Sequence[Any] | None) -> Type | None:
        if written is None or not written[0] or written[0] == "var":
            return None
        return self._resolver.resolve(written[0])

    def _lambda(self, node: Lowered, block: Block, region: int) -> None:
        _, offset, _, parameters, _, body, attributes = node
        own = self.enter(Part(RegionKind.LAMBDA, region, offset, attributes=attributes, lambda_node=node))
        self.functions[offset] = own
        self._function_body(parameters, body, block, own)

    def _local_function(self, node: Lowered, block: Block, region: int) -> None:
        own = self.enter(Part(RegionKind.LOCAL_FUNCTION, region, node[1], name=node[2], attributes=node[9]))
        block.functions[node[2]] = own
        self._function_body(node[6], node[8], block, own)

    def _function_body(self, parameters: Sequence[Lowered], body: Lowered | None, block: Block, region: int) -> None:
        inner = Block(block, region)
        for ordinal, parameter in enumerate(parameters):
            name = parameter[2]
            inner.variables[name] = Variable(
                name, type_=self.written_type(parameter[3]), ordinal=ordinal, region=region
            )
        self._returned(body, inner, region)
        self.visit(body, inner, region)

    def _returned(self, body: Lowered | None, block: Block, region: int) -> None:
        """A body that is an expression gives its value."""
        if body is None or body[0] in (Op.BLOCK, Op.THROW):
            return
        self.happenings.append(Happening(EventKind.RETURN, beginning(body), "", body, block, region, arguments=(body,)))

    def _binary(self, node: Lowered, block: Block, region: int) -> None:
        self.visit(node[1], block, region)
        for operand in node[2]:
            _, offset, sign, right = operand
            at = self.region(RegionKind.BRANCH, region, offset) if sign in _CONDITIONAL_OPERATORS else region
            self.visit(right, block, at)

    def _conditional(self, node: Lowered, block: Block, region: int) -> None:
        _, offset, condition, first, second = node
        self.visit(condition, block, region)
        for arm in (first, second):
            self.visit(arm, block, self.region(RegionKind.BRANCH, region, offset))

    def _argument(self, node: Lowered, block: Block, region: int) -> None:
        if node[3] in (PassedBy.REF, PassedBy.OUT):
            self._passed(node[4], block, region)
        self.visit(node[4], block, region)


def _inner(node: Lowered) -> Lowered | None:
    inner: Lowered | None = node[4] if node[0] == Op.ARGUMENT else node
    return inner


Rule = Callable[[BodiesWalk, Lowered, Block, int], None]
_RULES: Final[dict[int, Rule]] = {
    Op.ARGUMENT.value: BodiesWalk._argument,
    Op.ASSIGN.value: BodiesWalk._assign,
    Op.BINARY.value: BodiesWalk._binary,
    Op.BLOCK.value: BodiesWalk._block,
    Op.CHAIN.value: BodiesWalk._chain,
    Op.CONDITIONAL.value: BodiesWalk._conditional,
    Op.DECLARATION_PATTERN.value: BodiesWalk._pattern,
    Op.LAMBDA.value: BodiesWalk._lambda,
    Op.LIST_PATTERN.value: BodiesWalk._list_pattern,
    Op.LOCAL.value: BodiesWalk._local,
    Op.LOCAL_DECONSTRUCTION.value: BodiesWalk._local_deconstruction,
    Op.LOCAL_FUNCTION.value: BodiesWalk._local_function,
    Op.NEW.value: BodiesWalk._new,
    Op.NEW_TARGET_TYPED.value: BodiesWalk._new,
    Op.POSTFIX.value: BodiesWalk._step,
    Op.RECURSIVE_PATTERN.value: BodiesWalk._recursive_pattern,
    Op.UNARY.value: BodiesWalk._step,
    Op.WITH.value: BodiesWalk._with,
}


def walks(*ops: Op) -> Callable[[Rule], Rule]:
    """Registers the rule of further nodes."""

    def register(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys([op.value for op in ops], rule))
        return rule

    return register
