"""The name of a symbol as someone spells it, and how exactly it means a given symbol.

    Order, Shop.Order, Order.Submit      any number of outer names, nearest last
    Order<T>, Map<,>, Order`1, Order{T}  the number of type parameters decides
    Outer+Inner                          the same as Outer.Inner
    Submit(int, Order order), Submit()   the overload with these parameters; without parentheses any
    new Order(int), Order..ctor          a constructor; Order.Order and Order.#ctor too
    Order.this[int], Order.Item          an indexer
    Order.operator +, op_Addition        an operator; ``explicit operator int`` names its type
    Order.IShippable.Ship                an explicit implementation
    T:…, M:Order.Submit(System.Int32)    a documentation-comment id, whole or without its outer names
    order.ts, src/order.ts, dark-blue    a file that is a symbol; names of other languages, with hyphens

Every spelling is read once; none is ever a beginning or a part of another name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from codemap_core.model.documentation_id import (
    CONSTRUCTOR,
    ID_PREFIXES,
    STATIC_CONSTRUCTOR,
    DocumentationId,
    IdPart,
    parse_id,
    split_outside,
)
from codemap_core.model.special_types import NAMESPACE
from codemap_core.queries.names.type_spelling import SPELT_TYPES, SpeltType, mismatch, parse_types
from codemap_core.storage.reading.symbol_names import NamedSymbol

_PART: Final = re.compile(r"@?(~?[^\W\d][\w$/-]*|#c?ctor|<\w+>\$|\{\w+\}\$)(?:`{1,2}(\d+)|<(.*)>|\{(.*)\})?", re.DOTALL)
_OPERATOR: Final = re.compile(
    r"(?:(.*)\.)?\s*(?:(implicit|explicit)\s+)?operator(?:\s+(checked)\b)?\s*([^\s(][^(]*?|\([^)]*\))\s*(\(.*\))?",
    re.DOTALL,
)
_INDEXER: Final = re.compile(r"(?:(.*)\.)?this\s*(?:\[(.*)\])?", re.DOTALL)
_CREATION: Final = re.compile(r"new\s+(.+)", re.DOTALL)
_NAMES_OF_CONSTRUCTORS: Final = {"ctor": CONSTRUCTOR, "cctor": STATIC_CONSTRUCTOR}
_METHOD_TYPE_PARAMETERS: Final = re.compile(r"[\w.>]<([^<>()]*)>\s*\(")
_ATTRIBUTE: Final = "Attribute"
_INDEXERS: Final = frozenset({"Item", "Chars"})
_METADATA_OPERATOR: Final = "op_"
_INDEXER_NAME: Final = "this[]"
_ENTRY_POINT: Final = "<Main>$"
OPERATORS: Final[Mapping[str, tuple[str, ...]]] = {
    "+": ("op_Addition", "op_UnaryPlus"),
    "-": ("op_Subtraction", "op_UnaryNegation"),
    "*": ("op_Multiply",),
    "/": ("op_Division",),
    "%": ("op_Modulus",),
    "&": ("op_BitwiseAnd",),
    "|": ("op_BitwiseOr",),
    "^": ("op_ExclusiveOr",),
    "!": ("op_LogicalNot",),
    "~": ("op_OnesComplement",),
    "<<": ("op_LeftShift",),
    ">>": ("op_RightShift",),
    ">>>": ("op_UnsignedRightShift",),
    "==": ("op_Equality",),
    "!=": ("op_Inequality",),
    "<": ("op_LessThan",),
    ">": ("op_GreaterThan",),
    "<=": ("op_LessThanOrEqual",),
    ">=": ("op_GreaterThanOrEqual",),
    "++": ("op_Increment",),
    "--": ("op_Decrement",),
    "true": ("op_True",),
    "false": ("op_False",),
}
"""Metadata names of an operator's token (ECMA-334 §15.10, CLI §I.10.3)."""
_CONVERSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("op_Implicit", "op_Explicit"),
    "implicit": ("op_Implicit",),
    "explicit": ("op_Explicit",),
}


class SpeltPart(Struct, frozen=True):
    """``arity``: null where the spelling does not say."""

    name: str
    arity: int | None = None


