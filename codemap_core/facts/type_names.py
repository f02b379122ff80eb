"""Types as facts name them: short for people, and in full without type arguments for programs."""

from __future__ import annotations

from functools import lru_cache

from codemap_core.model.bound import BoundType, TypeForm
from codemap_core.model.documentation_id import parse_id
from codemap_core.model.special_types import KEYWORDS_BY_ID, NULLABLE_ID, TUPLE_IDS


def display_type(type_: BoundType) -> str:
    """Simple names with type arguments, C# keywords, ``int?``, tuples and arrays; containing types and namespaces left out. An open
    generic type is ``IRepo<>`` or ``IMap<,>``."""
    match type_.form:
        case TypeForm.ARRAY:
            return _array(type_)
        case TypeForm.POINTER:
            return f"{display_type(type_.arguments[0])}*" if type_.arguments else type_.name
        case TypeForm.NAMED:
            return _named(type_)
        case TypeForm.UNRESOLVED:
            return type_.name + _in_brackets([display_type(each) for each in type_.arguments])
    return type_.name


def full_name(type_: BoundType) -> str:
    """With namespace and containing types, without type arguments; of what was not found the name as written."""
    if not type_.id:
        return type_.name
    return _qualified(type_.id)


def _array(type_: BoundType) -> str:
    """``int[][,]`` is a one-dimensional array of two-dimensional ones (ECMA-334 §17.2.1)."""
    ranks = ""
    while type_.form is TypeForm.ARRAY:
        ranks += f"[{',' * (type_.rank - 1)}]"
        type_ = type_.arguments[0]
    return display_type(type_) + ranks


def _named(type_: BoundType) -> str:
    keyword = KEYWORDS_BY_ID.get(type_.id)
    if keyword is not None:
        return keyword
    arguments = [display_type(each) for each in type_.arguments]
    if type_.id == NULLABLE_ID and arguments:
        return f"{arguments[0]}?"
    if type_.id.startswith(TUPLE_IDS) and len(arguments) > 1:
        return f"({', '.join(_elements(type_))})"
    arity = _arity(type_.id)
    own = arguments[len(arguments) - arity :] if arguments else [""] * arity
    return type_.name + _in_brackets(own)


@lru_cache(maxsize=4096)
def _qualified(type_id: str) -> str:
    """Remembered, as ``_arity``: few types are named often."""
    return ".".join(part.name for part in parse_id(type_id).parts)


@lru_cache(maxsize=4096)
def _arity(type_id: str) -> int:
    return parse_id(type_id).parts[-1].arity


def _elements(type_: BoundType) -> list[str]:
    """Of a tuple; those from the eighth on are a tuple of their own (ECMA-334 §8.3.11)."""
    elements = [display_type(each) for each in type_.arguments[:7]]
    rest = type_.arguments[7:]
    return [*elements, *_elements(rest[0])] if rest else elements


def _in_brackets(arguments: list[str]) -> str:
    if not arguments:
        return ""
    return f"<{(', ' if any(arguments) else ',').join(arguments)}>"
