"""The type that a factory gives: of a lambda or local function, the type that all its ``return``s share."""

from __future__ import annotations

from typing import Final

from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, EventKind, RegionKind, TypeForm, Value

_FUNCTIONS: Final = frozenset({RegionKind.LAMBDA, RegionKind.LOCAL_FUNCTION})


def made_by(factory: Value, document: BoundDocument) -> BoundType | None:
    """Null where the body is not at hand, where the types differ, and where one is not known."""
    if factory.region == NOWHERE or factory.parameter != NOWHERE:
        return None
    shared: BoundType | None = None
    for event in document.events:
        if event.kind is not EventKind.RETURN or _function_of(document, event.region) != factory.region:
            continue
        value = event.arguments[0].value
        if value.constant is not None and value.constant.value is None:
            continue
        if value.type is None or value.type.form in (TypeForm.UNRESOLVED, TypeForm.DYNAMIC):
            return None
        if shared is not None and value.type != shared:
            return None
        shared = value.type
    return shared


def _function_of(document: BoundDocument, region: int) -> int:
    """The function whose ``return`` stands in a region."""
    while region != NOWHERE and document.regions[region].kind not in _FUNCTIONS:
        region = document.regions[region].parent
    return region
