"""Documentation-comment ids taken apart (ECMA-334 annex D.4.2), and read back as names.

``M:Shop.Order`1.Add``1(`0,System.Int32)`` is the prefix, the parts ``Shop``, ``Order`` (arity 1) and ``Add`` (arity 1), and
the types of its parameters. Parts are namespaces, then types, then at most one member: an id does not say which is which.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Final

from msgspec import Meta, Struct

SymbolId = Annotated[str, Meta(extra={"names": "a symbol"})]
"""The id of a symbol, as a field of a row: an index stores each id once."""
ID_PREFIXES: Final = ("T:", "M:", "P:", "F:", "E:")
"""The prefixes of ids that mean a symbol: types, methods, properties, fields, events."""
CONSTRUCTOR: Final = "#ctor"
STATIC_CONSTRUCTOR: Final = "#cctor"
_CONSTRUCTORS: Final = (CONSTRUCTOR, STATIC_CONSTRUCTOR)
TYPE_PREFIX: Final = "T:"
METHOD_PREFIX: Final = "M:"
PROPERTY_PREFIX: Final = "P:"
EVENT_PREFIX: Final = "E:"
ERROR_PREFIX: Final = "!:"
"""Before the name of what could not be resolved (ECMA-334 annex D.4.2)."""
_OPENING: Final = "<{(["
_CLOSING: Final = ">})]"
_ARITY: Final = re.compile(r"``?(\d+)$")


class IdPart(Struct, frozen=True):
    """A namespace, a type or a member. ``arity``: the number of its own type parameters."""

    name: str
    arity: int = 0


class DocumentationId(Struct, frozen=True):
    """``prefix``: its letter. ``interface``: of an explicit implementation, the parts of the interface's name. ``parameters``:
    their types as the id has them; null where it has no parameter list."""

    prefix: str
    parts: tuple[IdPart, ...]
    interface: tuple[IdPart, ...] = ()
    parameters: tuple[str, ...] | None = None
    returns: str = ""

    @property
    def name(self) -> str:
        """The name of the last part; ``#ctor`` for a constructor."""
        return self.parts[-1].name

    @property
    def is_constructor(self) -> bool:
        return self.name in _CONSTRUCTORS


def is_type_id(symbol_id: str) -> bool:
    """Whether an id means a type."""
    return symbol_id.startswith(TYPE_PREFIX)


def is_method_id(symbol_id: str) -> bool:
    """Whether an id means a method, constructors and operators included."""
    return symbol_id.startswith(METHOD_PREFIX)


def type_id(metadata_name: str) -> str:
    """The id of a type: of ``System.Func`2``, ``T:System.Func`2``."""
    return TYPE_PREFIX + metadata_name


def type_ids(*metadata_names: str) -> tuple[str, ...]:
    """The id of each of the types, in their order."""
    return tuple(map(type_id, metadata_names))


def qualified_name(symbol_id: str) -> str:
    """What follows the prefix: ``Shop.Order.Submit(System.Int32)``."""
    return symbol_id.partition(":")[2]


def is_constructor_id(symbol_id: str) -> bool:
    """Whether an id means a constructor of instances."""
    return symbol_id.partition("(")[0].endswith(f".{CONSTRUCTOR}")


def has_no_parameters(symbol_id: str) -> bool:
    return "(" not in symbol_id


@lru_cache(maxsize=1 << 12)  # extractors ask about the same ids again and again
def parse_id(symbol_id: str) -> DocumentationId:
    """Of an id without a prefix of one letter, which is another form of ids, the parts are those of the whole. What is not well formed
    gives parts that match nothing."""
    bare, _, returns = _bare(symbol_id).partition("~")
    bare, opening, rest = bare.partition("(")
    parameters = tuple(split_outside(rest.removesuffix(")"), ",")) if opening else None
    pieces = split_outside(bare, ".") if "{" in bare else bare.split(".")
    interface: tuple[IdPart, ...] = ()
    last = pieces[-1]
    if "#" in last and last not in _CONSTRUCTORS:
        *explicit, last = split_outside(last, "#")
        interface = tuple(_interface_part(piece) for piece in explicit)
    parts = tuple(_part(piece) for piece in (*pieces[:-1], last))
    return DocumentationId(symbol_id[:1] if symbol_id[1:2] == ":" else "", parts, interface, parameters, returns)


def container_of(symbol_id: str) -> str:
    """The id of the type that contains a member, as its own id says."""
    bare = _bare(symbol_id).partition("(")[0].partition("~")[0]
    return type_id(bare.rpartition(".")[0])


def readable_name(symbol_id: str) -> str:
    """The qualified name in an id: ``System.Linq.Enumerable.Where<T>``; a constructor's ends with its type's name."""
    parsed = parse_id(symbol_id)
    names = [f"{part.name}{_type_parameters(part.arity)}" for part in parsed.parts]
    if parsed.is_constructor and len(parsed.parts) > 1:
        names[-1] = parsed.parts[-2].name
    elif parsed.name == "Item" and parsed.prefix == "P" and parsed.parameters:
        names[-1] = "this[]"
    if parsed.interface:
        names[-1:-1] = [f"{part.name}{_type_parameters(part.arity)}" for part in parsed.interface]
    return ".".join(names)


def split_outside(text: str, separator: str) -> list[str]:
    """The pieces of ``text`` between separators that stand outside all brackets."""
    pieces: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == separator and depth <= 0:
            pieces.append(text[start:position])
            start = position + 1
    pieces.append(text[start:])
    return pieces


def _bare(symbol_id: str) -> str:
    return symbol_id[2:] if symbol_id[1:2] == ":" else symbol_id


def _part(piece: str) -> IdPart:
    if "`" in piece:
        arity = _ARITY.search(piece)
        if arity is not None:
            return IdPart(piece[: arity.start()], int(arity[1]))
    if piece.startswith("{"):  # the braces stand for angle brackets: {Main}$
        return IdPart(piece.replace("{", "<").replace("}", ">"))
    return IdPart(piece)


def _interface_part(piece: str) -> IdPart:
    name, opening, arguments = piece.partition("{")
    return IdPart(name, len(split_outside(arguments.removesuffix("}"), ",")) if opening else 0)


def _type_parameters(arity: int) -> str:
    if arity < 2:
        return "<T>" if arity else ""
    return f"<{','.join(f'T{n}' for n in range(1, arity + 1))}>"
