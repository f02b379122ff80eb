"""The lowered form of executable code: what a binder reads instead of syntax nodes.

A lowered node is a list: an opcode of ``Op``, then operands in the order of its layout. Everything is lists,
integers, strings and null, so a body is encoded and decoded in one C call. Layout letters:

- ``i``: byte offset of an identifier, whose text is the next operand; with an empty text, the offset of the construct
- ``o``: byte offset of the token that the opcode's text names, by default the construct's first
- ``b``, ``e``: byte offsets where the construct begins and ends, where they are not those of a token that is there already
- ``s``: a string
- ``k``: an integer of the enumeration that the opcode's text names, or a flag set
- ``v``: a literal's value
- ``x``: a node, or null
- ``X``: a list of nodes
- ``t``: a type as written, ``[text, offset, …]`` (``type_syntax``), or null
- ``T``: a list of types, or null
- ``c``: type arguments by name, ``[[type parameter, type], …]``

Every identifier token of a body is an ``i`` or stands in a ``t`` exactly once; labels, ``nameof`` and names inside
types that mean no type (tuple elements, calling conventions) excepted. Offsets index the source of the file. Blocks,
expressions and patterns nest; chains of member accesses, binary operators, ``else if`` and ``or`` patterns are flat,
so that depth is that of the code's brackets.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, IntFlag
from typing import Any, Final, TypeAlias

Lowered: TypeAlias = list[Any]
"""A node: its opcode and operands."""


class Access(IntEnum):
    """How a link of a chain is reached."""

    DIRECT = 0
    CONDITIONAL = 1
    """``?.`` or ``?[``: the rest of the chain happens only when the receiver is not null, and its type is made
    nullable at the end."""
    POINTER = 2
    """``->``."""


class RefKind(IntEnum):
    NONE = 0
    REF = 1
    OUT = 2
    IN = 3
    REF_READONLY = 4


class LiteralKind(IntEnum):
    """The type of a literal (ECMA-334 §6.4.5); the value of ``DECIMAL`` is its text, of ``UTF8`` a string, of
    ``NULL`` null."""

    NULL = 0
    BOOL = 1
    INT = 2
    UINT = 3
    LONG = 4
    ULONG = 5
    FLOAT = 6
    DOUBLE = 7
    DECIMAL = 8
    CHAR = 9
    STRING = 10
    UTF8 = 11


class FunctionFlag(IntFlag):
    """Flags of lambdas, anonymous methods, local functions and parameters."""

    ASYNC = 1
    STATIC = 2
    ANONYMOUS_METHOD = 4
    NO_PARAMETER_LIST = 8
    """``delegate { }``: converts to a delegate of any parameters."""
    PARAMS = 16
    THIS = 32
    NEVER_RETURNS = 64
    """A block of a lambda or anonymous method that neither ends nor returns without a value."""


class ConstraintFlag(IntFlag):
    """Constraints of a type parameter that are words."""

    CLASS = 1
    STRUCT = 2
    """``struct`` or ``unmanaged``."""
    NEW = 4


class LocalFlag(IntFlag):
    """Flags of local declarations, ``using`` and ``foreach``."""

    USING = 1
    AWAIT = 2
    CONST = 4
    REF = 8


class XamlMember(IntEnum):
    """How a page of XAML names a member of a type."""

    OWN = 0
    """As one that the element has itself."""
    ATTACHED = 1
    """As an attached property or event, which is set."""
    ATTACHED_READ = 2


class Op(IntEnum):
    """Opcodes; ``layout`` has one letter for each operand."""

    layout: str

    def __new__(cls, value: int, layout: str) -> Op:
        member = int.__new__(cls, value)
        member._value_ = value
        member.layout = layout
        return member

    UNKNOWN = 0, "oX"
    """Text that fits no rule: what of it could be read, in order."""

    # Names and chains
    NAME = 1, "is"
    """A simple name: ``x``."""
    GENERIC_NAME = 2, "isT"
    """``F<int>``; an unbound one, ``List<,>``, has empty types: ``[""]`` for each."""
    ALIAS_NAME = 3, "isisT"
    """``alias::Name``: the alias, the name, its type arguments or null."""
    THIS = 4, "o"
    BASE = 5, "o"
    TYPE = 6, "t"
    """A type where an expression stands: ``int`` of ``int.Parse``."""
    CHAIN = 7, "xXb"
    """A head, then links applied to it from left to right. ``a.b(1)?[2]``: NAME a, [MEMBER b, CALL, INDEX].
    Parentheses end a chain."""
    MEMBER = 8, "iskT"
    """Link ``.name``: access, type arguments or null."""
    CALL = 9, "oXe"
    """Link: an invocation; offset of ``(``; arguments."""
    INDEX = 10, "oXke"
    """Link: an element access; offset of ``[``; arguments; access."""
    SUPPRESS = 11, "o"
    """Link: the null-forgiving ``!``."""
    ARGUMENT = 12, "iskx"
    """An argument with a name or a ``RefKind``; others stand as bare expressions. Of attributes too. Of tuples too:
    the element's name."""
    DECLARATION = 13, "ist"
    """``out T x``, and ``T x`` in a deconstruction: the variable, its type."""
    NAMEOF = 14, "ox"
    """``nameof(x)``; offset of ``nameof``."""
    LITERAL = 15, "okv"
    CHECKED = 16, "okx"
    """``checked`` (1) or ``unchecked`` (0): the expression in its parentheses, or the block after it."""

    # Operators
    BINARY = 20, "xX"
    """The left-most operand, then OPERANDs from left to right, each applied to all before it."""
    OPERAND = 21, "osx"
    """Offset of the operator, its text, the right operand."""
    UNARY = 22, "osx"
    """Prefix ``+ - ! ~ ++ -- & * ^``; offset of the operator."""
    POSTFIX = 23, "osx"
    """``++`` or ``--``; offset of the operator."""
    ASSIGN = 24, "osxxbe"
    """Offset and text of the operator (``=``, ``+=``, ``??=``…), target, value."""
    CAST = 25, "otx"
    AS = 26, "oxt"
    IS = 27, "oxx"
    """``x is pattern``; ``x is T`` has a TYPE_PATTERN. Offset of ``is``."""
    CONDITIONAL = 28, "oxxx"
    """``a ? b : c``; offset of ``?``."""
    AWAIT = 29, "ox"
    THROW = 30, "oxke"
    """Statement (0) or expression (1); null rethrows."""
    REF = 31, "ox"
    RANGE = 32, "oxx"
    """``a..b``, either end null; offset of ``..``."""
    DEFAULT = 33, "ot"
    TYPEOF = 34, "ot"
    SIZEOF = 35, "ot"
    SWITCH_EXPRESSION = 36, "oxX"
    """The value, ARMs; offset of ``switch``."""
    ARM = 37, "xxx"
    """Pattern, guard or null, value."""
    INTERPOLATED = 38, "oXs"
    """LITERALs and HOLEs; with a HOLE its source text."""
    HOLE = 39, "oxxs"
    """Expression, alignment or null, format or empty."""

    # Creation
    NEW = 40, "otXxe"
    """Offset of ``new``; type; arguments, null without parentheses; INITIALIZER or null."""
    NEW_TARGET_TYPED = 41, "oXxe"
    """``new(…) { … }``."""
    NEW_ARRAY = 42, "otXx"
    """The array type, sizes, initialiser."""
    NEW_ARRAY_IMPLICIT = 43, "okx"
    """``new[,] { … }``: rank, initialiser."""
    NEW_ANONYMOUS = 44, "oX"
    """MEMBER_INITIALIZERs, and expressions whose member takes the name of their last identifier."""
    STACKALLOC = 45, "otXx"
    """Type null for ``stackalloc[] { … }``."""
    INITIALIZER = 46, "oX"
    """``{ … }``: MEMBER_INITIALIZERs, INDEX_INITIALIZERs or elements; an element ``{ a, b }`` is an INITIALIZER, the
    arguments of ``Add``."""
    MEMBER_INITIALIZER = 47, "isxe"
    """``Name = value``, the value perhaps an INITIALIZER; in ``with``, anonymous objects and attributes too."""
    INDEX_INITIALIZER = 48, "oXx"
    """``[arguments] = value``; offset of ``[``."""
    COLLECTION = 49, "oX"
    """``[a, ..b]``: expressions and SPREADs."""
    SPREAD = 50, "ox"
    WITH = 51, "oxXbe"
    """Receiver, MEMBER_INITIALIZERs; offset of ``with``."""
    TUPLE = 52, "oX"

    # Functions
    LAMBDA = 53, "okXtxX"
    """Offset of ``=>`` or ``delegate``; ``FunctionFlag``; PARAMETERs; return type or null; body, an expression or a
    BLOCK; ATTRIBUTEs."""
    PARAMETER = 54, "istkkxX"
    """Name; type, null when implicit; ``RefKind``; ``FunctionFlag``; default value or null; ATTRIBUTEs."""
    LOCAL_FUNCTION = 55, "istkXXXxX"
    """Name; return type; ``FunctionFlag``; TYPE_PARAMETERs; PARAMETERs; CONSTRAINTs; body or null; ATTRIBUTEs."""
    TYPE_PARAMETER = 56, "is"
    CONSTRAINT = 57, "isTk"
    """``where T : …``: the type parameter; the types among its constraints; ``ConstraintFlag`` of the others."""
    ATTRIBUTE = 58, "tX"
    """Its name as a type; arguments: expressions, ARGUMENTs (``name:``) and MEMBER_INITIALIZERs (``Name =``); null
    without parentheses."""
    ARGUMENTS = 59, "oXe"
    """An argument list by itself, of ``: base(…)``; offset of ``(``."""

    # Queries
    QUERY = 60, "oX"
    """Clauses in order: FROM, LET, WHERE, JOIN, ORDER_BY, SELECT, GROUP, and INTO, after which a new query begins."""
    FROM = 61, "istx"
    """Range variable, its type or null, source."""
    LET = 62, "isx"
    WHERE = 63, "ox"
    JOIN = 64, "istxxxx"
    """Range variable, its type or null, source, left key, right key, INTO or null."""
    ORDER_BY = 65, "oX"
    ORDERING = 66, "xk"
    """Key, 1 when descending."""
    SELECT = 67, "ox"
    GROUP = 68, "oxx"
    """Element, key."""
    INTO = 69, "is"

    # Patterns
    CONSTANT_PATTERN = 70, "x"
    TYPE_PATTERN = 71, "t"
    """A type, or a constant that is written as a name: ``x is A.B``. Binding tells which."""
    DECLARATION_PATTERN = 72, "tx"
    """Type, ``var`` included; designation."""
    RECURSIVE_PATTERN = 73, "otXXx"
    """Type or null; positional SUBPATTERNs or null; property SUBPATTERNs or null; designation or null."""
    SUBPATTERN = 74, "Xx"
    """``A.B:``, as NAMEs, empty without; pattern. A positional one has one NAME: the parameter's or element's."""
    LIST_PATTERN = 75, "oXx"
    """Element patterns, designation or null."""
    SLICE_PATTERN = 76, "ox"
    RELATIONAL_PATTERN = 77, "osx"
    NOT_PATTERN = 78, "ox"
    AND_PATTERN = 79, "X"
    OR_PATTERN = 80, "X"
    DISCARD = 81, "o"
    """``_`` as a pattern or designation."""
    VARIABLE = 82, "is"
    """A designation that declares a variable."""
    DECONSTRUCTION = 83, "oX"
    """A designation in parentheses: VARIABLEs, DISCARDs, DECONSTRUCTIONs."""

    # Statements; an expression statement is its expression
    BLOCK = 90, "oX"
    LOCAL = 91, "ktX"
    """``LocalFlag``; type, ``var`` included; DECLARATORs."""
    DECLARATOR = 92, "isx"
    """Name, initialiser or null."""
    LOCAL_DECONSTRUCTION = 93, "otxx"
    """``var (a, b) = c``: type, DECONSTRUCTION, value."""
    RETURN = 94, "oxe"
    YIELD = 95, "ox"
    """``yield return``; ``yield break`` has no value."""
    IF = 96, "oXx"
    """BRANCHes of ``if`` and each ``else if``; the ``else`` statement or null."""
    BRANCH = 97, "xx"
    """Condition, statement."""
    WHILE = 98, "oxx"
    DO = 99, "oxx"
    """Body, condition."""
    FOR = 100, "oXxXx"
    """A LOCAL or expressions; condition or null; iterators; body."""
    FOREACH = 101, "oktxxx"
    """``LocalFlag``; type or null; VARIABLE, DECONSTRUCTION, or a TUPLE target; collection; body."""
    SWITCH = 102, "oxX"
    SECTION = 103, "XX"
    """LABELs, statements. A section's variables are in scope in it alone; local declarations in the whole switch
    block."""
    LABEL = 104, "xx"
    """Pattern, null for ``default``; guard or null."""
    TRY = 105, "oxXx"
    """Block, CATCHes, ``finally`` block or null."""
    CATCH = 106, "istxxbe"
    """Variable, empty without; type or null; filter or null; block."""
    USING = 107, "okxx"
    """``LocalFlag``; LOCAL or expression; body."""
    LOCK = 108, "oxx"
    FIXED = 109, "oxx"
    """LOCAL, body."""
    GOTO_CASE = 110, "ox"
    STATEMENTS = 111, "X"
    """Several statements where one stands, or the top-level statements of a file."""

    # Razor
    COMPONENT = 120, "tkkc"
    """A tag: the component's name, its number in the page, that of the component around it or -1, and what it says of type parameters."""
    COMPONENT_PARAMETER = 121, "iskkx"
    """What a tag gives to a parameter: its name; the number of the component; 1 when the text says that it is C#, else it is only where the
    parameter is not a string; the value, or null."""
    COMPONENT_CONTEXT = 122, "ssskk"
    """What the content of an element is given: what the element calls it and what the component around it does, each empty where it is
    not said; the name of the element, which is a component or a parameter of the one around it, and the numbers of both."""

    # XAML
    XAML_TYPE = 123, "tkk"
    """The type of an element, or one that is named: its number in the page; 1 where one is created."""
    XAML_MEMBER = 124, "iskkx"
    """A member of such a type: its name; the number of the type; ``XamlMember``; the NAME that it is set to, if the value may be one, or
    null."""
    XAML_VALUE = 125, "ks"
    """A value of the type with a number; 0 for what the page shows, which may be of a type with one of these names; less where nothing is
    known of it."""
    XAML_PATH = 126, "ksx"
    """A chain that begins with a value of an element: the number of its type, its first member, and the chain."""


def children_of_node(node: Lowered) -> Iterator[Lowered]:
    """The nodes that a node holds directly."""
    for letter, operand in zip(_LAYOUTS[node[0]], node[1:], strict=False):
        if letter == "x" and operand is not None:
            yield operand
        elif letter == "X" and operand is not None:
            yield from operand


def beginning(node: Lowered) -> int:
    """The byte offset of a node's first token, parentheses left out."""
    while True:
        layout = _LAYOUTS[node[0]]
        if "b" in layout:
            offset: int = node[1 + layout.index("b")]
            return offset
        at = next((n for n, letter in enumerate(layout, 1) if letter == "x" and node[n] is not None), 0)
        if node[0] in _PREFIXED or not at:
            return next((operand for operand in _offsets(node)), 0)
        node = node[at]


def last_name(node: Lowered | None) -> tuple[int, str] | None:
    """Offset and text of the name that a name or a chain of them ends in; ``this[]`` for an element access."""
    if node is None:
        return None
    if node[0] == Op.NAME:
        return node[1], node[2]
    if node[0] == Op.CHAIN and node[2]:
        last = node[2][-1]
        if last[0] == Op.MEMBER:
            return last[1], last[2]
        if last[0] == Op.INDEX:
            return last[1], "this[]"
    return None


def _offsets(node: Lowered) -> Iterator[int]:
    """Those that a node itself holds."""
    for letter, operand in zip(_LAYOUTS[node[0]], node[1:], strict=False):
        if letter in "io":
            yield operand
        elif letter == "t" and operand is not None:
            yield from operand[1:]


_LAYOUTS: Final = {op.value: op.layout for op in Op}
_PREFIXED: Final = frozenset(
    {
        *(Op.UNARY.value, Op.CAST.value, Op.AWAIT.value, Op.THROW.value, Op.REF.value, Op.CHECKED.value),
        *(Op.NAMEOF.value, Op.NEW.value, Op.NEW_TARGET_TYPED.value, Op.NEW_ARRAY.value, Op.NEW_ARRAY_IMPLICIT.value),
        *(Op.STACKALLOC.value, Op.LAMBDA.value, Op.SPREAD.value),
    }
)
"""Expressions whose first token is the one whose offset they hold."""


_TYPE_ARGUMENTS: Final = {Op.GENERIC_NAME.value: 3, Op.ALIAS_NAME.value: 5, Op.MEMBER.value: 4}
"""Which operand of a name holds them."""


def type_arguments(name: Lowered | None) -> list[Lowered]:
    """The type arguments that a name is written with; none for any other node."""
    place = _TYPE_ARGUMENTS.get(name[0]) if name is not None else None
    return (name[place] or []) if name is not None and place is not None else []
