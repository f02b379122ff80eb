"""Object, array, anonymous-object and collection creation, initialisers and ``with`` (ECMA-334 §12.8.17, C# 12)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from codemap_core.model import Confidence, RefKind, SymbolKind, UnresolvedReason, Visibility
from codemap_plugins.csharp.binding.binder import Binder, binds, settles
from codemap_plugins.csharp.binding.bound_expressions import (
    UNKNOWN_VALUE,
    BoundCollection,
    BoundTuple,
    BoundValue,
    UnboundNew,
    in_doubt,
    value,
    value_from,
)
from codemap_plugins.csharp.binding.collection_types import collection_element
from codemap_plugins.csharp.binding.deconstruction import deconstructed
from codemap_plugins.csharp.binding.doubt import chosen_in_doubt, is_sure
from codemap_plugins.csharp.binding.enumeration import element_type
from codemap_plugins.csharp.binding.locals import LocalScope, variable
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.member_access import extension_property, simple_name, tuple_element
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.binding.recording import Recording
from codemap_plugins.csharp.binding.reference import Reference, Use
from codemap_plugins.csharp.binding.resolution import Contest
from codemap_plugins.csharp.binding.special_types import nullable_element, tuple_elements
from codemap_plugins.csharp.binding.usage import Usage
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    ErrorType,
    NamedType,
    Type,
    TypeDefinition,
    TypeParameterType,
)
from codemap_plugins.csharp.type_syntax import NAMELESS_TYPES

_PROTECTED: Final = (Visibility.PROTECTED, Visibility.PROTECTED_INTERNAL, Visibility.PRIVATE_PROTECTED)


class Construction(NamedTuple):
    """``exact``: the arguments leave no doubt. ``contests``: how the constructor was chosen, where that is kept."""

    constructor: Found | None
    exact: bool
    contests: Sequence[Contest]


_OF_DELEGATE: Final = Construction(None, True, ())
"""Its only constructor is not declared."""


def choose_constructor(
    b: Binder, type_: Type, arguments: Sequence[Argument], scope: LocalScope, initializer: bool = False
) -> Construction:
    """The constructor that arguments choose; the arguments are settled. ``initializer``: of ``base(…)`` or ``this(…)``, which alone see
    the protected constructors of a base (ECMA-334 §7.5.4)."""
    if not isinstance(type_, NamedType):
        b.settle_arguments(arguments, None)
        return Construction(None, False, ())
    group: Sequence[Found] = b.hierarchy.constructors(type_)
    if not initializer and any(f.member.visibility in _PROTECTED for f in group):
        group = [f for f in group if b.hierarchy.can_access(f, scope.within, type_)]
    resolution = b.resolve(group, arguments, (), scope)
    contests = resolution.contests
    if resolution.candidate is not None:
        b.settle_arguments(arguments, resolution.candidate)
        exact = resolution.confidence is Confidence.HIGH and not chosen_in_doubt(group, arguments)
        return Construction(resolution.candidate.found, exact, contests)
    b.settle_without_choice(arguments, resolution)
    fitting = [f for f in group if len(f.member.parameters) == len(arguments)]
    if len(fitting) == 1 and b.any_unknown(arguments):
        return Construction(fitting[0], False, contests)
    if not arguments and type_.definition.is_value_type:
        return Construction(next((f for f in group if not f.member.parameters), None), True, contests)
    return Construction(None, False, contests)


def created_type(b: Binder, lowered: Sequence[Any], resolver: TypeResolver) -> tuple[Type, int, TypeDefinition | None]:
    """The type of ``new T``: its names are references, but the one that names the created type itself, whose offset and definition are
    returned for the ``instantiate`` row; -1 when it has none, as for a type that is not found: that row is written here."""
    text: str = lowered[0]
    type_ = resolver.resolve(text)
    offset, created = -1, None
    names = resolver.names(text)
    own = type_.definition if isinstance(type_, NamedType) else None
    # The created type's name is the last one that is in no type argument: the last whose definition is that of the type itself.
    chosen = max((i for i, (_, d) in enumerate(names) if d is not None and d is own), default=-1)
    if own is not None and chosen >= 0 and _inside_arguments(text, names[chosen][0]):
        chosen = next(
            (i for i, (ordinal, d) in enumerate(names) if d is own and not _inside_arguments(text, ordinal)), chosen
        )
    for index, (ordinal, definition) in enumerate(names):
        if ordinal + 1 >= len(lowered):
            continue
        if index == chosen:
            offset, created = lowered[ordinal + 1], definition
        elif definition is None and own is None and not _inside_arguments(text, ordinal):
            b.written_type_reference(lowered[ordinal + 1], None, text, ordinal, RefKind.INSTANTIATE)
        else:
            b.written_type_reference(lowered[ordinal + 1], definition, text, ordinal)
    return type_, offset, created


def _inside_arguments(text: str, ordinal: int) -> bool:
    """Whether the identifier with this ordinal stands between angle brackets."""
    depth = seen = 0
    word = ""
    for char in text + " ":
        if char.isalnum() or char in "_@":
            word += char
            continue
        if word and word not in NAMELESS_TYPES and not word[0].isdigit():
            if seen == ordinal:
                return depth > 0
            seen += 1
        word = ""
        depth += (char == "<") - (char == ">")
    return False


@binds(Op.NEW)
def bind_new(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, lowered, arguments, initializer, _ = node
    type_, offset, definition = created_type(b, lowered, scope.resolver)
    if _is_delegate_creation(type_, arguments):
        creation_reference(b, RefKind.INSTANTIATE, offset, definition, type_, _OF_DELEGATE, ())
        _delegate_argument(b, arguments, type_, scope)
        return value(type_)
    bound = b.arguments(arguments, scope)
    made = choose_constructor(b, type_, bound, scope)
    creation_reference(b, RefKind.INSTANTIATE, offset, definition, type_, made, bound)
    if initializer is not None:
        bind_initializer(b, initializer, value(type_), scope)
    return value(type_)


def _is_delegate_creation(type_: Type, arguments: Sequence[Lowered] | None) -> bool:
    is_delegate = isinstance(type_, NamedType) and type_.definition.kind is SymbolKind.DELEGATE
    return is_delegate and arguments is not None and len(arguments) == 1


def _delegate_argument(b: Binder, arguments: Sequence[Lowered], type_: Type, scope: LocalScope) -> None:
    """``new D(f)`` converts its argument to the delegate type (ECMA-334 §12.8.17.6)."""
    b.convert(b.expression(arguments[0], scope, type_), type_)


def creation_reference(
    b: Binder,
    kind: RefKind,
    offset: int,
    definition: TypeDefinition | None,
    type_: Type,
    made: Construction,
    arguments: Sequence[Argument],
    is_unsure: bool = False,
) -> None:
    """``kind``: of an instance or of an attribute. ``definition``: of the type as it is named there, null where it has no name.
    ``is_unsure``: the type is."""
    if definition is None or offset < 0:
        return
    constructor = made.constructor
    confidence = Confidence.LOW if is_unsure else Confidence.HIGH if made.exact else Confidence.MEDIUM
    confidence = b.as_sure_as(definition, definition.documentation_id, confidence)
    reference = Reference(
        kind,
        offset,
        definition.name,
        definition.documentation_id,
        definition.external,
        constructor.member.symbol_id if constructor is not None else None,
        confidence,
        use=Use(constructor, type_, arguments=arguments, contests=made.contests) if b.keeps_uses else None,
    )
    b.references.append(reference)


@binds(Op.NEW_TARGET_TYPED)
def bind_new_target_typed(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    return UnboundNew(node, scope, partial(_fails_to_create, b, node, scope))


def _fails_to_create(b: Binder, node: Lowered, scope: LocalScope, type_: Type) -> bool:
    trial = Recording()
    _create_target(Binder(b.file, b.shared, trial, b.depth), node, scope, value(type_))
    return trial.fails


@settles(UnboundNew)
def bind_target_typed_new(b: Binder, operand: UnboundNew, target: Type, is_unsure: bool) -> None:
    _create_target(b, operand.node, operand.scope, BoundValue(target, is_unsure=is_unsure))


def _create_target(b: Binder, node: Lowered, scope: LocalScope, created: BoundValue) -> None:
    _, offset, arguments, initializer, _ = node
    target, is_unsure = created.type, created.is_unsure
    if isinstance(target, NamedType) and _is_delegate_creation(target, arguments):
        creation_reference(b, RefKind.INSTANTIATE, offset, target.definition, target, _OF_DELEGATE, (), is_unsure)
        _delegate_argument(b, arguments, target, scope)
        return
    bound = b.arguments(arguments, scope)
    made = choose_constructor(b, target, bound, scope)
    if isinstance(target, NamedType):
        if bound and made.constructor is None and not b.any_unknown(bound) and b.hierarchy.is_complete(target):
            b.recording.note_failure()
        creation_reference(b, RefKind.INSTANTIATE, offset, target.definition, target, made, bound, is_unsure)
    elif not isinstance(target, TypeParameterType):
        b.unresolved(RefKind.INSTANTIATE, offset, "new", UnresolvedReason.TARGET_TYPE_UNKNOWN)
    if initializer is not None:
        bind_initializer(b, initializer, created, scope)


def bind_initializer(b: Binder, node: Lowered, created: BoundValue, scope: LocalScope) -> None:
    """``{ P = v, [k] = v, element, { a, b } }`` on a created object (ECMA-334 §12.8.17.3)."""
    type_ = created.type
    for element in node[2]:
        op = element[0]
        if op == Op.MEMBER_INITIALIZER:
            _member_initializer(b, element, created, scope)
        elif op == Op.INDEX_INITIALIZER:
            _index_initializer(b, element, created, scope)
        elif op == Op.INITIALIZER:
            _add(b, b.arguments(element[2], scope), type_, scope)
        else:
            _add(b, [Argument(b.expression(element, scope))], type_, scope)


def _member_initializer(b: Binder, node: Lowered, created: BoundValue, scope: LocalScope) -> None:
    _, offset, name, inner, _ = node
    type_ = created.type
    found = (
        [f for f in b.hierarchy.lookup(type_, name) if b.hierarchy.can_access(f, scope.within)]
        if not isinstance(type_, ErrorType)
        else []
    )
    member = UNKNOWN_VALUE
    element = tuple_element(b, created, name, offset, Usage.WRITE)
    if element is not None:
        member = element
    elif found:
        sure = not created.is_unsure and is_sure(b.hierarchy, type_, found[0])
        b.member_reference(RefKind.WRITE, offset, found[0], Confidence.HIGH if sure else Confidence.LOW)
        member = BoundValue(b.hierarchy.member_type(found[0]), is_unsure=not sure)
    else:
        extension = None
        if not isinstance(type_, ErrorType):
            extension = extension_property(b, created, name, offset, scope, Usage.WRITE)
        if extension is not None:
            member = extension
        else:
            b.unresolved(RefKind.WRITE, offset, name, missing_initialized(b, type_), simple_name(type_))
    if inner is not None and inner[0] == Op.INITIALIZER:
        bind_initializer(b, inner, member, scope)
    else:
        b.value_of(inner, scope, member.type)


def missing_initialized(b: Binder, type_: Type) -> UnresolvedReason:
    """Why a member that an initialiser or a named attribute argument sets is not found."""
    if isinstance(type_, ErrorType):
        return UnresolvedReason.CREATED_TYPE_UNKNOWN
    return UnresolvedReason.NO_SUCH_MEMBER if b.hierarchy.is_complete(type_) else UnresolvedReason.BASE_TYPE_UNKNOWN


def _index_initializer(b: Binder, node: Lowered, created: BoundValue, scope: LocalScope) -> None:
    """``[k] = v``: the compiler names no symbol there, so its indexer is not a reference, but it types the key and the value."""
    _, _, arguments, inner = node
    type_ = created.type
    bound = b.arguments(arguments, scope)
    element: Type = UNKNOWN
    if isinstance(type_, ArrayType):
        element = type_.element
        b.settle_arguments(bound, None)
    elif isinstance(type_, ErrorType):
        b.settle_arguments(bound, None)
    else:
        group = [f for f in b.hierarchy.indexers(type_) if b.hierarchy.can_access(f, scope.within)]
        candidate = b.resolve(group, bound, (), scope).candidate
        b.settle_arguments(bound, candidate)
        if candidate is not None:
            element = candidate.return_type
    if inner is not None and inner[0] == Op.INITIALIZER:
        bind_initializer(b, inner, value_from(element, created), scope)
    else:
        b.value_of(inner, scope, element)


def _add(b: Binder, arguments: list[Argument], type_: Type, scope: LocalScope) -> None:
    """An element: ``Add``, perhaps an extension. No name stands there, so no reference is made, but its parameters type the elements."""
    if isinstance(type_, (ErrorType, ArrayType)):
        b.settle_arguments(arguments, None)
        return
    group = _adds(b, type_, scope)
    candidate = b.resolve(group, arguments, (), scope).candidate if group else None
    if candidate is None:
        extension = b.extensions(scope, "Add", value(type_), arguments, ()).candidate
        b.settle_arguments(arguments, extension, 1)
        return
    b.settle_arguments(arguments, candidate)


def _adds(b: Binder, type_: Type, scope: LocalScope) -> Sequence[Found]:
    if isinstance(type_, (ErrorType, ArrayType)):
        return ()
    found = b.hierarchy.lookup(type_, "Add")
    return [each for each in found if not each.member.is_static and b.hierarchy.can_access(each, scope.within)]


@binds(Op.NEW_ARRAY, Op.STACKALLOC)
def bind_new_array(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    op, _, lowered, sizes, initializer = node
    given = value(b.type(lowered, scope.resolver)) if lowered is not None else UNKNOWN_VALUE
    for size in sizes or ():
        b.value_of(size, scope)
    if lowered is None and initializer is not None:
        given = _elements_of(b, initializer, scope, None, 1)
    elif initializer is not None:
        _array_elements(b, initializer, given.type, scope)
    if op == Op.STACKALLOC and isinstance(given.type, ArrayType):
        # A pointer only as the initialiser of a local variable (ECMA-334 §12.8.22), which sees to that.
        return value_from(b.generic("System", "Span", given.type.element), given)
    return given


def _array_elements(b: Binder, node: Lowered, type_: Type, scope: LocalScope) -> None:
    element = type_.element if isinstance(type_, ArrayType) else UNKNOWN
    for each in node[2]:
        if each[0] == Op.INITIALIZER:
            _array_elements(b, each, type_, scope)
        else:
            b.value_of(each, scope, element)


@binds(Op.NEW_ARRAY_IMPLICIT)
def bind_new_array_implicit(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    _, _, rank, initializer = node
    return _elements_of(b, initializer, scope, target, rank)


def _elements_of(
    b: Binder, initializer: Lowered | None, scope: LocalScope, target: Type | None, rank: int
) -> BoundValue:
    """An array whose element type its elements give."""
    operands: list[BoundExpression] = []
    pending = list(initializer[2]) if initializer is not None else []
    while pending:
        each = pending.pop(0)
        if each[0] == Op.INITIALIZER:
            pending = list(each[2]) + pending
        else:
            operands.append(b.expression(each, scope))
    common = b.natural_types.common(operands)
    if common is None and isinstance(target, ArrayType):
        common = target.element
    for operand in operands:
        b.convert(operand, common)
    if common is None:
        return UNKNOWN_VALUE
    return BoundValue(ArrayType(common, rank or 1), is_unsure=any(map(in_doubt, operands)))


@binds(Op.INITIALIZER)
def bind_bare_initializer(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    """``T[] x = { … };``"""
    if isinstance(target, ArrayType):
        _array_elements(b, node, target, scope)
        return value(target)
    for element in node[2]:
        b.statement(element, scope)
    return value(target if target is not None else UNKNOWN)


@binds(Op.NEW_ANONYMOUS)
def bind_new_anonymous(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    names: list[str] = []
    members: list[BoundValue] = []
    for element in node[2]:
        if element[0] == Op.MEMBER_INITIALIZER:
            names.append(element[2])
            members.append(b.settled(element[3], scope))
        else:
            names.append(implied_name(element))
            members.append(b.settled(element, scope))
    type_ = b.hierarchy.members.anonymous_type(tuple(names), tuple([each.type for each in members]))
    return BoundValue(type_, is_unsure=any(map(in_doubt, members)))


def implied_name(node: Lowered | None) -> str:
    """The name that an expression gives an anonymous member or tuple element: its last identifier."""
    if node is None:
        return ""
    if node[0] in (Op.NAME, Op.GENERIC_NAME):
        return str(node[2])
    if node[0] == Op.CHAIN and node[2] and node[2][-1][0] == Op.MEMBER:
        return str(node[2][-1][2])
    return ""


@binds(Op.COLLECTION)
def bind_collection(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    parts: list[BoundExpression] = []
    for element in node[2]:
        if element[0] == Op.SPREAD:
            spread = b.settled(element[2], scope)
            parts.append(value_from(element_type(b, spread.type, scope), spread))
        else:
            parts.append(b.expression(element, scope))
    return BoundCollection(parts, scope)


@settles(BoundCollection)
def bind_collection_elements(b: Binder, operand: BoundCollection, target: Type, is_unsure: bool) -> None:
    """C# 12: elements are arguments of the ``Add`` of a type that is none of those with elements of their own; of others they convert to
    the element type."""
    element = collection_element(b.hierarchy, target)
    group = () if element is None else _adds(b, nullable_element(target) or target, operand.scope)
    for part in operand.parts:
        argument = Argument(part)
        candidate = b.resolve(group, [argument], (), operand.scope).candidate if group else None
        if candidate is not None:
            b.settle_arguments([argument], candidate, is_unsure=is_unsure)
        else:
            b.convert(part, element, is_unsure)


@binds(Op.WITH)
def bind_with(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    changed = b.settled(node[2], scope)
    for element in node[3]:
        _member_initializer(b, element, changed, scope)
    b.note_type(node[1], changed)
    return value_from(changed.type, changed)


@binds(Op.TUPLE)
def bind_tuple(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    from codemap_plugins.csharp.symbols.scopes import tuple_type

    parts: list[BoundExpression] = []
    names: list[str | None] = []
    expected = tuple_elements(target) if target is not None else None
    for index, element in enumerate(node[2]):
        name, inner = "", element
        if element[0] == Op.ARGUMENT:
            name, inner = element[2], element[4]
        names.append(name or implied_name(inner) or None)
        wanted = expected[index] if expected is not None and index < len(expected) else None
        parts.append(b.expression(inner, scope, wanted))
    if all(isinstance(part, BoundValue) for part in parts):
        types = tuple(part.type for part in parts)
        type_ = tuple_type(b.shared.project, types, tuple(names) if any(names) else ())
        return BoundValue(type_, parts=parts, is_unsure=any(map(in_doubt, parts)))
    return BoundTuple(parts)


def bind_tuple_target(b: Binder, node: Lowered, source: BoundExpression, scope: LocalScope) -> BoundValue:
    """``(a, var b) = source``: each element is assigned to or declared (ECMA-334 §12.21.2, deconstruction). What has no type by itself in
    a tuple literal takes that of the variable it is assigned to. Answers with the tuple of what was assigned."""
    from codemap_plugins.csharp.symbols.scopes import tuple_type

    elements = [e[4] if e[0] == Op.ARGUMENT else e for e in node[2]]
    given: Sequence[BoundExpression]
    if isinstance(source, BoundTuple) and len(source.parts) == len(elements):
        given = source.parts
    else:
        given = deconstructed(b, b.as_value(source), len(elements), scope)
    types: list[Type] = []
    for element, part in zip(elements, given, strict=True):
        if element is not None and element[0] == Op.TUPLE:
            types.append(bind_tuple_target(b, element, part, scope).type)
        elif element is not None and element[0] == Op.DECLARATION and (element[3] is None or element[3][0] == "var"):
            assigned = b.as_value(part)
            types.append(assigned.type)
            if element[2] != "_":
                scope.declare(element[2], variable(assigned.type, assigned.is_unsure))
        elif element is None or element[0] == Op.DISCARD or _is_discard(element, scope):
            types.append(b.finish(part))
        else:
            changed = b.target(element, scope, Usage.WRITE)
            types.append(changed.type)
            b.convert(part, changed.type, changed.is_unsure)
    return source if isinstance(source, BoundValue) else value(tuple_type(b.shared.project, tuple(types)))


def _is_discard(element: Lowered, scope: LocalScope) -> bool:
    return element[0] == Op.NAME and element[2] == "_" and scope.find("_") is None
