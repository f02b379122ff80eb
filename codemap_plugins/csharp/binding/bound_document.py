"""What was kept of a declaration while it was bound, and its walk: events, regions and the values of expressions as the model has them.

The objects here are made for nearly every declaration, and are gone with it without a collection of garbage: none leads back to what
holds it, and functions are handed over as methods and partials, as a closure that is compiled holds itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from codemap_core.hooks.matching import Names
from codemap_core.model import Confidence
from codemap_core.model.bound import (
    EVERYTHING,
    IN_MARKUP,
    NOWHERE,
    Argument,
    BoundAttribute,
    BoundType,
    Constant,
    Event,
    EventKind,
    Region,
    RegionKind,
    Value,
)
from codemap_plugins.csharp.binding import statements_walk
from codemap_plugins.csharp.binding.bodies_walk import BodiesWalk
from codemap_plugins.csharp.binding.bound_types import BoundTypes
from codemap_plugins.csharp.binding.bound_values import Values
from codemap_plugins.csharp.binding.happenings import Block, Happening, Part, Variable
from codemap_plugins.csharp.binding.members import Member, ParameterSymbol
from codemap_plugins.csharp.binding.recording import Recording
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.source_text import NOWHERE as NO_PLACE
from codemap_plugins.csharp.source_text import GeneratedLines, LineIndex
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import Type
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration, RootRole, TypeDeclaration

Entry = Sequence[Any]
RULE_MODULES: Final = (statements_walk,)
"""The modules whose import registers rules of the walk."""
_FUNCTIONS: Final = frozenset({RegionKind.LAMBDA, RegionKind.LOCAL_FUNCTION})
_BODIES: Final = frozenset(RootRole) - {RootRole.ATTRIBUTES, RootRole.PARAMETERS}


class Kept:
    """What binding kept of one declaration. ``declaration`` is null for the assembly's attributes; ``index``: of a member, its number in
    the file; ``throws``, ``types``, ``delegate_calls``: as recorded; ``catches``: something in it catches;
    ``documented``: the types that ``<exception>`` elements of its documentation name, each with the offset of its name."""

    __slots__ = (
        "_by_offset",
        "_walked",
        "catches",
        "declaration",
        "definition",
        "delegate_calls",
        "documented",
        "entries",
        "found",
        "index",
        "owner",
        "parameters",
        "part",
        "resolver",
        "throws",
        "types",
    )

    def __init__(
        self,
        owner: str | None,
        definition: SourceTypeDefinition | None,
        part: TypePart | None,
        index: int,
        declaration: MemberDeclaration | TypeDeclaration | None,
        entries: Sequence[Entry],
        recording: Recording,
        resolver: TypeResolver,
        parameters: Sequence[tuple[str, Type]] = (),
        documented: Sequence[Reference] = (),
    ) -> None:
        self.owner: Final = owner
        self.definition: Final = definition
        self.part: Final = part
        self.index: Final = index
        self.declaration: Final = declaration
        self.entries: Final = entries
        self.resolver: Final = resolver
        self.parameters: Final = parameters
        self.found: Final[Sequence[Reference]] = recording.references
        self.throws: Final = recording.throws
        self.types: Final = recording.types
        self.delegate_calls: Final = recording.delegate_calls
        self.catches: Final = recording.catches
        self.documented: Final = documented
        self._by_offset: dict[int, list[Reference]] | None = None
        self._walked: Walked | None = None

    @property
    def references(self) -> Mapping[int, Sequence[Reference]]:
        """By offset."""
        by_offset = self._by_offset
        if by_offset is None:
            by_offset = self._by_offset = {}
            for each in self.found:
                by_offset.setdefault(each.offset, []).append(each)
        return by_offset

    @property
    def returns(self) -> bool:
        """An initialiser, or a body that is an expression, gives a value: of a field or property, and of a method that is not ``void``."""
        if not isinstance(self.declaration, MemberDeclaration) or self.declaration.kind is DeclarationKind.CONSTANT:
            return False
        written = self.declaration.type
        return written is not None and written.text != "void"

    @property
    def bodies(self) -> list[Entry]:
        return [entry for entry in self.entries if entry[0] in _BODIES]

    def walked(
        self, around: Surroundings, first_event: int = 0, first_region: int = 0, asked: Names | None = None
    ) -> Walked:
        """Its bodies, walked once: their events and regions take the numbers from those given. ``asked``: the invocations that are kept,
        where not all are."""
        if self._walked is None:
            self._walked = Walked(self, around, first_event, first_region, asked)
        return self._walked


Attributed = Callable[[Sequence[Lowered]], tuple[BoundAttribute, ...]]
"""The attributes of a lambda or local function in a body of a declaration."""


class Surroundings:
    """What the parts of a document share while it is assembled."""

    def __init__(
        self,
        lines: LineIndex,
        constant_of: Callable[[Member], Constant | None],
        settled_of: Callable[[Member], Constant | None],
        exception_type: Callable[[], Type],
        constructors_of: Callable[[SourceTypeDefinition], Sequence[Member]],
    ) -> None:
        self.lines: Final = lines
        self.constant_of: Final = constant_of
        self.settled_of: Final = settled_of
        self.exception_type: Final = exception_type
        self.types: Final = BoundTypes()
        self._constructors_of: Final = constructors_of
        self._captured: Final[dict[SourceTypeDefinition | None, Block]] = {None: Block()}

    def captured(self, definition: SourceTypeDefinition | None) -> Block:
        """The parameters of the primary constructors of a type and the types around it, the innermost of each name."""
        known = self._captured.get(definition)
        if known is None:
            assert definition is not None
            known = self._captured[definition] = Block()
            for level in reversed(definition.enclosing):
                for member in self._constructors_of(level):
                    declaration = member.declaration
                    if declaration is None or declaration.kind is not DeclarationKind.PRIMARY_CONSTRUCTOR:
                        continue
                    for ordinal, parameter in enumerate(member.parameters):
                        name = parameter.name
                        known.variables[name] = Variable(
                            name, type_=parameter.type, ordinal=ordinal, constructor=member.symbol_id
                        )
        return known


class Walked:
    """One declaration, walked: its events and regions, and the values of its expressions. What was kept of the declaration holds it, not
    the other way round."""

    def __init__(
        self, kept: Kept, around: Surroundings, first_event: int, first_region: int, asked: Names | None
    ) -> None:
        self._owner: Final = kept.owner
        self._resolver: Final = kept.resolver
        self._throws: Final = kept.throws
        self._typed: Final = kept.types
        self._around: Final = around
        self._first_region: Final = first_region
        self._outer: Final = Block()
        for ordinal, (name, type_) in enumerate(kept.parameters):
            self._outer.variables[name] = Variable(name, type_=type_, ordinal=ordinal)
        parts: list[Part] = []
        self._walk: Final = BodiesWalk(
            kept.references, kept.types, kept.delegate_calls, kept.resolver, parts, around.exception_type
        )
        self._walk.walk(kept.bodies, self._outer, kept.returns)
        every = self._walk.happenings if asked is None else _asked_for(self._walk, asked)
        if isinstance(around.lines, GeneratedLines):  # what is added stands nowhere
            position = around.lines.position
            every = [each for each in every if position(each.offset) != NO_PLACE or each.name == IN_MARKUP]
        self._happenings: Final = sorted(every, key=lambda happening: happening.offset)
        self._numbers: Final = {each: first_event + n for n, each in enumerate(self._happenings)}
        regions = {n: first_region + n for n in range(len(parts))}
        self.values: Final = Values(
            self._walk,
            kept.resolver,
            around.types,
            around.constant_of,
            around.settled_of,
            partial(_number, self._numbers),
            regions,
            partial(around.captured, kept.definition),
        )

    def value(self, node: Lowered | None) -> Value:
        """Of an expression that stands outside bodies: an attribute's argument, an initialiser."""
        return self.values.of(node, self._outer)

    def returned(self) -> list[Value]:
        """What its bodies return, lambdas and local functions apart."""
        parts = self._walk.parts
        values = []
        for each in self._happenings:
            if each.kind is EventKind.RETURN:
                region = each.region
                while region != NOWHERE and parts[region].kind not in _FUNCTIONS:
                    region = parts[region].parent
                if region == NOWHERE:
                    values.append(self.values.of(each.arguments[0], each.block))
        return values

    def assigned(self, member_id: str) -> list[Value]:
        """What its bodies assign to a member."""
        return [
            self.values.of(each.arguments[0], each.block) if each.arguments and each.operator == "=" else Value()
            for each in self._happenings
            if each.kind is EventKind.ASSIGNMENT and each.reference is not None and each.reference.target == member_id
        ]

    def named(self, node: Lowered) -> Argument:
        """``Name = value`` among the arguments of an attribute."""
        return Argument(self.value(node[3]), node[2])

    def events(self) -> list[Event]:
        return [self._event(each) for each in self._happenings]

    def regions(self, attributed: Attributed) -> list[Region]:
        takers = self._walk.takers
        return [
            self._region(part, takers.get(number, part.happening), attributed)
            for number, part in enumerate(self._walk.parts)
        ]

    def _region(self, part: Part, happening: Happening | None, attributed: Attributed) -> Region:
        """``happening``: of a lambda, what takes it."""
        types = self._around.types
        caught = tuple(types.known(each) if each is not None else EVERYTHING for each in part.caught)
        argument = NOWHERE
        if happening is not None and part.kind is RegionKind.LAMBDA:
            argument = next((n for n, a in enumerate(happening.arguments) if _inner(a) is part.lambda_node), NOWHERE)
        line, column = self._around.lines.position(part.offset)
        line_end, column_end = self._around.lines.position(part.end) if part.end else (0, 0)
        return Region(
            kind=part.kind,
            parent=self._at(part.parent),
            line=line,
            column=column,
            line_end=line_end,
            column_end=column_end,
            name=part.name,
            attributes=attributed(part.attributes) if part.attributes else (),
            event=self._numbers.get(happening, NOWHERE) if happening is not None else NOWHERE,
            argument=argument,
            caught=caught,
            has_filter=part.has_filter,
            guards=self._at(part.guards),
        )

    def _at(self, region: int) -> int:
        return region + self._first_region if region != NOWHERE else NOWHERE

    def _event(self, happening: Happening) -> Event:
        reference = happening.reference
        use = happening.use
        line, column = self._around.lines.position(happening.offset)
        type_ = self.values.type_of(happening)
        matched = None if happening.kind is EventKind.ASSIGNMENT else use
        arguments = self.arguments(happening.arguments, matched, happening.block)
        if happening.kind is EventKind.THROW and arguments:
            value = arguments[0].value
            if (
                _inner(happening.arguments[0])[0] == Op.ASSIGN
            ):  # it has the type of what is assigned to (ECMA-334 §12.21.2)
                value = Value(alternatives=(value,))
            if value.constant is None:  # null has no type
                value = self.values.typed(value, self._throws.get(happening.offset), is_settled=True)
            arguments, type_ = (Argument(value),), value.type
        if happening.kind is EventKind.RETURN and arguments:
            arguments = (Argument(self.values.typed(arguments[0].value, self._typed.get(happening.offset))),)
        initializes = _number(self._numbers, happening.initializes) if happening.initializes is not None else NOWHERE
        return Event(
            kind=happening.kind,
            name=_name(happening, reference, type_.name if type_ is not None else ""),
            target=reference.target if reference is not None else None,
            constructor=reference.constructor if reference is not None else None,
            receiver=self.values.receiver(happening, use.receiver if use is not None else None),
            receiver_type_id=self.values.receiver_type(happening),
            arguments=arguments,
            type_arguments=self._type_arguments(happening, use),
            type=type_,
            initializes=initializes,
            operator=happening.operator,
            enclosing=self._owner,
            region=self._at(happening.region),
            line=line,
            column=column,
            line_start=line if happening.start == happening.offset else self._around.lines.line(happening.start),
            line_end=self._around.lines.line(happening.end - 1),
            in_expression=happening.in_expression,
            external=reference.external if reference is not None else False,
            is_extension=use is not None and use.found is not None and use.found.member.is_extension,
            confidence=reference.confidence if reference is not None else _confidence(happening),
            reason=reference.reason or "" if reference is not None else "",
        )

    def _type_arguments(self, happening: Happening, use: Use | None) -> tuple[BoundType, ...]:
        """Those of the method that was chosen; as written where none was."""
        types = self._around.types
        if use is not None and use.found is not None:
            return tuple(types.known(each) for each in use.method_arguments)
        return tuple(types.known(self._resolver.resolve(each[0])) for each in happening.written_types)

    def arguments(self, nodes: Sequence[Lowered], use: Use | None, block: Block | None = None) -> tuple[Argument, ...]:
        """Matched to the parameters of what was chosen (ECMA-334 §12.6.2.2)."""
        parameters = use.found.member.parameters if use is not None and use.found is not None else ()
        skipped = 1 if use is not None and use.extends else 0
        operands = use.arguments if use is not None else ()
        matched = []
        for position, node in enumerate(nodes):
            inner, name = _inner(node), node[2] if node[0] == Op.ARGUMENT else ""
            known = operands[position].expression.type if position < len(operands) else None
            ordinal = _ordinal(parameters, position + skipped, name)
            parameter = parameters[ordinal].name if ordinal != NOWHERE else name
            value = self.values.of(inner, block or self._outer, known)
            matched.append(Argument(value, parameter, ordinal))
        return tuple(matched)


