"""The unit of a TypeScript file: its declarations, scopes, imports and exports, and its expressions and types in one flat list of nodes.

Everything names everything else by index; ``NONE`` stands for nothing. A node's operands stand before it, so the list can be read in
order. Lines and columns are 1-based, columns in UTF-16 units; line 0 is a node that no name stands for.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import msgspec
from msgspec import Struct

NONE: Final = -1
MAKERS: Final = frozenset({"create", "extend"})
"""What calls are named that make something of options: ``axios.create({ baseURL: "/api" })``."""


class Op(IntEnum):
    """What a node is. ``a`` and ``items`` are indexes of nodes unless said otherwise."""

    NAME = 0
    """A name in an expression."""
    MEMBER = 1
    """``a.name``."""
    CALL = 2
    """``a(items)``; ``b``: type arguments, an ``APPLIED`` without target."""
    NEW = 3
    THIS = 4
    """``a``: the declaration of the class, ``name``: ``static`` in static members."""
    SUPER = 5
    ELEMENT = 6
    """``a[…]``: an element of an array, a value of a record."""
    AWAIT = 7
    CAST = 8
    """An expression that has type ``a``, whatever it is."""
    FUNCTION = 9
    """``a``: a function of the unit."""
    OBJECT = 10
    """An object literal; ``name``: the names of its properties on lines, ``items`` their values."""
    ARRAY = 11
    """``items`` are its elements."""
    EITHER = 12
    """One of ``items``."""
    CLASS = 13
    """``a``: the declaration of a class expression."""
    SPREAD = 14
    """What iterating over ``a`` gives."""
    PRIMITIVE = 15
    """A value or type without members of the repository; ``name`` says which."""
    LAZY = 16
    """``import("name")``, ``require("name")``: the module; ``a``: 1 for a promise of it."""
    TEXT = 17
    """A text that is written out, ``name``; long ones are ``PRIMITIVE``."""
    JOINED = 18
    """A text that is put together of ``items``: a template, or a sum with a text in it."""
    TYPE_NAME = 20
    """A name where a type is expected."""
    TYPE_MEMBER = 21
    """``a.name`` where a type is expected."""
    APPLIED = 22
    """``a<items>``."""
    UNION = 23
    INTERSECTION = 24
    ARRAY_OF = 25
    TUPLE = 26
    FUNCTION_TYPE = 27
    """``a``: a function of the unit."""
    OBJECT_TYPE = 28
    """As ``OBJECT``, of types."""
    TYPEOF = 29
    LOOKUP = 30
    """``a["name"]``."""
    KEY = 30
    """The name of a property in an object literal; ``a``: what is expected of the object."""
    EXPECTED = 31
    """The type that is expected at a place, as ``name`` says: ``type``, a written one, ``a``; ``given``, that of the expression ``a``;
    ``argument``, of the call ``a`` the argument ``b``; ``element`` of what is expected at ``a``; ``result`` of the function that is
    expected at ``a``; ``awaited``, what a promise of type ``a`` holds; ``.name``, the property of what is expected at ``a``."""
    SPECIFIER = 40
    """The text behind ``from``."""
    IMPORTED = 41
    """A name in an import; ``a``: the import of the unit."""
    EXPORTED = 42
    """A name in ``export { name } from "…"``; ``a``: the export of the unit."""


class Use(IntEnum):
    """How a node's name is used where it stands; ``NONE`` for a node that no name stands for."""

    NONE = 0
    READ = 1
    WRITE = 2
    CALL = 3
    NEW = 4
    TYPE = 5
    IMPORT = 6
    DECLARE = 7
    """It is a name that is declared there, such as that of a destructured local variable."""


class Node(Struct, frozen=True, array_like=True, gc=False):
    op: Op
    use: Use = Use.NONE
    name: str = ""
    a: int = NONE
    b: int = NONE
    items: tuple[int, ...] = ()
    scope: int = 0
    owner: int = NONE
    """The declaration that it stands in; ``NONE`` for the module."""
    line: int = 0
    column: int = 0


class Space(IntEnum):
    """What a name may mean: TypeScript keeps values, types and namespaces apart. Several, added up, are an integer, as an ``IntFlag``
    costs a Python call for each ``&`` and ``|``, and for each combination that is decoded."""

    VALUE = 1
    TYPE = 2
    NAMESPACE = 4


class BindingKind(IntEnum):
    DECLARATION = 0
    IMPORT = 1
    LOCAL = 2
    """A variable or parameter."""
    TYPE_PARAMETER = 3


class Binding(Struct, frozen=True, array_like=True, gc=False):
    """A name in a scope. ``of``: the declaration or import. Of a local variable, ``type`` is what is annotated and ``value`` its
    initialiser; ``context`` and ``parameter``: of a parameter without an annotation, what is expected of its function, and its place."""

    name: str
    kind: BindingKind
    space: int
    """Bits of ``Space``."""
    of: int = NONE
    type: int = NONE
    value: int = NONE
    context: int = NONE
    parameter: int = NONE


