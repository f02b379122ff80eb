"""Members of types, source and library alike: what lookup finds and overload resolution chooses among.

A member's types are those of its declaration; a constructed container's arguments are put in by ``substitute`` where it is used. Signatures
are resolved when first asked for: most members of a type never are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Final

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.symbols.definitions import TypePart
from codemap_plugins.csharp.symbols.types import Type, TypeDefinition, TypeFactory, contains_error, documentation_id
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration

UNKNOWN: Final = TypeFactory().error("?", reason="unknown")
"""The type of what could not be bound. It converts to everything, and nothing is concluded from it."""


class MemberKind(IntEnum):
    METHOD = 0
    CONSTRUCTOR = 1
    PROPERTY = 2
    INDEXER = 3
    FIELD = 4
    EVENT = 5
    OPERATOR = 6


class Passing(IntEnum):
    """How a parameter is passed; the values of ``bodies.RefKind``."""

    VALUE = 0
    REF = 1
    OUT = 2
    IN = 3
    REF_READONLY = 4


class ParameterSymbol:
    __slots__ = ("is_optional", "is_params", "name", "passing", "type")

    def __init__(
        self, name: str, type_: Type, passing: int = 0, is_optional: bool = False, is_params: bool = False
    ) -> None:
        self.name = name
        self.type = type_
        self.passing = passing
        self.is_optional = is_optional
        self.is_params = is_params


class TypeParameterSymbol:
    """A method's or type's type parameter with its constraints, in the terms of its declaration."""

    __slots__ = ("allows_ref_struct", "constraints", "has_class", "has_new", "has_struct", "name", "variance")

    def __init__(
        self,
        name: str,
        constraints: tuple[Type, ...],
        has_class: bool,
        has_struct: bool,
        variance: int = 0,
        has_new: bool = False,
        allows_ref_struct: bool = False,
    ) -> None:
        """``variance``: 1 for ``out``, -1 for ``in``, else 0."""
        self.allows_ref_struct = allows_ref_struct
        self.variance = variance
        self.name = name
        self.constraints = constraints
        self.has_class = has_class
        self.has_struct = has_struct
        self.has_new = has_new


_LITERAL_VALUE: Final = re.compile(r" = (-? ?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|[1-9][\d_]*|0))[uUlL]*$")


class Member:
    """One member. Signatures are resolved when first asked for: most members of a type never are."""

    __slots__ = (
        "_signature",
        "_symbol_id",
        "arity",
        "can_write",
        "declaration",
        "definition",
        "explicit_interface",
        "index",
        "is_abstract",
        "is_extension",
        "is_override",
        "is_static",
        "is_virtual",
        "kind",
        "maximum",
        "minimum",
        "name",
        "part",
        "priority",
        "visibility",
    )

    def __init__(
        self,
        kind: MemberKind,
        name: str,
        definition: TypeDefinition,
        *,
        is_static: bool,
        visibility: Visibility,
        load: Callable[[], Signature],
        symbol_id: str | Callable[[], str],
        arity: int = 0,
        minimum: int = 0,
        maximum: int = 0,
        is_extension: bool = False,
        is_override: bool = False,
        is_virtual: bool = False,
        is_abstract: bool = False,
        can_write: bool = True,
        priority: int = 0,
        declaration: MemberDeclaration | None = None,
        part: TypePart | None = None,
        index: int = -1,
    ) -> None:
        """``declaration``, ``part`` and ``index``: of one with source, how it is declared, in which part, and its number in that file."""
        self.kind = kind
        self.name = name
        self.definition = definition
        self.is_static = is_static
        self.visibility = visibility
        self.arity = arity
        self.minimum = minimum
        """Arguments it takes at least and at most, the receiver of an extension counted; ``MANY`` with ``params``."""
        self.maximum = maximum
        self.is_extension = is_extension
        self.is_override = is_override
        self.is_virtual = is_virtual
        self.is_abstract = is_abstract
        self.can_write = can_write
        self.priority = priority
        self.declaration = declaration
        self.part = part
        self.index = index
        self.explicit_interface = declaration is not None and declaration.explicit_interface is not None
        self._signature: Signature | Callable[[], Signature] = load
        self._symbol_id = symbol_id

    @property
    def is_static_extension(self) -> bool:
        """A static member of an ``extension`` block (C# 14): a member of the type that the block extends, not of its values."""
        return self.is_static and self.definition.is_extension_block

    @property
    def type_parameter_count(self) -> int:
        """How many type arguments a call may give: those of its ``extension`` block first (C# 14)."""
        return len(self.signature.type_parameters) if self.definition.is_extension_block else self.arity

    @property
    def is_constant(self) -> bool:
        """A ``const`` field with source."""
        return self.declaration is not None and self.declaration.kind is DeclarationKind.CONSTANT

    @property
    def is_command(self) -> bool:
        """A property that a source generator makes of a method, which is what refers to it means."""
        declaration = self.declaration
        is_property = self.kind is MemberKind.PROPERTY
        return is_property and declaration is not None and declaration.kind is DeclarationKind.METHOD

    @property
    def constant(self) -> int | None:
        """Value of a constant that an integer literal declares: its signature ends in it. What is computed is not followed."""
        if self.declaration is None or not self.is_constant:
            return None
        literal = _LITERAL_VALUE.search(self.declaration.signature)
        return int(literal[1].replace("_", "").replace(" ", ""), 0) if literal is not None else None

    @property
    def signature(self) -> Signature:
        found = self._signature
        if not isinstance(found, Signature):
            found = self._signature = found()
        return found

    @property
    def parameters(self) -> Sequence[ParameterSymbol]:
        return self.signature.parameters

    def takes_others(self, hiding: Member) -> bool:
        """It is applicable where ``hiding``, a derived member of the same signature, is not: to fewer arguments, or more. An override hides
        nothing."""
        return not hiding.is_override and (self.minimum < hiding.minimum or self.maximum > hiding.maximum)

    @property
    def type(self) -> Type:
        """Return type of a method, type of anything else."""
        return self.signature.type

    @property
    def symbol_id(self) -> str:
        found = self._symbol_id
        if not isinstance(found, str):
            found = self._symbol_id = found()
        return found

    @property
    def is_external(self) -> bool:
        return self.definition.external


class Signature:
    __slots__ = ("has_error", "key", "parameters", "type", "type_parameters")

    def __init__(
        self,
        type_: Type,
        parameters: tuple[ParameterSymbol, ...] = (),
        type_parameters: tuple[TypeParameterSymbol, ...] = (),
    ) -> None:
        self.type = type_
        self.parameters = parameters
        self.type_parameters = type_parameters
        self.has_error = any(contains_error(each.type) for each in parameters) or any(
            contains_error(each) for parameter in type_parameters for each in parameter.constraints
        )
        """A parameter or a constraint names a type that was not found."""
        self.key = f"{len(type_parameters)}({','.join(documentation_id(p.type) + ('@' if p.passing else '') for p in parameters)})"


MemberMap = Mapping[str, tuple[Member, ...]]

INDEXER_NAME: Final = "this[]"
"""Indexers are filed under this name, whatever their metadata name."""
CONSTRUCTOR_NAME: Final = ".ctor"
MANY: Final = 1 << 20
"""``Member.maximum`` of a member with ``params``."""


class AnonymousTypeDefinition(TypeDefinition):
    """An anonymous type (ECMA-334 §12.8.17.7): structural, generic over the types of its members; it has no id."""

    __slots__ = ("member_names",)

    def __init__(self, member_names: tuple[str, ...]) -> None:
        super().__init__("", (("<anonymous>", len(member_names)),), SymbolKind.CLASS, False, external=True)
        self.member_names: Final = member_names


def anonymous_members(definition: AnonymousTypeDefinition, factory: TypeFactory) -> MemberMap:
    """Read-only properties; their empty ids say that nothing refers to them."""

    def load(index: int, name: str) -> Callable[[], Signature]:
        return lambda: Signature(factory.parameter(name, index, False))

    return {
        name: (
            Member(
                MemberKind.PROPERTY,
                name,
                definition,
                is_static=False,
                visibility=Visibility.PUBLIC,
                load=load(index, name),
                symbol_id="",
                can_write=False,
            ),
        )
        for index, name in enumerate(definition.member_names)
    }
