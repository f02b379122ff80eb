"""The 26 type designators of CodeRef2, and what of C# and TypeScript each one stands for.

Every symbol has one designator that references to it are written with, its own; further ones may be used to ask for it (a static method is
written ``Fn`` and found by ``M`` too). Designators for what the index does not hold are valid in a reference and find nothing, which
``ABSENT`` explains.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from codemap_core.model import SymbolKind


class Designator(StrEnum):
    FILE = "F"
    DIRECTORY = "D"
    CLASS = "C"
    FUNCTION = "Fn"
    CLOSURE = "Cl"
    METHOD = "M"
    PROPERTY = "P"
    VARIABLE = "V"
    CONSTANT = "K"
    ENUM = "E"
    INTERFACE = "I"
    TRAIT = "Tr"
    MODULE = "Mo"
    PACKAGE = "Pkg"
    NAMESPACE = "N"
    TYPE_DEFINITION = "TD"
    GENERIC = "G"
    DECORATOR = "Dec"
    PARAMETER = "Param"
    FIELD = "Fd"
    ATTRIBUTE = "Attr"
    TEST = "Test"
    FIXTURE = "Fix"
    MACRO = "Macro"
    ANNOTATION = "Ann"
    CUSTOM = "Custom"


class Role(StrEnum):
    """What a symbol is beyond its kind; found through its references or its id."""

    GENERIC = "generic"
    """It has type parameters of its own."""
    ATTRIBUTE_CLASS = "attribute class"
    """It derives from ``System.Attribute``."""
    TEST = "test"
    """It has an attribute by which a test framework finds test methods."""
    FIXTURE = "fixture"
    """It has an attribute that makes it a test class, or declares test methods."""


class Meaning:
    """What a designator asks for: symbols of some kinds, with a role or a modifier where there is one. ``static``: only those that are. No
    kinds: symbols of any kind that has no designator of its own."""

    def __init__(self, *kinds: SymbolKind, role: Role | None = None, static: bool = False, modifier: str = "") -> None:
        self.kinds: Final = kinds
        self.role: Final = role
        self.static: Final = static
        self.modifier: Final = modifier


COMPONENT: Final = SymbolKind("component")
FUNCTION: Final = SymbolKind("function")
MODULE: Final = SymbolKind("module")
"""A file of TypeScript, as what its code belongs to."""
_ALIAS: Final = SymbolKind("type")
_NAMESPACE: Final = SymbolKind("namespace")
_VARIABLE: Final = SymbolKind("variable")

_CLASSES: Final = (SymbolKind.CLASS, SymbolKind.RECORD, SymbolKind.STRUCT, COMPONENT)
_TYPES: Final = (*_CLASSES, SymbolKind.INTERFACE, SymbolKind.DELEGATE, _ALIAS)
MEANINGS: Final[Mapping[Designator, tuple[Meaning, ...]]] = {
    Designator.CLASS: (Meaning(*_CLASSES),),
    Designator.INTERFACE: (Meaning(SymbolKind.INTERFACE),),
    Designator.ENUM: (Meaning(SymbolKind.ENUM),),
    Designator.TYPE_DEFINITION: (Meaning(SymbolKind.DELEGATE, _ALIAS),),
    Designator.METHOD: (Meaning(SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.OPERATOR),),
    Designator.FUNCTION: (Meaning(SymbolKind.METHOD, SymbolKind.OPERATOR, static=True), Meaning(FUNCTION)),
    Designator.PROPERTY: (Meaning(SymbolKind.PROPERTY, SymbolKind.INDEXER),),
    Designator.FIELD: (Meaning(SymbolKind.FIELD, SymbolKind.EVENT),),
    Designator.VARIABLE: (Meaning(SymbolKind.FIELD, _VARIABLE),),
    Designator.CONSTANT: (Meaning(SymbolKind.CONSTANT), Meaning(_VARIABLE, modifier="const")),
    Designator.GENERIC: (Meaning(*_TYPES, SymbolKind.METHOD, FUNCTION, role=Role.GENERIC),),
    Designator.ATTRIBUTE: (Meaning(SymbolKind.CLASS, role=Role.ATTRIBUTE_CLASS),),
    Designator.ANNOTATION: (Meaning(SymbolKind.CLASS, role=Role.ATTRIBUTE_CLASS),),
    Designator.DECORATOR: (Meaning(SymbolKind.CLASS, role=Role.ATTRIBUTE_CLASS),),
    Designator.TEST: (Meaning(SymbolKind.METHOD, role=Role.TEST),),
    Designator.FIXTURE: (Meaning(SymbolKind.CLASS, SymbolKind.RECORD, role=Role.FIXTURE),),
    Designator.MODULE: (Meaning(MODULE),),
    Designator.NAMESPACE: (Meaning(_NAMESPACE),),
    Designator.CUSTOM: (Meaning(),),
}
"""Designators that stand for symbols, and what each finds. ``F``, ``D`` and ``Pkg`` stand for files, folders and packages; ``Mo`` and ``N``
for projects and for namespaces of C# too."""

ABSENT: Final[Mapping[Designator, str]] = {
    Designator.CLOSURE: "Lambdas and local functions are part of the member that contains them: ask for that one (M or Fn).",
    Designator.TRAIT: "C# and TypeScript have no traits: interfaces (I) come closest.",
    Designator.MACRO: "C# and TypeScript have no macros.",
    Designator.PARAMETER: "Parameters are part of their method, whose signature has them: ask for that one (M or Fn).",
}
"""Designators of what the index does not hold, and what to ask for in place of it."""

_OWN: Final[Mapping[SymbolKind, Designator]] = {
    SymbolKind.CLASS: Designator.CLASS,
    SymbolKind.STRUCT: Designator.CLASS,
    SymbolKind.RECORD: Designator.CLASS,
    SymbolKind.INTERFACE: Designator.INTERFACE,
    SymbolKind.ENUM: Designator.ENUM,
    SymbolKind.DELEGATE: Designator.TYPE_DEFINITION,
    SymbolKind.METHOD: Designator.METHOD,
    SymbolKind.CONSTRUCTOR: Designator.METHOD,
    SymbolKind.OPERATOR: Designator.FUNCTION,
    SymbolKind.PROPERTY: Designator.PROPERTY,
    SymbolKind.INDEXER: Designator.PROPERTY,
    SymbolKind.FIELD: Designator.FIELD,
    SymbolKind.EVENT: Designator.FIELD,
    SymbolKind.CONSTANT: Designator.CONSTANT,
    COMPONENT: Designator.CLASS,
    FUNCTION: Designator.FUNCTION,
    MODULE: Designator.MODULE,
    _ALIAS: Designator.TYPE_DEFINITION,
    _NAMESPACE: Designator.NAMESPACE,
    _VARIABLE: Designator.VARIABLE,
}


def designator_of(kind: SymbolKind, is_static: bool) -> Designator:
    """The own designator of a symbol; ``Custom`` for further kinds that plug-ins add."""
    if kind is SymbolKind.METHOD and is_static:
        return Designator.FUNCTION
    return _OWN.get(kind, Designator.CUSTOM)


def known_kinds() -> frozenset[SymbolKind]:
    """The kinds that have a designator other than ``Custom``."""
    return frozenset(_OWN)
