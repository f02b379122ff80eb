"""What attributes say once their classes are followed: ``[ApiGet("x")]`` is what ``: base("api/" + template)`` makes of it.

A kind of facts names the attribute classes that it knows, its *families*. One of the repository's own that derives from them, or implements
an interface of theirs, is followed through its constructors, which may stand in another file: so documents leave notes of what they use
(``AttributeUse``) and of what attribute classes pass on (``PassedOn``), and ``AttributeClasses`` joins them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts.texts import text_of, text_with_holes
from codemap_core.facts.type_names import display_type
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import PASSING_ON
from codemap_core.model.bound import (
    NOWHERE,
    Argument,
    BoundAttribute,
    BoundDeclaration,
    Event,
    EventKind,
    TypeForm,
    Value,
)
from codemap_core.model.documentation_id import CONSTRUCTOR, container_of, parse_id

Pieces = tuple[str | int, ...]
"""A text put together of constants and, by their ordinal, parameters of the constructor around it."""
Families = Mapping[str, str]
"""By the id of a known attribute class, or of an interface that attribute classes implement, what it is called."""
AUTHORIZATION_FILTER: Final = "AuthorizationFilter"
"""The family of attribute classes that are filters which decide who may call (``IAuthorizationFilter``)."""
FILTER_FACTORY: Final = "FilterFactory"
"""The family of those that name the type of a filter (``TypeFilterAttribute``)."""
ALLOW: Final = "AllowAnonymous"
"""The family of those that open an endpoint to everybody, as attributes; and the name of the call that does."""
_FILTERS: Final = frozenset({AUTHORIZATION_FILTER, FILTER_FACTORY})
_LIBRARIES: Final = ("T:System.", "T:Microsoft.")
_MAX_STEPS: Final = 20
"""Constructors of one attribute class that lead to another; more are a cycle."""


class Given(Struct, frozen=True, array_like=True):
    """An argument: the parameter or property it is for, and its text, or the texts of its elements. ``ordinal`` is that of the parameter;
    ``NOWHERE`` for a property."""

    name: str
    ordinal: int
    texts: tuple[Pieces, ...]


class AttributeUse(Struct, frozen=True, array_like=True):
    """An attribute of a family. ``type`` and ``constructor``: ids, to follow classes of the repository's own; ``declared_on``: empty for
    the declaration itself."""

    family: str
    type: str
    constructor: str
    given: tuple[Given, ...]
    declared_on: str = ""
    is_bound: bool = True
    types: tuple[str, ...] = ()
    """Its type arguments, as they are displayed."""
    written: str = ""
    """Of a filter, its class with what it is given: ``Permission(Orders.Read)``."""


class Passes(StrEnum):
    """What is noted of an attribute class."""

    ON = "on"
    """What a constructor passes on to another, ``: base(…)`` or ``: this(…)``."""
    ASSIGNED = "assigned"
    """What the body of a constructor assigns to a property, or an initialiser makes of a primary constructor's parameter."""
    DEFAULT = "default"
    """What a parameter of a constructor is where an attribute leaves it out."""
    HELD = "held"
    """What a property of the class holds, whichever constructor is called."""


class PassedOn(Struct, frozen=True, array_like=True):
    """``constructor``: the one it is noted of; for ``HELD``, and of a primary constructor, the class. ``target``: the constructor that is
    passed something on."""

    what: Passes
    constructor: str
    given: tuple[Given, ...] = ()
    target: str = ""


class Said(Struct, frozen=True):
    """What an attribute says: texts by the name of the parameter or property of the class that its family names."""

    family: str
    texts: Mapping[str, tuple[str, ...]]
    is_bound: bool = True
    types: tuple[str, ...] = ()
    written: str = ""

    def text(self, *names: str) -> str | None:
        """The text under the first of the names that has any."""
        return next((self.texts[name][0] for name in names if self.texts.get(name)), None)


