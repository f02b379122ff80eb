"""The result of binding one file besides its rows: declarations, events of bodies in source order, the regions around them, and values.

Everything is inert, frozen and the same for every language. An event names others by their index in ``BoundDocument.events``, a value
names a region by its index in ``BoundDocument.regions``; ``NOWHERE`` stands for none. Lines are 1-based, columns 1-based UTF-16 units.
What is not known is absent, never guessed: a value without a constant is not a constant (the constant ``null`` is one), a type that was
not found keeps its name as written.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.model.reference import PackedReferences, ReferenceRow
from codemap_core.model.relation import RelationRow
from codemap_core.model.symbol import Confidence, SymbolKind, Visibility

NOWHERE: Final = -1
"""The index of no event, no region or no parameter."""
IN_MARKUP: Final = "__InMarkup"
"""The name of an invocation that no code writes: an expression which markup has where others have a text. Its arguments are the place of
the expression, as a byte offset in the file, and its value; a third one where it is only a part of the text."""


class TypeForm(StrEnum):
    NAMED = "named"
    ARRAY = "array"
    POINTER = "pointer"
    TYPE_PARAMETER = "type_parameter"
    DYNAMIC = "dynamic"
    UNRESOLVED = "unresolved"
    """A type that was not found; its name is as written."""


class BoundType(Struct, frozen=True, omit_defaults=True):
    """A constructed type. ``id``: of a named type, the documentation-comment id of its definition (``T:System.Func`2``). ``name``: its
    simple name (``Func``), for types that were not found as written without their type arguments. ``arguments``: of arrays and pointers
    the element type alone."""

    form: TypeForm
    name: str
    id: str = ""
    arguments: tuple[BoundType, ...] = ()
    rank: int = 1
    """Of an array, the number of its dimensions."""
    ordinal: int = NOWHERE
    """Of a type parameter of a method, its place among them."""


EVERYTHING: Final = BoundType(TypeForm.UNRESOLVED, "")
"""The type that a catch clause without a type catches."""


class Constant(Struct, frozen=True, omit_defaults=True):
    """A value that the language folds while compiling. ``value``: of ``char`` a string of one character, of ``decimal`` its digits as a
    string; null is the constant null. ``type_id``: the type it has (``T:System.String``), empty for null."""

    type_id: str
    value: str | int | float | bool | None


class TextPart(Struct, frozen=True, omit_defaults=True):
    """A piece of an interpolated or concatenated text: ``text`` where it is constant, else the ``hole``."""

    text: str | None = None
    hole: Value | None = None
    is_formatted: bool = False
    """The hole has an alignment or a format."""


class Value(Struct, frozen=True, omit_defaults=True):
    """What is known of an expression, at its place. A local variable is what it was last assigned, where that is certain by the order of
    the text and the regions around; else what it may be is in ``alternatives``."""

    type: BoundType | None = None
    constant: Constant | None = None
    settled: Constant | None = None
    """Where it is not a constant of the language: the one value it can hold. It names a read-only field or a get-only property, of any
    file, whose initialiser, one assignment or one ``return`` is constant."""
    symbol_id: str = ""
    """The field, property, event, method (of a method group) or enum member that it names."""
    local: str = ""
    """The local variable or parameter that it names."""
    unbound_name: str = ""
    """The name of a member or of something simple that was not found."""
    parameter: int = NOWHERE
    """Ordinal of the parameter that it names: of the enclosing member, of the function whose region ``region`` is, or of
    ``constructor``."""
    constructor: str = ""
    """Where it names a parameter of a type's primary constructor that a member has captured, that constructor."""
    origin: int = NOWHERE
    """The event that made it: an invocation, creation or element access."""
    region: int = NOWHERE
    """For a lambda or local function, the region of its body."""
    parts: tuple[TextPart, ...] = ()
    """For a text that is not constant as a whole, the parts it is put together from."""
    elements: tuple[Value, ...] = ()
    """For an array or collection that is written out, its elements; see ``is_spread``."""
    members: tuple[tuple[str, Value], ...] = ()
    """Of an anonymous object, the members whose names are written, each with what it is given: ``new { controller = "Home" }``."""
    alternatives: tuple[Value, ...] = ()
    """Where it may be one of several values, those: the arms of ``?:``, ``??`` and switch expressions, and everything that is assigned to
    a local variable. What ``+=`` gives a text is a text whose first part is the variable."""
    type_operand: BoundType | None = None
    """For ``typeof(T)``, the type; for a property of it too, which ``symbol_id`` names then: ``typeof(T).Assembly``,
    ``typeof(T).GetTypeInfo().Assembly``."""
    is_nameof: bool = False
    """It is written as ``nameof(…)``."""
    written: str = ""
    """Of an interpolated text that is not constant for the language, its source text: ``$"…"``; beside ``constant`` where its holes are
    locals of which the value is known."""
    is_spread: bool = False
    """As an element of a collection: it is written ``..value``, so the elements of this value are meant, however many there are."""


class Argument(Struct, frozen=True, omit_defaults=True):
    """``parameter``: the name of the parameter it is matched to; as written, or empty, where no member was chosen."""

    value: Value
    parameter: str = ""
    ordinal: int = NOWHERE
    """Of that parameter; several arguments of an expanded ``params`` share it."""


class EventKind(StrEnum):
    INVOCATION = "invocation"
    CREATION = "creation"
    ELEMENT_ACCESS = "element_access"
    ASSIGNMENT = "assignment"
    """The assignment of a property, field or event, in an initialiser or a statement; its one argument is the value."""
    THROW = "throw"
    """Its one argument is what is thrown; none where the caught exception is thrown again."""
    CATCH = "catch"
    """``type`` is what is caught; null catches everything."""
    RETURN = "return"
    """What a function gives: ``return e;``, or an expression that is a body; its one argument is the value, ``region`` says whose it is.
    What a field or property is initialised with counts as given by it."""


class Event(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One thing that a body does."""

    kind: EventKind
    name: str
    """Simple name of the invoked member or created type, of a member that was not found too; ``with`` of a copy that such an expression
    makes."""
    target: str | None = None
    """The member; of a creation its type, of an assignment what is assigned to. Null when it was not found."""
    constructor: str | None = None
    """The constructor of a creation."""
    receiver: Value | None = None
    """What it is done to; of an extension method that is called on a value, that value."""
    receiver_type_id: str = ""
    """Type that a static member is named through."""
    arguments: tuple[Argument, ...] = ()
    """As written, the receiver of an extension method not among them."""
    type_arguments: tuple[BoundType, ...] = ()
    """Written or inferred."""
    type: BoundType | None = None
    """The type of its result; for a catch, the type it catches; for a throw, the type it throws."""
    initializes: int = NOWHERE
    """For an assignment in an initialiser, the creation; for one in a nested initialiser, the assignment it is nested in."""
    operator: str = ""
    """For an assignment: ``=``, ``+=`` and so on."""
    enclosing: str | None = None
    """The symbol whose body, initialiser or header it stands in."""
    region: int = NOWHERE
    line: int
    """Of its token: a name, ``new``, ``throw``, the ``[`` of an indexer."""
    column: int
    line_start: int = 0
    """First line of the whole expression or statement: that of an invocation's receiver. 0 where the front end does not say."""
    line_end: int = 0
    """Last line of the whole, inclusive."""
    in_expression: bool = False
    """Of a throw: it is an expression."""
    external: bool = False
    is_extension: bool = False
    """The method is an extension method, whether it is called on a value or as a static method."""
    confidence: Confidence = Confidence.HIGH
    reason: str = ""
    """Why its target is not known."""


class RegionKind(StrEnum):
    LAMBDA = "lambda"
    LOCAL_FUNCTION = "local_function"
    TRY = "try"
    CATCH = "catch"
    FINALLY = "finally"
    LOOP = "loop"
    BRANCH = "branch"
    """A part of ``if``, ``switch``, ``?:``, ``??``, ``&&`` or ``||`` that need not run: the condition of an ``else if`` too."""


class Region(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A part of a body in which events stand."""

    kind: RegionKind
    parent: int = NOWHERE
    line: int
    column: int = 0
    line_end: int = 0
    """Of a try with catch clauses, where what it guards ends: that line and, exclusively, ``column_end``; else 0."""
    column_end: int = 0
    name: str = ""
    """The name of a local function."""
    attributes: tuple[BoundAttribute, ...] = ()
    """Of a lambda or local function."""
    event: int = NOWHERE
    """For a lambda, the invocation, creation or assignment that takes it; for a catch, its event."""
    argument: int = NOWHERE
    """For a lambda, which argument of that event it is."""
    caught: tuple[BoundType, ...] = ()
    """For a try, the types that its catch clauses catch, in order; for a catch, its own. A clause without a type has ``EVERYTHING``."""
    has_filter: bool = False
    """For a catch, whether it has a ``when`` clause."""
    guards: int = NOWHERE
    """For a catch or finally, the region of its try."""


class BoundAttribute(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One attribute. ``name`` as written; ``type`` is the attribute class."""

    name: str
    type: BoundType
    base_ids: tuple[str, ...] = ()
    """Base classes of the attribute class, nearest first."""
    missing_bases: tuple[str, ...] = ()
    """Simple names of base types of the attribute class, and of its base classes, that were not found."""
    constructor: str | None = None
    arguments: tuple[Argument, ...] = ()
    named_arguments: tuple[Argument, ...] = ()
    """``parameter`` is the property or field."""
    target: str = ""
    """``return``, ``assembly`` and so on; empty for the declaration itself."""
    declared_on: str = ""
    """For an attribute of another part, of a base class or of an overridden member, the type or member that carries it."""
    line: int = 0
    """Of its name; 0 where it stands in another file."""
    line_end: int = 0
    """0 where it is that of a lambda or local function too."""

    @property
    def line_start(self) -> int:
        return self.line


class BoundParameter(Struct, frozen=True, omit_defaults=True, kw_only=True):
    name: str
    type: BoundType
    is_optional: bool = False
    default: Value | None = None
    """What it is where a call leaves it out."""
    is_params: bool = False
    attributes: tuple[BoundAttribute, ...] = ()


class BoundTypeParameter(Struct, frozen=True, omit_defaults=True):
    """``constraints``: the types among them."""

    name: str
    constraints: tuple[BoundType, ...] = ()


class DocumentedException(Struct, frozen=True, omit_defaults=True):
    """An exception that a documentation comment says a member throws. ``line``: of its name."""

    type: BoundType
    line: int


class BoundDeclaration(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A declaration of the file; of a partial type each part is one."""

    symbol_id: str
    kind: SymbolKind
    name: str
    container_id: str | None = None
    visibility: Visibility = Visibility.PRIVATE
    modifiers: tuple[str, ...] = ()
    """Keywords other than those of visibility: ``static``, ``abstract``, ``partial``…"""
    type: BoundType | None = None
    """Return type of a method, type of a property, field or event."""
    parameters: tuple[BoundParameter, ...] = ()
    type_parameters: tuple[BoundTypeParameter, ...] = ()
    """Of a type, as this part writes them."""
    bases: tuple[BoundType, ...] = ()
    """Its base list, as this part writes it."""
    all_bases: tuple[BoundType, ...] = ()
    """Every base class and interface of a type, of all parts and inherited ones too, with their type arguments: classes first."""
    attributes: tuple[BoundAttribute, ...] = ()
    """Of this part."""
    attributes_elsewhere: tuple[BoundAttribute, ...] = ()
    """Of a type's other parts, then of its base classes that have source, nearest first; of the members that a member overrides and that
    have source, nearest first."""
    overrides: tuple[str, ...] = ()
    """Ids of the members that a member overrides, nearest first."""
    documented_exceptions: tuple[DocumentedException, ...] = ()
    """Of a member, in the order of its documentation comment."""
    value: Value | None = None
    """The value of a constant, field or property with an initialiser."""
    is_read_only: bool = False
    """Of a property: it has neither ``set`` nor ``init``, or none that is as visible as the property itself."""
    file_path: str = ""
    line: int = 0
    """Of its name."""
    line_start: int = 0
    line_end: int = 0


class BoundDocument(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One file as one project compiles it, bound."""

    file_path: str = ""
    project_path: str = ""
    references: tuple[ReferenceRow, ...] | PackedReferences = ()
    """A front end may hand them over packed."""
    relations: tuple[RelationRow, ...] = ()
    declarations: tuple[BoundDeclaration, ...] = ()
    events: tuple[Event, ...] = ()
    """In source order."""
    regions: tuple[Region, ...] = ()
    """Each after its parent."""
    attributes: tuple[BoundAttribute, ...] = ()
    """The attributes of the assembly and module."""
    is_unowned: bool = False
    """Nothing in it belongs to a symbol: its events are for those alone who ask for such (``Interests.unowned``)."""
