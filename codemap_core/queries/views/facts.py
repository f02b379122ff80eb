"""Facts as they are answered: endpoints, configuration keys and tables in the contract's shapes (API schema 6.14 to 6.16), facts of any
other kind, and the kinds there are.

Production code comes before tests, then rows are in order of place. In text an owner is said where it differs from that of the row above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_core.queries.plain_lines import NamesInFiles, clipped, row, short_name
from codemap_core.queries.rows_by_file import by_file
from codemap_core.queries.views.absence import Absence
from codemap_core.queries.views.fact_lines import metadata_in_words

_TEST: Final = "[test]"
_DROPPED: Final = "[dropped]"


class PlacedFact(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The fields that rows of facts have in common. ``line``: 1-based, of the fact's own token."""

    file_path: str
    line: int
    confidence: Confidence = Confidence.HIGH
    test: bool = False
    """In a test project."""


class ListedFact(Protocol):
    """A row of facts as a list shows it: a ``PlacedFact`` that says what it is."""

    @property
    def file_path(self) -> str: ...

    @property
    def line(self) -> int: ...

    @property
    def confidence(self) -> Confidence: ...

    @property
    def test(self) -> bool: ...

    @property
    def owner(self) -> str | None:
        """Id of the symbol that a reader goes to."""

    def said(self) -> str:
        """What it is, in one line."""


class FactInfo(PlacedFact, frozen=True, omit_defaults=True, kw_only=True):
    """``value``: what names the fact; ``metadata``: what is behind its bar."""

    value: str
    metadata: str = ""
    symbol_id: str | None = None
    line_start: int
    line_end: int
    project: str | None = None
    """Name of the project that compiles it."""
    detail: Mapping[str, Any] = {}
    """As the kind has it, less ``at``, which is ``line``."""

    @property
    def owner(self) -> str | None:
        return self.symbol_id

    def said(self) -> str:
        return self.said_with(())

    def said_with(self, shown: Iterable[str]) -> str:
        """``shown``: keys of its detail that are told beside the value."""
        return row(clipped(self.value), clipped(", ".join(self.told(shown))))

    def told(self, shown: Iterable[str]) -> Iterator[str]:
        """What stands beside the value: what the keys of its detail hold, and its metadata in words."""
        yield from (str(self.detail[key]) for key in shown if self.detail.get(key) not in (None, ""))
        if self.metadata:
            yield metadata_in_words(self.metadata)


class EndpointInfo(PlacedFact, frozen=True, omit_defaults=True, kw_only=True):
    """An endpoint. ``http_method`` is also HUB, GRPC, WCF, HEALTH, PAGE, or ANY where no verb is said."""

    http_method: str
    route_path: str
    handler_symbol: str | None = None
    """What handles it; of a lambda or a local function the member around it."""
    handler: str = ""
    """``lambda`` or the name of a local function, where no symbol handles it."""
    authorization: str = ""
    """Who may call it: ``policy:Name``, ``roles:A,B``, ``authenticated``, ``anonymous``; empty where nothing says."""
    authorized_by: str = ""
    """What demands that of many endpoints at once, where this one itself demands nothing: ``FallbackPolicy``."""
    versions: str = ""
    """Versions of the API, where it has any: ``1.0, 2.0``."""

    @property
    def owner(self) -> str | None:
        return self.handler_symbol

    @property
    def guard(self) -> str:
        return f"{self.authorization} by {self.authorized_by}" if self.authorized_by else self.authorization

    def said(self) -> str:
        versions = f"v{self.versions}" if self.versions else ""
        return row(f"{self.http_method} {self.route_path}", versions, self.guard, self.handler)


class ConfigKeyInfo(PlacedFact, frozen=True, omit_defaults=True, kw_only=True):
    """One use of a configuration key, or of an environment variable."""

    key: str
    used_by_symbol: str | None = None
    usage_pattern: str
    write: bool = False
    """The key is set, not read."""
    undefined: bool = False
    """The repository has settings files, and none of them defines the key that is read here."""
    unused: bool = False
    """No code of the repository reads the key that a settings file defines here."""

    @property
    def owner(self) -> str | None:
        return self.used_by_symbol

    def said(self) -> str:
        marks = [name for name in ("write", "undefined", "unused") if getattr(self, name)]
        return row(clipped(self.key), self.usage_pattern, f"[{', '.join(marks)}]" if marks else "")


class TableUse(PlacedFact, frozen=True, omit_defaults=True, kw_only=True):
    """One place that names a table. ``how``: ``DbSet<Order>``, ``ToTable``, ``Raw SQL``, …; ``use``: of SQL, what it does there first:
    from, join, into, update, delete."""

    how: str
    use: str = ""
    symbol_id: str | None = None

    @property
    def owner(self) -> str | None:
        return self.symbol_id

    def said(self) -> str:
        return row(self.how, self.use)


