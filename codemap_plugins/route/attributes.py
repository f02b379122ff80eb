"""Attributes as routes need them: which template and verbs one provides, and what it demands of the caller.

An attribute class of the repository's own that derives from one of the framework's is followed through its constructors, so that
``[ApiGet("x")]`` is what ``: base("api/" + template)`` makes of it. Its constructors may stand in another file, so what an attribute says
is known only when all documents are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts.texts import text_of, text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, Argument, BoundAttribute, BoundDeclaration, EventKind, TypeForm, Value
from codemap_core.model.documentation_id import container_of, parse_id, type_id

Pieces = tuple[str | int, ...]
"""A text put together of constants and, by their ordinal, parameters of the constructor around it."""
MVC: Final = "Microsoft.AspNetCore.Mvc."
_AUTHORIZATION: Final = "Microsoft.AspNetCore.Authorization."
_VERSIONING: Final = ("Asp.Versioning.", "Microsoft.AspNetCore.Mvc.")
_VERBS: Final = {
    "HttpGet": "GET",
    "HttpPost": "POST",
    "HttpPut": "PUT",
    "HttpDelete": "DELETE",
    "HttpPatch": "PATCH",
    "HttpHead": "HEAD",
    "HttpOptions": "OPTIONS",
}
_FAMILIES: Final[Mapping[str, str]] = {
    **{type_id(f"{MVC}{name}Attribute"): name for name in _VERBS},
    type_id(f"{MVC}Routing.HttpMethodAttribute"): "HttpMethod",
    **{
        type_id(f"{MVC}{name}Attribute"): name
        for name in ("AcceptVerbs", "Route", "ActionName", "NonAction", "NonController", "Controller", "ApiController", "Area")
    },
    type_id(f"{MVC}Routing.IRouteTemplateProvider"): "Template",
    type_id(f"{MVC}Routing.IActionHttpMethodProvider"): "Methods",
    type_id(f"{_AUTHORIZATION}AuthorizeAttribute"): "Authorize",
    type_id(f"{_AUTHORIZATION}AllowAnonymousAttribute"): "AllowAnonymous",
    type_id(f"{_AUTHORIZATION}IAllowAnonymous"): "AllowAnonymous",
    **{
        type_id(f"{space}{name}Attribute"): name
        for space in _VERSIONING
        for name in ("ApiVersion", "MapToApiVersion", "ApiVersionNeutral")
    },
}  # fmt: skip
"""What an attribute class, or an interface that it implements, means here, by its id."""
FAMILIES: Final = frozenset(_FAMILIES.values())
PROVIDERS: Final = ("Route", "HttpMethod", "AcceptVerbs", *_VERBS)
"""Names of the attributes that say routes, without their suffix."""
PROVIDER_BASES: Final = (
    *(f"{name}Attribute" for name in PROVIDERS),
    "IRouteTemplateProvider",
    "IActionHttpMethodProvider",
    "AuthorizeAttribute",
)
"""What attribute classes derive from whose constructors are followed."""
HELD: Final = ("Template", "HttpMethods")
"""Properties in which an attribute class says its template and verbs itself."""
_MAX_STEPS: Final = 20


class Given(Struct, frozen=True, array_like=True):
    """An argument: the parameter or property it is for, and its text, or the texts of its elements. ``ordinal`` is that of the parameter;
    ``NOWHERE`` for a property."""

    name: str
    ordinal: int
    texts: tuple[Pieces, ...]


class AttributeUse(Struct, frozen=True, array_like=True):
    """An attribute of interest. ``family``: what its class means by what it derives from; ``type`` and ``constructor``: ids, to follow
    classes of the repository's own; ``declared_on``: empty for the declaration itself."""

    family: str
    type: str
    constructor: str
    given: tuple[Given, ...]
    declared_on: str = ""
    is_bound: bool = True


class PassedOn(Struct, frozen=True, array_like=True):
    """What one constructor of an attribute class passes on to another, and texts that its properties hold for all of them."""

    constructor: str
    target: str = ""
    given: tuple[Given, ...] = ()
    is_property: bool = False


class Said(Struct, frozen=True):
    """What an attribute says after its class was followed: texts by the name of the parameter or property of the framework's class."""

    family: str
    texts: Mapping[str, tuple[str, ...]]
    is_bound: bool = True

    def text(self, *names: str) -> str | None:
        return next((self.texts[name][0] for name in names if self.texts.get(name)), None)

    @property
    def template(self) -> str | None:
        return self.text("template", "Template", "Route")

    @property
    def verbs(self) -> tuple[str, ...] | None:
        """Null for an attribute that says none."""
        verb = _VERBS.get(self.family)
        if verb is not None:
            return (verb,)
        if self.family in ("HttpMethod", "AcceptVerbs", "Methods"):
            named = (self.texts.get(each) for each in ("httpMethods", "methods", "method", "HttpMethods"))
            return tuple(each.upper() for each in next((each for each in named if each), ()))
        methods = self.texts.get("HttpMethods")
        return tuple(each.upper() for each in methods) if methods else None

    @property
    def is_provider(self) -> bool:
        return self.family in PROVIDERS or self.family in ("Template", "Methods")


