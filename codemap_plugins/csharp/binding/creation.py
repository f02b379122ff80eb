"""Object, array, anonymous-object and collection creation, initialisers and ``with`` (ECMA-334 §12.8.17, C# 12)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from codemap_core.model import Confidence, RefKind, SymbolKind, UnresolvedReason, Visibility
from codemap_plugins.csharp.binding.binder import Binder, binds, settles
from codemap_plugins.csharp.binding.bound_expressions import (
    BoundCollection,
    BoundTuple,
    BoundValue,
    UnboundNew,
    value,
)
from codemap_plugins.csharp.binding.deconstruction import deconstructed
from codemap_plugins.csharp.binding.locals import LocalScope
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
from codemap_plugins.csharp.symbols.definitions import TypeDefinition
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import ArrayType, ErrorType, NamedType, Type, TypeParameterType
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
        return Construction(resolution.candidate.found, resolution.confidence is Confidence.HIGH, contests)
    b.settle_arguments(arguments, None)
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
        bind_initializer(b, initializer, type_, scope)
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
) -> None:
    """``kind``: of an instance or of an attribute. ``definition``: of the type as it is named there, null where it has no name."""
    if definition is None or offset < 0:
        return
    constructor = made.constructor
    confidence = Confidence.HIGH if made.exact else Confidence.MEDIUM
    if definition.external:
        confidence = b.as_framework_has(definition.documentation_id, confidence)
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
    _create_target(Binder(b.file, b.shared, trial, b.depth), node, scope, type_)
    return trial.fails


@settles(UnboundNew)
def bind_target_typed_new(b: Binder, operand: UnboundNew, target: Type) -> None:
    _create_target(b, operand.node, operand.scope, target)


def _create_target(b: Binder, node: Lowered, scope: LocalScope, target: Type) -> None:
    _, offset, arguments, initializer, _ = node
    if isinstance(target, NamedType) and _is_delegate_creation(target, arguments):
        creation_reference(b, RefKind.INSTANTIATE, offset, target.definition, target, _OF_DELEGATE, ())
        _delegate_argument(b, arguments, target, scope)
        return
    bound = b.arguments(arguments, scope)
    made = choose_constructor(b, target, bound, scope)
    if isinstance(target, NamedType):
        if bound and made.constructor is None and not b.any_unknown(bound) and b.hierarchy.is_complete(target):
            b.recording.note_failure()
        creation_reference(b, RefKind.INSTANTIATE, offset, target.definition, target, made, bound)
    elif not isinstance(target, TypeParameterType):
        b.unresolved(RefKind.INSTANTIATE, offset, "new", UnresolvedReason.TARGET_TYPE_UNKNOWN)
    if initializer is not None:
        bind_initializer(b, initializer, target, scope)


def bind_initializer(b: Binder, node: Lowered, type_: Type, scope: LocalScope) -> None:
    """``{ P = v, [k] = v, element, { a, b } }`` on a created object (ECMA-334 §12.8.17.3)."""
    for element in node[2]:
        op = element[0]
        if op == Op.MEMBER_INITIALIZER:
            _member_initializer(b, element, type_, scope)
        elif op == Op.INDEX_INITIALIZER:
            _index_initializer(b, element, type_, scope)
        elif op == Op.INITIALIZER:
            _add(b, b.arguments(element[2], scope), type_, scope)
        else:
            _add(b, [Argument(b.expression(element, scope))], type_, scope)


def _member_initializer(b: Binder, node: Lowered, type_: Type, scope: LocalScope) -> None:
    _, offset, name, inner, _ = node
    found = (
        [f for f in b.hierarchy.lookup(type_, name) if b.hierarchy.can_access(f, scope.within)]
        if not isinstance(type_, ErrorType)
        else []
    )
    member_type: Type = UNKNOWN
    element = tuple_element(b, type_, name, offset, Usage.WRITE)
    if element is not None:
        member_type = element
    elif found:
        b.member_reference(RefKind.WRITE, offset, found[0])
        member_type = b.hierarchy.member_type(found[0])
    else:
        extension = None
        if not isinstance(type_, ErrorType):
            extension = extension_property(b, value(type_), name, offset, scope, Usage.WRITE)
        if extension is not None:
            member_type = extension.type
        else:
            b.unresolved(RefKind.WRITE, offset, name, missing_initialized(b, type_), simple_name(type_))
    if inner is not None and inner[0] == Op.INITIALIZER:
        bind_initializer(b, inner, member_type, scope)
    else:
        b.value_of(inner, scope, member_type)


def missing_initialized(b: Binder, type_: Type) -> UnresolvedReason:
    """Why a member that an initialiser or a named attribute argument sets is not found."""
    if isinstance(type_, ErrorType):
        return UnresolvedReason.CREATED_TYPE_UNKNOWN
    return UnresolvedReason.NO_SUCH_MEMBER if b.hierarchy.is_complete(type_) else UnresolvedReason.BASE_TYPE_UNKNOWN


def _index_initializer(b: Binder, node: Lowered, type_: Type, scope: LocalScope) -> None:
    """``[k] = v``: the compiler names no symbol there, so its indexer is not a reference, but it types the key and the value."""
    _, _, arguments, inner = node
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
        bind_initializer(b, inner, element, scope)
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
    type_ = b.type(lowered, scope.resolver) if lowered is not None else UNKNOWN
    for size in sizes or ():
        b.value_of(size, scope)
    if lowered is None and initializer is not None:
        type_ = _elements_of(b, initializer, scope, None, 1)
    elif initializer is not None:
        _array_elements(b, initializer, type_, scope)
    if op == Op.STACKALLOC and isinstance(type_, ArrayType):
        # A pointer only as the initialiser of a local variable (ECMA-334 §12.8.22), which sees to that.
        return value(b.generic("System", "Span", type_.element))
    return value(type_)


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
    return value(_elements_of(b, initializer, scope, target, rank))


def _elements_of(b: Binder, initializer: Lowered | None, scope: LocalScope, target: Type | None, rank: int) -> Type:
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
    return ArrayType(common, rank or 1) if common is not None else UNKNOWN


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
    types: list[Type] = []
    for element in node[2]:
        if element[0] == Op.MEMBER_INITIALIZER:
            names.append(element[2])
            types.append(b.value_of(element[3], scope))
        else:
            names.append(implied_name(element))
            types.append(b.value_of(element, scope))
    return value(b.hierarchy.members.anonymous_type(tuple(names), tuple(types)))


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
            spread = b.value_of(element[2], scope)
            parts.append(value(b.element_type(spread, scope)))
        else:
            parts.append(b.expression(element, scope))
    return BoundCollection(parts, scope)


@settles(BoundCollection)
def bind_collection_elements(b: Binder, operand: BoundCollection, target: Type) -> None:
    """C# 12: elements are arguments of the ``Add`` of a type that is none of those with elements of their own; of others they convert to
    the element type."""
    element = b.conversions.collection_element(target)
    group = () if element is None else _adds(b, nullable_element(target) or target, operand.scope)
    for part in operand.parts:
        argument = Argument(part)
        candidate = b.resolve(group, [argument], (), operand.scope).candidate if group else None
        if candidate is not None:
            b.settle_arguments([argument], candidate)
        else:
            b.convert(part, element)


@binds(Op.WITH)
def bind_with(b: Binder, node: Lowered, scope: LocalScope, target: Type | None) -> BoundExpression:
    type_ = b.value_of(node[2], scope)
    for element in node[3]:
        _member_initializer(b, element, type_, scope)
    return value(type_)


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
        return BoundValue(tuple_type(b.shared.project, types, tuple(names) if any(names) else ()), parts=parts)
    return BoundTuple(parts)


def bind_tuple_target(b: Binder, node: Lowered, source: Type, scope: LocalScope) -> None:
    """``(a, var b) = source``: each element is assigned to or declared (ECMA-334 §12.21.2, deconstruction)."""
    elements = [e[4] if e[0] == Op.ARGUMENT else e for e in node[2]]
    types = deconstructed(b, source, len(elements), scope)
    for element, type_ in zip(elements, types, strict=True):
        if element is None:
            continue
        if element[0] == Op.TUPLE:
            bind_tuple_target(b, element, type_, scope)
        elif element[0] == Op.DECLARATION and (element[3] is None or element[3][0] == "var"):
            if element[2] != "_":
                scope.declare(element[2], type_)
        elif element[0] in (Op.DISCARD,) or (element[0] == Op.NAME and element[2] == "_" and scope.find("_") is None):
            continue
        else:
            b.target(element, scope, Usage.WRITE)