class Spelling(Struct, frozen=True, kw_only=True):
    """``parts``: outer names, then the symbol's; a constructor's is ``#ctor``, an indexer's ``this[]``. ``operators``: the metadata
    names that an operator's token may mean."""

    text: str
    parts: tuple[SpeltPart, ...]
    prefix: str = ""
    parameters: tuple[SpeltType, ...] | None = None
    operators: tuple[str, ...] = ()
    returns: SpeltType | None = None

    @property
    def name(self) -> str:
        return self.parts[-1].name

    @property
    def outer(self) -> tuple[SpeltPart, ...]:
        return self.parts[:-1]

    @property
    def container(self) -> Spelling | None:
        """The part before the last name, as a spelling of its own."""
        return Spelling(text=self.text, parts=self.outer) if self.outer else None


class Looseness(Struct, frozen=True, order=True):
    """How a spelling means a symbol; the least is what it means most exactly."""

    suffix_left_out: bool = False
    other_case: int = 0
    member_for_type: bool = False
    arity_left_out: int = 0
    interface_left_out: bool = False
    types: int = 0
    static_for_instance: bool = False
    """``Order.Order`` means the static constructor where there is no other."""


def parse_spelling(text: str) -> Spelling | None:
    """The name that ``text`` spells; null when it spells none."""
    bare = text.strip()
    prefix = ""
    if bare[:2] in ID_PREFIXES:
        prefix, bare = bare[0], bare[2:]
    bare = bare.removeprefix("global::")
    if not prefix:
        creation = _CREATION.fullmatch(bare)
        if creation is not None:
            made = _plain(creation[1], "", text)
            return None if made is None else _with_last(made, SpeltPart(CONSTRUCTOR))
        indexer = _INDEXER.fullmatch(bare)
        if indexer is not None:
            return _indexer(text, indexer[1], indexer[2])
        operator = _OPERATOR.fullmatch(bare)
        if operator is not None:
            return _operator(text, operator)
    return _plain(bare, prefix, text)


def names_to_seek(spelling: Spelling) -> tuple[str, ...]:
    """Simple names that symbols have which the spelling may mean: with the attribute suffix, and as C# and metadata call them."""
    name = spelling.name
    names = [name]
    if name in (CONSTRUCTOR, STATIC_CONSTRUCTOR):
        names = [spelling.outer[-1].name, name] if spelling.outer else []
    elif name in _INDEXERS or name == _INDEXER_NAME:
        names += [_INDEXER_NAME, *sorted(_INDEXERS)]
    elif name == "Main":
        names.append(_ENTRY_POINT)
    elif name == "Finalize" and spelling.outer:
        names.append(f"~{spelling.outer[-1].name}")
    elif name.startswith("~"):
        names.append("Finalize")
    elif not name.endswith(_ATTRIBUTE):
        names.append(name + _ATTRIBUTE)
    if spelling.outer:  # what is named like its file has its dots in its own name
        names.append(".".join(part.name for part in spelling.parts).rpartition("/")[2])
    return tuple(dict.fromkeys(names))


def looseness(spelling: Spelling, symbol: NamedSymbol) -> Looseness | None:
    """How exactly the spelling means the symbol; null when it does not. Without outer names no constructor is meant."""
    target = parse_id(symbol.symbol_id)
    if spelling.prefix and spelling.prefix != target.prefix:
        return None
    last = _last_mismatch(spelling, symbol, target)
    if last is None:
        return None
    outer = _outer_mismatch(spelling, target)
    if outer is None:
        return None
    types = _parameters_mismatch(spelling, symbol, target)
    if types is None:
        return None
    return Looseness(
        suffix_left_out=last[0] or outer[0],
        other_case=last[1] + outer[1],
        member_for_type=not spelling.outer and target.prefix != "T",
        arity_left_out=last[2] + outer[2],
        interface_left_out=outer[3],
        types=types,
        static_for_instance=target.name == STATIC_CONSTRUCTOR and spelling.name != STATIC_CONSTRUCTOR,
    )


_PartMismatch = tuple[bool, int, int]
"""Suffix left out, letters of other case, type parameters left out."""