def uses(seen: Seen, attributes: Iterable[BoundAttribute], families: Families) -> tuple[AttributeUse, ...]:
    """Those of a family, in order; one for another target than the declaration (``[return: …]``) is none."""
    found = []
    for each in attributes:
        bound = _bound_family(seen, each, families)
        family = bound or _named_family(each, families)
        if family and not each.target:
            found.append(
                AttributeUse(
                    family,
                    each.type.id,
                    each.constructor or "",
                    (*_given(each.arguments, seen, families), *_properties(each.named_arguments)),
                    each.declared_on,
                    bool(bound),
                    tuple(map(display_type, each.type.arguments)),
                    written_use(seen, each) if family in (AUTHORIZATION_FILTER, FILTER_FACTORY) else "",
                )
            )
    return tuple(found)


def written_use(seen: Seen, attribute: BoundAttribute) -> str:
    """``HasPermission(EditMeeting)``, ``Authorize<EditMeeting>()``."""
    given = [_written_value(each.value, seen) for each in (*attribute.arguments, *attribute.named_arguments)]
    name = attribute.type.name.removesuffix("Attribute")
    types = ", ".join(display_type(each) for each in attribute.type.arguments)
    return f"{name}{f'<{types}>' if types else ''}({', '.join(each for each in given if each)})"


def _written_value(value: Value, seen: Seen) -> str | None:
    if value.type_operand is not None and not value.symbol_id:
        return display_type(value.type_operand)
    return text_with_holes(value, seen.document)


def _bound_family(seen: Seen, attribute: BoundAttribute, families: Families) -> str:
    """By the nearest class; an interface counts where no class does. Empty where none of them is known.

    ``IAllowAnonymous`` counts before ``AuthorizeAttribute``: the middleware of authorization asks for it first, and then for nothing that
    the attribute demands as well. A filter runs all the same.
    """
    known = next((families[each] for each in (attribute.type.id, *attribute.base_ids) if each in families), "")
    if attribute.type.id.startswith(_LIBRARIES):
        return known
    above = [families[each] for each in seen.bases_of(attribute.type.id) if each in families]
    if ALLOW in above:
        return next((each for each in above if each in _FILTERS), ALLOW)
    return known or next(iter(above), "")


def _named_family(attribute: BoundAttribute, families: Families) -> str:
    """By the name of an attribute that did not bind, and else by the names of base types that were not found."""
    if attribute.type.form is TypeForm.UNRESOLVED:
        name = attribute.type.name.removesuffix("Attribute")
        return name if name in families.values() else ""
    if not attribute.missing_bases:
        return ""
    by_name = _by_simple_name(families)
    return next((by_name[each] for each in attribute.missing_bases if each in by_name), "")


def _by_simple_name(families: Families) -> Families:
    return {parse_id(each).name: family for each, family in families.items()}


def is_attribute_class(declaration: BoundDeclaration, families: Families) -> bool:
    """Whether a type is one of the repository's own that is to be followed."""
    if any(each.id in families for each in declaration.all_bases):
        return True
    missing = {each.name for each in declaration.all_bases if each.form is TypeForm.UNRESOLVED}
    return bool(missing) and not missing.isdisjoint(_by_simple_name(families))


