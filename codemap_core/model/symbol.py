"""Symbols: types and members with source.

``symbol_id`` is Roslyn's documentation-comment id, byte for byte. A symbol declared in several parts is one row, at its first part in
path order; the others are ``SymbolPart``s. The same id declared by two projects is two rows.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum

from msgspec import Struct

from codemap_core.model.documentation_id import SymbolId, is_type_id

_OPEN_KIND = re.compile(r"[a-z][a-z0-9_]*")


class SymbolKind(StrEnum):
    """The kinds of the contract. Plug-ins may give further ones: ``SymbolKind("message")`` is a member like these, beside those that are
    listed."""

    CLASS = "class"
    STRUCT = "struct"
    INTERFACE = "interface"
    ENUM = "enum"
    DELEGATE = "delegate"
    RECORD = "record"
    METHOD = "method"
    PROPERTY = "property"
    FIELD = "field"
    EVENT = "event"
    CONSTANT = "constant"
    CONSTRUCTOR = "constructor"
    INDEXER = "indexer"
    OPERATOR = "operator"

    @classmethod
    def _missing_(cls, value: object) -> SymbolKind | None:
        if not isinstance(value, str) or not _OPEN_KIND.fullmatch(value):
            return None
        kind = str.__new__(cls, value)
        kind._name_ = value.upper()
        kind._value_ = value
        known = cls._value2member_map_.setdefault(value, kind)
        assert isinstance(known, SymbolKind)
        return known

    @property
    def is_type(self) -> bool:
        return self in _TYPE_KINDS


_TYPE_KINDS = frozenset(
    {SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.DELEGATE, SymbolKind.RECORD}
)


FURTHER_KINDS = tuple(SymbolKind(word) for word in ("component", "function", "module", "namespace", "type", "variable"))
"""Kinds beyond the contract's that languages have in common; a question may ask for them."""


class Visibility(StrEnum):
    """Declared accessibility (ECMA-334 §7.5.2), defaults applied."""

    PUBLIC = "public"
    INTERNAL = "internal"
    PROTECTED = "protected"
    PROTECTED_INTERNAL = "protected internal"
    PRIVATE_PROTECTED = "private protected"
    PRIVATE = "private"


class Confidence(StrEnum):
    """``high``: certain, whatever is not known; ``medium``: with something unknown, but nothing else to mean; ``low``: a guess between
    several, behind a base that was not found, or from syntax alone."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class SemanticLevel(StrEnum):
    """Quality of a whole index: every project complete, some not, or syntax alone."""

    FULL = "full"
    PARTIAL = "partial"
    SYNTAX_ONLY = "syntax_only"


class Documentation(Struct, frozen=True):
    """A documentation comment (ECMA-334 annex D). ``summary`` keeps the names of ``cref``s and parameters; ``rest`` holds the other
    sections as readable text, one ``tag: text`` paragraph each, or is empty."""

    summary: str
    rest: str = ""


class SymbolPart(Struct, frozen=True):
    """One declaration of a symbol: its file and 1-based inclusive lines, attributes included, documentation comment excluded."""

    file_path: str
    span_start: int
    span_end: int


class SymbolRow(Struct, frozen=True, kw_only=True):
    symbol_id: SymbolId
    stable_id: str
    """``sym_`` + 16 hex digits; docs/symbol-ids.md says what it survives."""
    kind: SymbolKind
    name: str
    """The simple name as a search would spell it: ``Order``, ``Submit``, ``this[]``, ``operator +``; a constructor has its type's name."""
    fully_qualified_name: str
    """Readable: ``Shop.Ordering.Order<T>.Submit``; no prefix, no parameters."""
    signature: str
    documentation: Documentation | None
    namespace: str
    """Empty for the global namespace."""
    containing_type: str | None
    """Readable name of the containing type with its own containers, without the namespace: ``Outer.Inner<T>``; null in a namespace."""
    container_id: SymbolId | None
    """symbol_id of the containing type."""
    file_path: str
    span_start: int
    span_end: int
    name_line: int
    name_column: int
    visibility: Visibility
    project: str
    """``Project.project_path`` of the compiling project."""
    is_static: bool = False
    modifiers: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    condition: str | None = None
    """Null, or what must hold for code that the primary configuration leaves out to be compiled: ``NETFRAMEWORK``, ``net48``."""
    content_hash: str
    """First 16 hex digits of SHA-256 over the declaration's text without its comments, white space folded."""
    other_parts: tuple[SymbolPart, ...] = ()
    """The further declarations of a partial symbol, in path order."""

    @property
    def is_type(self) -> bool:
        """By its id: of some kinds, such as components of TypeScript, both types and functions are."""
        return is_type_id(self.symbol_id)


def plain_symbol(
    symbol_id: str,
    kind: SymbolKind,
    name: str,
    *,
    file_path: str,
    line_start: int,
    line_end: int = 0,
    column: int = 1,
    signature: str = "",
    namespace: str = "",
    container_id: str | None = None,
    documentation: str = "",
    project: str = "",
) -> SymbolRow:
    """A public symbol declared in one place, with the rest of its row made of that: for languages and files that say no more of it.
    ``line_end``: 0 for ``line_start``; ``column``: of its name, on its first line; ``container_id``: a type's id, which ends with its name
    behind a dot. Its stable id follows from its id."""
    last = line_end or line_start
    container = _last_name(container_id) if container_id is not None else None
    return SymbolRow(
        symbol_id=symbol_id,
        stable_id=f"sym_{_digest(symbol_id)}",
        kind=kind,
        name=name,
        fully_qualified_name=".".join(filter(None, (namespace, container, name))),
        signature=signature or name,
        documentation=Documentation(documentation) if documentation else None,
        namespace=namespace,
        containing_type=container,
        container_id=container_id,
        file_path=file_path,
        span_start=line_start,
        span_end=last,
        name_line=line_start,
        name_column=column,
        visibility=Visibility.PUBLIC,
        project=project,
        content_hash=_digest(f"{symbol_id} {signature} {documentation}"),
    )


def _last_name(type_id: str) -> str:
    return type_id.partition(":")[2].rpartition(".")[2]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
