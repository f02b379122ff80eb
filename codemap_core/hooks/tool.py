"""What a tool family hands over. The server renders, validates and budgets; a tool is a plain function over typed
arguments.

Argument types are ``msgspec.Struct``s with ``forbid_unknown_fields=True``; field constraints and descriptions come from
``msgspec.Meta`` and become the JSON schema that clients see. No field may be ``X | None`` with ``X`` a string: an empty
string means "not given", so that a host which parses JSON inside strings cannot break a search for ``null``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from msgspec import Struct, field

from codemap_core.config import BudgetLimits
from codemap_core.hooks.capabilities import Capability, Offered
from codemap_core.model import Confidence, Evidence, FactSources

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot


@runtime_checkable
class Lined(Protocol):
    """A view that says how it reads as plain text. A view without ``lines`` is shown by its fields."""

    def lines(self) -> Iterable[str]:
        """The body of a plain-text answer: grouped by file, a path once at the left margin, rows indented below it. What is usual
        (resolved, high confidence) is not said. Source is one item, its lines as they are under a line that says where they begin."""
        ...


@runtime_checkable
class Listing(Protocol):
    """A view that lists rows of one deterministic sequence, so that the server can fit it into a budget and continue it."""

    @property
    def row_count(self) -> int:
        """Rows that it holds now."""
        ...

    def cut(self, count: int) -> Self:
        """The view with its first ``count`` rows, marked as truncated."""
        ...


@runtime_checkable
class NestedListing(Listing, Protocol):
    """A view whose rows list rows in turn, so that even the first of them alone can be fitted into a budget."""

    @property
    def first_row_count(self) -> int:
        """Rows that its first row holds now."""
        ...

    def cut_first(self, count: int) -> Self:
        """The view with the first ``count`` rows of its first row, which says that it is cut and how it is continued."""
        ...


@runtime_checkable
class Placed(Protocol):
    """A view that knows which files hold what it shows or names: what an agent would otherwise have read, and whose edits it misses."""

    @property
    def files(self) -> tuple[str, ...]:
        """Paths, each once."""
        ...


class NextAction(Struct, frozen=True, omit_defaults=True):
    tool: str
    rationale: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


class LimitApplied(Struct, frozen=True):
    """A budget that was clamped: what was asked for, and the cap that holds."""

    requested: int
    hard_cap: int


class Page(Struct, frozen=True):
    """Which rows of its sequence a listing holds: ``offset`` were skipped, there are ``total`` in all, or more than those where
    ``total_is_minimum``."""

    offset: int
    total: int
    total_is_minimum: bool = False

    def continues_after(self, count: int) -> bool:
        """Whether there are rows behind the ``count`` that are shown."""
        return count > 0 and (self.total_is_minimum or self.offset + count < self.total)


class ToolResult(Struct, frozen=True, kw_only=True):
    """What a tool answers: one typed value, which the server fits into a budget and renders as text or as the contract's envelope."""

    answer: str
    """One or two sentences, with totals; never what a cut left, which the server says."""
    data: Any
    """A view: ``Lined``, ``Listing`` and ``Placed`` where that applies; or any value that msgspec can encode."""
    page: Page | None = None
    """Of a ``Listing`` that can be continued by ``cursor``."""
    sufficient_rows: int = 0
    """The first rows, where they are all that was most likely asked for: plain text ends a first page after them. 0: no such rows."""
    notes: tuple[str, ...] = ()
    """What a reader has to know beside the answer, a short sentence each."""
    evidence: tuple[Evidence, ...] = ()
    """Places that ``data`` does not name."""
    next_actions: tuple[NextAction, ...] = ()
    """Calls that tell more; never one that would repeat the answer, nor its next page."""
    confidence: Confidence = Confidence.HIGH
    limits_applied: Mapping[str, LimitApplied] = field(default_factory=dict)
    snapshot: Any = None
    """The ``Snapshot`` that was asked, for ``meta``; null for tools that ask none."""
    workspace: Any = None
    """The ``WorkspaceSummary`` of what was changed, for ``meta`` of a tool that asks no ``Snapshot``."""
    older: Any = None
    """The ``Snapshot`` that ``snapshot`` was compared with."""
    draws_on_every_file: bool = False
    """Any file may have a part in the answer, so that it may be another one once what is not committed is seen."""


class ToolContext(Protocol):
    """What every tool may use; the rest it asks for. Implemented by the server; one per call."""

    @property
    def budgets(self) -> BudgetLimits:
        """Defaults for what a call does not say; ``codemap_core.config.HARD_CAPS`` are the upper bounds."""
        ...

    @property
    def fact_sources(self) -> FactSources:
        """The kinds of facts that are known, and the plug-ins that find them."""
        ...

    @property
    def follows_working_tree(self) -> bool:
        """Whether ``snapshot`` shows edits of the working tree without being told of them, as with ``serve --live``."""
        ...

    def snapshot(
        self,
        repo_path: str = "",
        commit: str = "",
        workspace_id: str = "",
        committed: bool = False,
        unsaved: Mapping[str, str] | None = None,
    ) -> Snapshot:
        """The index to ask. Empty ``repo_path``: the only repository this server knows. Without a commit and a workspace it is that of
        HEAD; of a server that follows the working tree, that with its edits, unless ``committed``. ``unsaved``: texts
        by path that the workspace is to show for this question.
        Raises: InvalidArgumentError (no or several repositories), NotFoundError, IndexNotAvailableError."""
        ...

    def ask(self, capability: Capability[Offered]) -> Offered:
        """What the server offers under a key of ``codemap_core.hooks.capabilities``. Raises: NotFoundError when it offers nothing there."""
        ...

    def check_cancelled(self) -> None:
        """Raises: CancelledError when the client has cancelled this call. Long tools call it often."""
        ...


class Tool(Struct, frozen=True, kw_only=True):
    name: str
    """The contract's dotted name, ``symbols.search``."""
    title: str
    description: str
    """One or two sentences: the words an agent would search for, then when to use it."""
    arguments: type[Struct]
    run: Callable[[ToolContext, Any], ToolResult]
    of_index: bool = False
    """The result follows from the index and the arguments, which are ``SnapshotArguments``, alone: the server may remember it."""
    read_only: bool = True
    destructive: bool = False
    idempotent: bool = True


class OwnContract(Protocol):
    """How a family answers whose contract is not CodeMap's: its own JSON, without an envelope, cursors or a budget of characters. Its
    limits are its own business. Tools of such a family are listed with the whole schema of their arguments, and may have any name of
    letters, digits, dots and underscores."""

    def answer(self, tool: str, result: ToolResult) -> Any:
        """What a call gave, as a value that msgspec can encode. The notes of the result, and the server's, are sent behind it as a text of
        their own."""
        ...

    def error(self, tool: str, error: Exception) -> Any:
        """The same for what ended a call: a CodeMapError (``InvalidArgumentError`` for arguments that do not fit, before the tool is
        called), or any other exception, which is a bug."""
        ...


class ToolFamily(Struct, frozen=True, kw_only=True):
    """Tools listed together by ``--toolsets NAME``."""

    name: str
    title: str
    tools: tuple[Tool, ...]
    on_request: bool = False
    """Listed only where ``--toolsets`` names it or says ``all``. Every model that connects reads the listing, so what few sessions need
    is left out of it; its tools can be called all the same."""
    contract: OwnContract | None = None
    follows_working_tree: bool = False
    """Its tools answer about the files as they are on disk: a server that lists the family by name follows the working tree as
    ``--live`` says, unless it is told not to."""
    instructions: str = ""
    """When to use which of its tools, for the text that a client gets when it connects to a server that lists the family."""