def _last_mismatch(spelling: Spelling, symbol: NamedSymbol, target: DocumentationId) -> _PartMismatch | None:
    part = spelling.parts[-1]
    actual = target.parts[-1]
    if spelling.operators:
        return (False, 0, 0) if actual.name in spelling.operators else None
    if target.is_constructor:
        if part.name == actual.name:
            return False, 0, 0
        if not spelling.outer or len(target.parts) < 2:
            return None
        made = target.parts[-2]
        named = _name_mismatch(part, IdPart(made.name, 0 if part.arity is None else made.arity), is_type=False)
        if named is not None and not spelling.prefix:
            return named
        return None
    if part.name == _INDEXER_NAME:
        return (False, 0, 0) if symbol.name == _INDEXER_NAME or actual.name in _INDEXERS else None
    if not spelling.outer and symbol.name == _INDEXER_NAME:
        return None  # metadata's name of an indexer says too little by itself
    if part.name == "Main" and actual.name == _ENTRY_POINT:
        return (False, 1, 0) if spelling.outer else None
    found = _name_mismatch(part, actual, is_type=target.prefix == "T")
    if found is not None and part.arity is None and spelling.parameters is not None and target.prefix == "M":
        found = (
            found[0],
            found[1],
            int(actual.arity > 0),
        )  # with its parameters given, the overload without type parameters
    if found is None and symbol.name != actual.name:  # a finalizer, an indexer: as C# names it
        found = _name_mismatch(part, IdPart(symbol.name), is_type=False)
    return found


def _outer_mismatch(spelling: Spelling, target: DocumentationId) -> tuple[bool, int, int, bool] | None:
    """With whether the interface of an explicit implementation is left out."""
    containers = target.parts[:-1]
    if not target.interface:
        found = _suffix_mismatch(spelling.outer, containers)
        return None if found is None else (*found, False)
    for said in range(min(len(target.interface), len(spelling.outer) - 1), -1, -1):
        split = len(spelling.outer) - said
        before = _suffix_mismatch(spelling.outer[:split], containers)
        named = _suffix_mismatch(spelling.outer[split:], target.interface)
        if before is not None and named is not None:
            return before[0] or named[0], before[1] + named[1], before[2] + named[2], not said
    return None


def _suffix_mismatch(spelt: tuple[SpeltPart, ...], actual: tuple[IdPart, ...]) -> _PartMismatch | None:
    if len(spelt) > len(actual):
        return None
    suffix, case, arity = False, 0, 0
    for said, meant in zip(reversed(spelt), reversed(actual), strict=False):
        found = _name_mismatch(said, meant, is_type=True)
        if found is None:
            return None
        suffix, case, arity = suffix or found[0], case + found[1], arity + found[2]
    return suffix, case, arity


def _name_mismatch(said: SpeltPart, meant: IdPart, *, is_type: bool) -> _PartMismatch | None:
    if said.arity is not None and said.arity != meant.arity:
        return None
    left_out = 1 if is_type and said.arity is None and meant.arity else 0
    name = meant.name if "/" in said.name else meant.name.rpartition("/")[2]
    if said.name == name:
        return False, 0, left_out
    mine, its = said.name.lower(), name.lower()
    if mine == its:
        return False, 1, left_out
    if is_type and meant.name.endswith(_ATTRIBUTE) and its == mine + _ATTRIBUTE.lower():
        return True, 0 if said.name + _ATTRIBUTE == meant.name else 1, left_out
    return None


def _parameters_mismatch(spelling: Spelling, symbol: NamedSymbol, target: DocumentationId) -> int | None:
    if spelling.parameters is None:
        if spelling.returns is not None:
            return _types_mismatch((spelling.returns,), target.returns, symbol)
        return 0
    if target.prefix not in ("M", "P"):
        return None
    actual = ",".join(target.parameters or ())
    found = _types_mismatch(spelling.parameters, actual, symbol)
    if found is None or spelling.returns is None:
        return found
    returned = _types_mismatch((spelling.returns,), target.returns, symbol)
    return None if returned is None else found + returned


def _types_mismatch(spelt: tuple[SpeltType, ...], actual: str, symbol: NamedSymbol) -> int | None:
    types = parse_types(actual)
    if types is None or len(types) != len(spelt):
        return None
    placeholders = type_parameters(symbol) if "`" in actual else {}
    badness = 0
    for said, meant in zip(spelt, types, strict=True):
        found = mismatch(said, meant, placeholders)
        if found is None:
            return None
        badness += found
    return badness