def uses(seen: Seen, attributes: Iterable[BoundAttribute]) -> tuple[AttributeUse, ...]:
    """Those that routes have to do with."""
    found = []
    for each in attributes:
        family = _family(seen, each)
        if family and not each.target:
            found.append(
                AttributeUse(
                    family,
                    each.type.id,
                    each.constructor or "",
                    (*_given(each.arguments), *_properties(each.named_arguments)),
                    each.declared_on,
                    each.type.form is not TypeForm.UNRESOLVED,
                )
            )
    return tuple(found)


def _family(seen: Seen, attribute: BoundAttribute) -> str:
    """By the nearest class; an interface counts where no class does; one that did not bind by its name."""
    if attribute.type.form is TypeForm.UNRESOLVED:
        name = attribute.type.name.removesuffix("Attribute")
        return name if name in FAMILIES else ""
    known = next((_FAMILIES[each] for each in (attribute.type.id, *attribute.base_ids) if each in _FAMILIES), "")
    if known or attribute.type.id.startswith(("T:System.", "T:Microsoft.")):
        return known
    return next((_FAMILIES[each] for each in seen.bases_of(attribute.type.id) if each in _FAMILIES), "")


def _given(arguments: Sequence[Argument]) -> tuple[Given, ...]:
    """Positional arguments; those of a ``params`` array, and elements of a written array, are texts of one."""
    by_parameter: dict[tuple[str, int], list[Pieces]] = {}
    for position, each in enumerate(arguments):
        ordinal = each.ordinal if each.ordinal != NOWHERE else position
        texts = by_parameter.setdefault((each.parameter, ordinal), [])
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


def passed_on(seen: Seen, declaration: BoundDeclaration, members: Iterable[BoundDeclaration]) -> Iterator[PassedOn]:
    """What the constructors of an attribute class pass on, and what its properties hold. ``members``: of this part of the class."""
    held = {each.symbol_id: each.value for each in members if each.value is not None}
    for event in seen.events.values():
        if event.name not in ("base", "this") or event.target is None or event.enclosing is None:
            continue
        if event.enclosing == declaration.symbol_id or container_of(event.enclosing) == declaration.symbol_id:
            arguments = [_with_held(each, held) for each in event.arguments]
            yield PassedOn(event.enclosing, event.target, _given(arguments))
    for each in members:
        if each.name in HELD and each.value is not None:
            yield _held(declaration, each.name, each.value)
    for event in seen.events.values():
        if event.kind is not EventKind.RETURN or not event.enclosing or not event.arguments:
            continue
        name = parse_id(event.enclosing).name
        if name in HELD and container_of(event.enclosing) == declaration.symbol_id:
            yield _held(declaration, name, event.arguments[0].value)


def _held(declaration: BoundDeclaration, name: str, value: Value) -> PassedOn:
    return PassedOn(declaration.symbol_id, given=_properties((Argument(value, name),)), is_property=True)


def _with_held(argument: Argument, held: Mapping[str, Value | None]) -> Argument:
    """An argument that names a field of the class, as what the field holds."""
    value = held.get(argument.value.symbol_id)
    return Argument(value, argument.parameter, argument.ordinal) if value is not None else argument


class AttributeClasses:
    """The attribute classes of the repository's own, from all documents."""

    def __init__(self, passed: Iterable[PassedOn]) -> None:
        self._constructors: Final[dict[str, PassedOn]] = {}
        self._properties: Final[dict[str, list[Given]]] = {}
        for each in passed:
            if each.is_property:
                self._properties.setdefault(each.constructor, []).extend(each.given)
            else:
                self._constructors.setdefault(each.constructor, each)

    def said(self, use: AttributeUse) -> Said:
        given = use.given
        constructor, type_ = use.constructor, use.type
        properties = {each.name: each for each in given if each.ordinal == NOWHERE}
        for _ in range(_MAX_STEPS):
            for each in self._properties.get(type_, ()):
                properties.setdefault(each.name, each)
            step = self._constructors.get(constructor) or self._constructors.get(type_)
            if step is None:
                break
            given = tuple(_substituted(each, given) for each in step.given)
            constructor, type_ = step.target, container_of(step.target)
        texts = {each.name or "template": _texts(each) for each in given if each.ordinal != NOWHERE}
        texts |= {name: _texts(each) for name, each in properties.items()}
        return Said(use.family, texts, use.is_bound)


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


def is_provider_class(declaration: BoundDeclaration) -> bool:
    """Whether its constructors say something of routes where it is used as an attribute."""
    return any(each.id in _FAMILIES and _FAMILIES[each.id] not in _MARKERS for each in declaration.all_bases)


_MARKERS: Final = frozenset({"NonAction", "NonController", "Controller", "ApiController"})