class Scope(Struct, frozen=True, array_like=True, gc=False):
    parent: int
    bindings: tuple[Binding, ...] = ()
    namespace: int = NONE
    """The namespace whose exported names it shows."""


class Parameter(Struct, frozen=True, array_like=True, gc=False):
    name: str
    type: int = NONE
    is_optional: bool = False
    is_rest: bool = False


class Function(Struct, frozen=True, array_like=True, gc=False):
    """``result``: the annotated type; ``returns``: what its ``return`` statements give."""

    parameters: tuple[Parameter, ...] = ()
    type_parameters: tuple[str, ...] = ()
    result: int = NONE
    returns: tuple[int, ...] = ()
    is_async: bool = False
    is_generator: bool = False
    is_predicate: bool = False
    has_body: bool = True


class Kind(IntEnum):
    """What a declaration is."""

    CLASS = 0
    INTERFACE = 1
    ENUM = 2
    ALIAS = 3
    NAMESPACE = 4
    FUNCTION = 5
    VARIABLE = 6
    METHOD = 7
    PROPERTY = 8
    CONSTRUCTOR = 9
    ENUM_MEMBER = 10

    @property
    def is_container(self) -> bool:
        return self <= Kind.NAMESPACE


class Part(Struct, frozen=True, array_like=True, gc=False):
    """One of several declarations of a symbol: lines, its name's place."""

    line_start: int
    line_end: int
    line: int
    column: int


class Declaration(Struct, frozen=True, array_like=True, gc=False):
    """One symbol of the file. Overloads, an accessor's two halves and merged declarations are one. ``modifiers``: as written, without
    those of visibility. ``bases``: nodes of what it extends; ``interfaces``: of what it implements. ``local``: it stands in a body, so
    nothing outside can mean it."""

    kind: Kind
    name: str
    parent: int = NONE
    parts: tuple[Part, ...] = ()
    visibility: str = "public"
    modifiers: tuple[str, ...] = ()
    signature: str = ""
    documentation: str = ""
    digest: str = ""
    space: int = Space.VALUE
    """Bits of ``Space``."""
    type: int = NONE
    value: int = NONE
    functions: tuple[int, ...] = ()
    type_parameters: tuple[str, ...] = ()
    bases: tuple[int, ...] = ()
    interfaces: tuple[int, ...] = ()
    element: int = NONE
    """The type of what its index signature gives."""
    is_exported: bool = False
    is_local: bool = False
    is_static: bool = False
    is_component: bool = False
    is_global: bool = False
    """Visible in every file of the package."""
    module: str = ""
    """Of ``declare module "name"``, the name."""
    decisions: int = NONE
    """In its code; ``NONE`` for one without code."""
    breaks: int = 0
    """In the linear flow of its code, weighed by how deep they are nested."""


class Import(Struct, frozen=True, array_like=True, gc=False):
    """``name``: what is imported: an exported name, ``default``, or ``*`` for the module; ``=`` for ``import x = require()``.
    ``alias``: for ``import A = B.C``, the node of ``B.C``."""

    specifier: str
    name: str
    alias: int = NONE


class ExportKind(IntEnum):
    LOCAL = 0
    """``export { local as name }``."""
    FROM = 1
    """``export { local as name } from "specifier"``; ``local`` is ``*`` for ``* as name``."""
    STAR = 2
    """``export * from "specifier"``."""
    ASSIGNED = 3
    """``export = local``."""


class Export(Struct, frozen=True, array_like=True, gc=False):
    kind: ExportKind
    name: str = ""
    local: str = ""
    specifier: str = ""


class Unit(Struct, frozen=True, array_like=True, gc=False):
    nodes: tuple[Node, ...] = ()
    scopes: tuple[Scope, ...] = ()
    functions: tuple[Function, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    is_module: bool = False
    """It imports or exports something; what another file declares at its top is global."""
    line_count: int = 0
    digest: str = ""
    documentation: str = ""


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Unit).decode
_PLAIN: Final = b"\0"
_SPOKEN: Final = b"\1"


def encode_unit(unit: Unit) -> bytes:
    """The first byte says whether other files may use names of it without importing them."""
    speaks = not unit.is_module or any(each.is_global or each.module for each in unit.declarations)
    return (_SPOKEN if speaks else _PLAIN) + _encode(unit)


def decode_unit(data: bytes) -> Unit:
    return _decode(memoryview(data)[1:])


def speaks_to_all(data: bytes) -> bool:
    """Whether an encoded unit declares what other files may use without importing it."""
    return data[:1] == _SPOKEN