def type_parameters(symbol: NamedSymbol) -> dict[str, str]:
    """Names of type parameters by placeholder, as the symbol's own name and signature spell them."""
    names: dict[str, str] = {}
    count = 0
    for piece in split_outside(symbol.full_name, "."):
        _, opening, arguments = piece.partition("<")
        if opening and not piece.startswith("<"):
            for name in split_outside(arguments.removesuffix(">"), ","):
                names[f"`{count}"] = name.strip()
                count += 1
    own = _METHOD_TYPE_PARAMETERS.search(symbol.signature)
    if own is not None:
        for position, name in enumerate(split_outside(own[1], ",")):
            names[f"``{position}"] = name.strip().rpartition(" ")[2]
    return names


def _plain(bare: str, prefix: str, text: str) -> Spelling | None:
    bare, _, returns = bare.partition("~") if prefix or ")~" in bare else (bare, "", "")
    head, arguments = _parameter_list(bare)
    parameters = None
    if arguments is not None:
        parameters = parse_types(arguments)
        if parameters is None:
            return None
    pieces: list[str] = []
    head = head.strip().replace("..ctor", f".{CONSTRUCTOR}").replace("..cctor", f".{STATIC_CONSTRUCTOR}")
    for piece in split_outside(head.replace("+", "."), "."):
        explicit = split_outside(piece, "#") if "#" in piece and not piece.startswith("#") else [piece]
        pieces += [each.strip() for each in explicit]
    parts = [_spelt_part(piece) for piece in pieces]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None
    first = known[0]
    if first.name in SPELT_TYPES and first.arity is None and not pieces[0].startswith("@"):
        known[:1] = [SpeltPart(NAMESPACE), SpeltPart(SPELT_TYPES[first.name])]
    returned = parse_types(returns) if returns else None
    return Spelling(
        text=text,
        parts=tuple(known),
        prefix=prefix,
        parameters=parameters,
        operators=(known[-1].name,) if known[-1].name.startswith(_METADATA_OPERATOR) else (),
        returns=returned[0] if returned else None,
    )


def _parameter_list(text: str) -> tuple[str, str | None]:
    """The text before the parameters, and the text between their parentheses; null if there are none."""
    if not text.endswith(")"):
        return text, None
    depth = 0
    for position, character in enumerate(text):
        if character in "<{[":
            depth += 1
        elif character in ">}]":
            depth -= 1
        elif character == "(" and depth <= 0:
            return text[:position], text[position + 1 : -1]
    return text, None


def _spelt_part(piece: str) -> SpeltPart | None:
    match = _PART.fullmatch(piece)
    if match is None:
        return None
    name, number, angle, brace = match.groups()
    name = name.replace("{", "<").replace("}", ">")
    if number is not None:
        return SpeltPart(name, int(number))
    arguments = angle if angle is not None else brace
    return SpeltPart(name, None if arguments is None else len(split_outside(arguments, ",")))


def _with_last(spelling: Spelling, part: SpeltPart) -> Spelling:
    return Spelling(text=spelling.text, parts=(*spelling.parts, part), parameters=spelling.parameters)


def _indexer(text: str, outer: str | None, arguments: str | None) -> Spelling | None:
    container = _plain(outer, "", text) if outer else Spelling(text=text, parts=())
    if container is None:
        return None
    parameters = parse_types(arguments) if arguments and arguments.strip() else None
    return Spelling(text=text, parts=(*container.parts, SpeltPart(_INDEXER_NAME)), parameters=parameters)


def _operator(text: str, match: re.Match[str]) -> Spelling | None:
    outer, conversion, checked, token, arguments = match.groups()
    container = _plain(outer, "", text) if outer else Spelling(text=text, parts=())
    parameters = parse_types(arguments[1:-1]) if arguments else None
    if container is None or (arguments and parameters is None):
        return None
    parts = (*container.parts, SpeltPart(f"operator {token}"))
    names = OPERATORS.get(token)
    if names is not None and not conversion:
        if checked:
            names = tuple(name.replace("op_", "op_Checked") for name in names)
        return Spelling(text=text, parts=parts, parameters=parameters, operators=names)
    returned = parse_types(token)
    if returned is None or len(returned) != 1:
        return None
    converts = _CONVERSIONS[conversion or ""]
    return Spelling(text=text, parts=parts, parameters=parameters, operators=converts, returns=returned[0])
