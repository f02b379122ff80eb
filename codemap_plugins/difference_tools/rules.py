"""The rules of compatibility by name: .NET's change rules (learn.microsoft.com, "Change rules for compatibility"), and whom each breaks.

docs/difference.md has the same table; a test compares the two.
"""

from __future__ import annotations

from enum import Enum

from codemap_core.queries.difference.views import Break, Effect

_BOTH = (Effect.BINARY, Effect.SOURCE)


class Rule(Enum):
    """``effects``: whom a violation breaks; ``title``: what was done."""

    TYPE_REMOVED = ("type-removed", _BOTH, "A public type was removed")
    TYPE_RENAMED = ("type-renamed", _BOTH, "A public type has another name")
    NAMESPACE_CHANGED = ("namespace-changed", _BOTH, "A public type is in another namespace or type")
    ASSEMBLY_CHANGED = (
        "assembly-changed",
        (Effect.BINARY,),
        "A public type is in another assembly; forwarding is not checked",
    )
    KIND_CHANGED = ("kind-changed", _BOTH, "A type or member is of another kind: class, struct, field, property")
    VISIBILITY_NARROWED = ("visibility-narrowed", _BOTH, "A type or member can be seen by fewer")
    TYPE_SEALED = ("type-sealed", _BOTH, "A type that could be derived from is sealed or static")
    TYPE_ABSTRACT = ("type-abstract", _BOTH, "A type that could be created is abstract")
    READONLY_STRUCT_LOST = ("readonly-struct-lost", (Effect.SOURCE,), "A readonly struct is not readonly any more")
    REF_STRUCT_CHANGED = ("ref-struct-changed", _BOTH, "A struct became a ref struct, or the other way round")
    ENUM_TYPE_CHANGED = ("enum-type-changed", _BOTH, "An enumeration has another underlying type")
    BASE_REMOVED = ("base-removed", _BOTH, "A type has lost a base class")
    INTERFACE_REMOVED = ("interface-removed", _BOTH, "A type has lost an interface")
    INTERFACE_EXTENDED = (
        "interface-extended",
        _BOTH,
        "An interface has a further base interface that asks for members",
    )
    CONSTRAINT_ADDED = ("constraint-added", _BOTH, "A type parameter is constrained further")
    CONSTRUCTOR_LOST = (
        "constructor-lost",
        _BOTH,
        "A class has a constructor now, and with it lost the one without parameters",
    )
    MEMBER_REMOVED = ("member-removed", _BOTH, "A public member was removed, and no base type declares it")
    MEMBER_RENAMED = ("member-renamed", _BOTH, "A public member has another name")
    MEMBER_MOVED = ("member-moved", _BOTH, "A public member is in another type")
    PARAMETERS_CHANGED = ("parameters-changed", _BOTH, "Parameters were added, removed, reordered or have other types")
    OPTIONAL_PARAMETER_ADDED = (
        "optional-parameter-added",
        (Effect.BINARY,),
        "Optional parameters were added at the end",
    )
    PARAMETER_RENAMED = ("parameter-renamed", (Effect.SOURCE,), "A parameter has another name")
    PARAMETER_MODE_CHANGED = ("parameter-mode-changed", _BOTH, "A parameter gained or lost in, out or ref")
    PARAMS_LOST = ("params-lost", (Effect.SOURCE,), "A parameter is no longer params, or no longer this")
    DEFAULT_LOST = ("default-lost", (Effect.SOURCE,), "A parameter is no longer optional")
    DEFAULT_CHANGED = ("default-changed", (Effect.BEHAVIOR,), "A parameter has another default value")
    TYPE_CHANGED = ("type-changed", _BOTH, "A member is of, or returns, another type")
    ACCESSOR_LOST = ("accessor-lost", _BOTH, "A property lost an accessor, or can be written by fewer")
    REQUIRED_ADDED = ("required-added", (Effect.SOURCE,), "A property or field must be set when its type is created")
    STATIC_CHANGED = ("static-changed", _BOTH, "A member became static, or an instance member")
    VIRTUAL_LOST = ("virtual-lost", _BOTH, "A member can no longer be overridden")
    VIRTUAL_ADDED = ("virtual-added", (Effect.BEHAVIOR,), "A member is virtual now; compiled calls may not be")
    ABSTRACT_ADDED = ("abstract-added", _BOTH, "A member is abstract now")
    READONLY_FIELD = ("readonly-field", _BOTH, "A field can no longer be assigned")
    CONSTANT_CHANGED = (
        "constant-changed",
        (Effect.BEHAVIOR,),
        "A constant has another value, which consumers have compiled in",
    )
    ENUM_VALUE_CHANGED = (
        "enum-value-changed",
        (Effect.BINARY, Effect.BEHAVIOR),
        "A member of an enumeration has another value",
    )
    ABSTRACT_MEMBER_ADDED = (
        "abstract-member-added",
        _BOTH,
        "A class that can be derived from has a further abstract member",
    )
    INTERFACE_MEMBER_ADDED = (
        "interface-member-added",
        _BOTH,
        "An interface has a further member without a default implementation",
    )

    FRAMEWORK_LOST = (
        "framework-lost",
        _BOTH,
        "A library is not made any more for a target framework, nor for one that its projects can use instead",
    )

    def __init__(self, rule: str, effects: tuple[Effect, ...], title: str) -> None:
        self.rule = rule
        self.effects = effects
        self.title = title

    def said(self, detail: str) -> Break:
        """A violation, told in ``detail``."""
        return Break(self.rule, self.effects, detail)