class DbTableInfo(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table. ``schema`` is null where none is said. ``entity_symbol``: the ``DbSet`` property, where there is one."""

    table_name: str
    schema: str | None = None
    entity_symbol: str | None = None
    referenced_by: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    """The lowest of its uses."""
    uses: tuple[TableUse, ...] = ()
    """The first of them: what declares the table, what uses it, then what tells of its past."""
    use_count: int
    dropped: bool = False
    """Migrations have dropped or renamed it, and nothing maps it."""

    @property
    def left_out(self) -> int:
        """How many of its uses are not among ``uses``."""
        return self.use_count - len(self.uses)

    @property
    def name(self) -> str:
        """With its schema, if it has one."""
        return f"{self.schema}.{self.table_name}" if self.schema else self.table_name


class ListedFacts(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A page of facts."""

    total_count: int
    """Facts that pass the filters, over all pages."""
    file_count: int = 0
    """Files that hold them."""
    test_count: int = 0
    """How many of them stand in test projects."""
    documented_count: int = 0
    """How many of them are exceptions that are documented, not seen to be thrown."""
    truncated: bool = False
    absence: Absence | None = None
    """Why there are none."""

    FIELD: ClassVar[str] = ""
    """The field that holds the rows."""

    @property
    def rows(self) -> Sequence[ListedFact]:
        listed: Sequence[ListedFact] = getattr(self, self.FIELD)
        return listed

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cut(self, count: int) -> Self:
        return replace(self, **{self.FIELD: self.rows[:count]}, truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return _files(self.rows)

    def lines(self) -> Iterator[str]:
        return lines_of(self.rows)


class ListFactsResponse(ListedFacts, frozen=True, omit_defaults=True, kw_only=True):
    FIELD = "facts"

    kind: str
    facts: tuple[FactInfo, ...]
    shown: tuple[str, ...] = ()
    """Keys of the details that are told beside the values."""

    def lines(self) -> Iterator[str]:
        return _lines((each, each.said_with(self.shown)) for each in self.facts)


class ListEndpointsResponse(ListedFacts, frozen=True, omit_defaults=True, kw_only=True):
    FIELD = "endpoints"

    endpoints: tuple[EndpointInfo, ...]
    open_count: int = 0
    """How many of all demand nothing of their callers, as far as is seen."""


class ListConfigKeysResponse(ListedFacts, frozen=True, omit_defaults=True, kw_only=True):
    """Uses of keys."""

    FIELD = "keys"

    keys: tuple[ConfigKeyInfo, ...]
    key_count: int = 0
    """Different keys, case ignored."""
    unused_count: int = 0
    undefined_count: int = 0
    """How many of all rows are ``unused``, and ``undefined``."""


class ListDbTablesResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Tables by name, those that tests alone name last, and then those that are dropped."""

    tables: tuple[DbTableInfo, ...]
    total_count: int
    dropped_count: int = 0
    """How many of them are dropped, over all pages."""
    use_count: int = 0
    """Places that name the tables, over all pages."""
    truncated: bool = False
    absence: Absence | None = None

    @property
    def row_count(self) -> int:
        return len(self.tables)

    def cut(self, count: int) -> Self:
        return replace(self, tables=self.tables[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return _files(use for table in self.tables for use in table.uses)

    def lines(self) -> Iterator[str]:
        for table in self.tables:
            yield row(table.name, _DROPPED if table.dropped else "")
            for use in table.uses:
                place = f"{use.file_path}:{use.line}"
                yield f"  {row(place, use.said(), short_name(use.owner) if use.owner else '', _doubt(use), _TEST if use.test else '')}"
            if table.left_out:
                yield f"  +{table.left_out:,} more"


class FactKindCount(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """``plugins``: who finds facts of the kind; none where no plug-in here does."""

    kind: str
    title: str
    count: int
    test_count: int = 0
    plugins: tuple[str, ...] = ()


class FactKindsResponse(Struct, frozen=True, kw_only=True):
    """Every kind of facts that is known, by name."""

    kinds: tuple[FactKindCount, ...]

    def lines(self) -> Iterator[str]:
        for each in self.kinds:
            if each.count:
                tests = f"{each.test_count:,} in tests" if each.test_count else ""
                yield row(f"{each.count:,}", each.kind, each.title if each.title != each.kind else "", tests)
        none = [each for each in self.kinds if not each.count]
        if none:
            yield row(
                "0", ", ".join(each.kind if each.plugins else f"{each.kind} (no plug-in finds it)" for each in none)
            )


def lines_of(facts: Iterable[ListedFact]) -> Iterator[str]:
    """Facts under their files."""
    return _lines((each, each.said()) for each in facts)


def _lines(facts: Iterable[tuple[ListedFact, str]]) -> Iterator[str]:
    """Facts, each with what is said of it."""
    listed = tuple(facts)
    return by_file(_rows(listed), {each.file_path for each, _ in listed if each.test}, _TEST)


def _rows(facts: Iterable[tuple[ListedFact, str]]) -> Iterator[tuple[str, str]]:
    owners = NamesInFiles()
    for each, said in facts:
        owner = owners.said(each.file_path, _owner(each.owner) if each.owner else "")
        yield each.file_path, row(f"{each.line}", said, owner, _doubt(each))


def _owner(owner: str) -> str:
    return short_name(owner) if owner.startswith(ID_PREFIXES) else owner


def _doubt(fact: ListedFact) -> str:
    return "" if fact.confidence is Confidence.HIGH else f"[{fact.confidence.value}]"


def _files(facts: Iterable[ListedFact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.file_path for each in facts))