def passed_on(
    seen: Seen,
    declaration: BoundDeclaration,
    members: Iterable[BoundDeclaration],
    families: Families,
    properties: Sequence[str] = (),
) -> Iterator[PassedOn]:
    """What the constructors of an attribute class pass on, and what those of its properties hold that have these names. ``members``: of
    this part of the class."""
    own = declaration.symbol_id
    held = {each.symbol_id: each.value for each in members if each.value is not None}
    for event in seen.events.values():
        if event.enclosing is None or own not in (event.enclosing, container_of(event.enclosing)):
            continue
        name = parse_id(event.enclosing).name
        if event.name in PASSING_ON and event.target is not None:
            arguments = [_with_held(each, held) for each in event.arguments]
            yield PassedOn(Passes.ON, event.enclosing, _given(arguments, seen, families), event.target)
        elif event.kind is EventKind.RETURN and event.arguments and name in properties:
            yield _held(own, name, event.arguments[0].value)
        elif name == CONSTRUCTOR and event.name in properties and _is_own_assignment(event):
            value = _with_assigned(event.arguments[0].value, _assigned_before(seen, event))
            yield PassedOn(Passes.ASSIGNED, event.enclosing, _properties((Argument(value, event.name),)))
    for each in (declaration, *members):
        defaults = tuple(
            Given(parameter.name, ordinal, (_pieces(parameter.default),))
            for ordinal, parameter in enumerate(each.parameters)
            if parameter.default is not None and not _is_null(parameter.default)
        )
        if defaults:
            yield PassedOn(Passes.DEFAULT, each.symbol_id, defaults)
        if each.name in properties and each.value is not None:
            yield _held(own, each.name, each.value)


def _is_own_assignment(event: Event) -> bool:
    """``Template = …`` or ``this.Template = …``, in no initialiser of another object."""
    return (
        event.kind is EventKind.ASSIGNMENT
        and event.initializes == NOWHERE
        and bool(event.arguments)
        and (event.receiver is None or not (event.receiver.local or event.receiver.symbol_id))
    )


def _assigned_before(seen: Seen, event: Event) -> Mapping[str, Value]:
    """By its id, what a property or field of the class has been given when a constructor comes to an event, whatever happens before."""
    found: dict[str, Value] = {}
    for each in seen.document.events:
        if each is event:
            break
        if each.enclosing == event.enclosing and each.target is not None and _is_own_assignment(each):
            found.pop(each.target, None)
            if each.region == NOWHERE and each.operator == "=":
                found[each.target] = _with_assigned(each.arguments[0].value, found)
    return found


def _with_assigned(value: Value, assigned: Mapping[str, Value]) -> Value:
    """A value, or the holes of a text, that name what has been assigned, as what was."""
    if value.symbol_id in assigned:
        return assigned[value.symbol_id]
    parts = tuple(
        replace(each, hole=_with_assigned(each.hole, assigned)) if each.hole is not None else each
        for each in value.parts
    )
    return replace(value, parts=parts) if parts != value.parts else value


def _held(own: str, name: str, value: Value) -> PassedOn:
    """A primary constructor's parameter is known where that constructor is called."""
    of = next((each.constructor for each in _inside(value) if each.constructor), "")
    given = _properties((Argument(value, name),))
    return PassedOn(Passes.ASSIGNED, of, given) if of else PassedOn(Passes.HELD, own, given)


def _inside(value: Value) -> Iterator[Value]:
    yield value
    for part in value.parts:
        if part.hole is not None:
            yield from _inside(part.hole)


def _with_held(argument: Argument, held: Mapping[str, Value | None]) -> Argument:
    """An argument that names a field of the class, as what the field holds."""
    value = held.get(argument.value.symbol_id)
    return Argument(value, argument.parameter, argument.ordinal) if value is not None else argument


def _given(arguments: Sequence[Argument], seen: Seen, families: Families) -> tuple[Given, ...]:
    """Positional arguments; those of a ``params`` array, and elements of a written array, are texts of one. A type stands for the family
    that it is of."""
    by_parameter: dict[tuple[str, int], list[Pieces]] = {}
    for position, each in enumerate(arguments):
        ordinal = each.ordinal if each.ordinal != NOWHERE else position
        texts = by_parameter.setdefault((each.parameter, ordinal), [])
        operand = each.value.type_operand
        if operand is not None and not each.value.symbol_id:
            texts += [(families[base],) for base in seen.bases_of(operand.id) if base in families][:1]
            continue
        texts += [_pieces(value) for value in (each.value.elements or (each.value,)) if not _is_null(value)]
    return tuple(Given(name, ordinal, tuple(texts)) for (name, ordinal), texts in by_parameter.items() if texts)