def _number(numbers: Mapping[Happening, int], happening: Happening) -> int:
    """In the document; ``NOWHERE`` for one that is not kept."""
    return numbers.get(happening, NOWHERE)


def _asked_for(walk: BodiesWalk, asked: Names) -> list[Happening]:
    """Those that no name says, the invocations that are asked for with the chains they are in, and the calls that lambdas are handed to."""
    chains = {
        each.start
        for each in walk.happenings
        if each.kind is EventKind.INVOCATION and asked.has(_name(each, each.reference))
    }
    takers = {*walk.takers.values(), *(part.happening for part in walk.parts)}
    return [
        each
        for each in walk.happenings
        if each.kind is not EventKind.INVOCATION or each.start in chains or each in takers
    ]


def _confidence(happening: Happening) -> Confidence:
    """Of an event that no name names: a throw or a catch is what it is written as, a call of a delegate was bound; anything
    else was not."""
    written = happening.kind in (EventKind.THROW, EventKind.CATCH, EventKind.RETURN) or happening.name == "with"
    return Confidence.HIGH if written or happening.delegate_call is not None else Confidence.LOW


def _inner(node: Lowered) -> Lowered:
    inner: Lowered = node[4] if node[0] == Op.ARGUMENT else node
    return inner


def _ordinal(parameters: Sequence[ParameterSymbol], position: int, name: str) -> int:
    if name:
        return next((n for n, each in enumerate(parameters) if each.name == name), NOWHERE)
    if position < len(parameters):
        return position
    return len(parameters) - 1 if parameters and parameters[-1].is_params else NOWHERE


def _name(happening: Happening, reference: Reference | None, type_name: str = "") -> str:
    if happening.node[0] == Op.WITH:  # it creates what it does not name
        return happening.name
    if happening.kind in (EventKind.INVOCATION, EventKind.ELEMENT_ACCESS, EventKind.ASSIGNMENT):
        return happening.name or (reference.name if reference is not None else "")
    return type_name or (reference.name if reference is not None else happening.name)