def _properties(arguments: Sequence[Argument]) -> tuple[Given, ...]:
    return tuple(
        Given(each.parameter, NOWHERE, tuple(_pieces(value) for value in each.value.elements or (each.value,)))
        for each in arguments
    )


def _is_null(value: Value) -> bool:
    return value.constant is not None and value.constant.value is None


def _pieces(value: Value) -> Pieces:
    """A text; parameters in it by their ordinal."""
    if value.parameter != NOWHERE and value.region == NOWHERE and text_of(value) is None:
        return (value.parameter,)
    if not value.parts:
        constant = value.constant
        if constant is not None and constant.value is not None and not isinstance(constant.value, str):
            return (str(constant.value),)
        return (text_with_holes(value) or "",)
    pieces: list[str | int] = []
    for part in value.parts:
        pieces += [part.text] if part.text is not None else _pieces(part.hole) if part.hole is not None else []
    return tuple(pieces)


class AttributeClasses:
    """The attribute classes of the repository's own, from all documents."""

    def __init__(self, passed: Iterable[PassedOn] = ()) -> None:
        self._next: Final[dict[str, PassedOn]] = {}
        self._by_owner: Final[dict[Passes, dict[str, list[Given]]]] = {each: {} for each in Passes}
        for each in passed:
            if each.what is Passes.ON:
                self._next.setdefault(each.constructor, each)
            else:
                self._by_owner[each.what].setdefault(each.constructor, []).extend(each.given)

    def said(self, use: AttributeUse) -> Said:
        """What a use says to the class that its family names."""
        given = use.given
        constructor, type_ = use.constructor, use.type
        properties = {each.name: each for each in given if each.ordinal == NOWHERE}
        for _ in range(_MAX_STEPS):
            given = (*given, *self._left_out(given, constructor, type_))
            for each in self._by_owner[Passes.ASSIGNED].get(constructor, ()):
                properties.setdefault(each.name, _substituted(each, given))
            for each in self._by_owner[Passes.HELD].get(type_, ()):
                properties.setdefault(each.name, each)
            step = self._next.get(constructor) or self._next.get(type_)
            if step is None:
                break
            given = tuple(_substituted(each, given) for each in step.given)
            constructor, type_ = step.target, container_of(step.target)
        texts = {each.name: _texts(each) for each in given if each.ordinal != NOWHERE}
        texts |= {name: _texts(each) for name, each in properties.items()}
        return Said(use.family, texts, use.is_bound, use.types, use.written)

    def _left_out(self, given: Sequence[Given], constructor: str, type_: str) -> list[Given]:
        """Parameters that have a default and are given nothing; a primary constructor's are those of the type."""
        defaults = self._by_owner[Passes.DEFAULT]
        known = {each.ordinal for each in given}
        own = defaults.get(constructor) or defaults.get(type_) or []
        return [each for each in own if each.ordinal not in known]


def _substituted(argument: Given, given: Sequence[Given]) -> Given:
    """An argument of ``: base(…)`` with what the constructor itself was given."""
    by_ordinal = {each.ordinal: each.texts for each in given if each.ordinal != NOWHERE}
    texts: list[Pieces] = []
    for pieces in argument.texts:
        if len(pieces) == 1 and isinstance(pieces[0], int):
            texts += by_ordinal.get(pieces[0], ())
            continue
        texts.append(tuple(inner for piece in pieces for inner in _filled(piece, by_ordinal)))
    return Given(argument.name, argument.ordinal, tuple(texts))


def _filled(piece: str | int, by_ordinal: Mapping[int, tuple[Pieces, ...]]) -> Pieces:
    if isinstance(piece, str):
        return (piece,)
    held = by_ordinal.get(piece, ())
    return held[0] if held else ("",)


def _texts(given: Given) -> tuple[str, ...]:
    return tuple("".join(piece if isinstance(piece, str) else "{?}" for piece in pieces) for pieces in given.texts)
