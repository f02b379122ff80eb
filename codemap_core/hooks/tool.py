"""What a tool family hands over. The server renders, validates and budgets; a tool is a plain function over typed
arguments.

Argument types are ``msgspec.Struct``s with ``forbid_unknown_fields=True``; field constraints and descriptions come from
``msgspec.Meta`` and become the JSON schema that clients see. No field may be ``X | None`` with ``X`` a string: an empty
string means "not given", so that a host which parses JSON inside strings cannot break a search for ``null``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field

from codemap_core.config import BudgetLimits
from codemap_core.model import Confidence

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot


class Evidence(Struct, frozen=True, omit_defaults=True):
    """Where a claim can be checked (contract 2.3): 1-based inclusive lines."""

    repo_id: str
    file_path: str
    line_start: int
    line_end: int
    symbol_id: str | None = None
    excerpt: str | None = None


class NextAction(Struct, frozen=True, omit_defaults=True):
    tool: str
    rationale: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


class LimitApplied(Struct, frozen=True):
    """A budget that was clamped: what was asked for, and the cap that holds."""

    requested: int
    hard_cap: int


class ToolResult(Struct, frozen=True, kw_only=True):
    """What a tool answers; the server wraps it in the contract's envelope. ``enveloped=False``: ``data`` is sent bare,
    as the contract has it for repo.*, index.* and workspace.* tools."""

    answer: str
    data: Any
    evidence: tuple[Evidence, ...] = ()
    next_actions: tuple[NextAction, ...] = ()
    confidence: Confidence = Confidence.HIGH
    limits_applied: Mapping[str, LimitApplied] = field(default_factory=dict)
    answer_files: tuple[str, ...] = ()
    """Paths of the files that hold the answer: what an agent would otherwise have read. Basis of ``tokens_saved``."""
    snapshot: Any = None
    """The ``Snapshot`` that was asked, for ``meta``; null for tools that ask none."""
    enveloped: bool = True


class ToolContext(Protocol):
    """What a tool may use. Implemented by the server; one per call."""

    @property
    def budgets(self) -> BudgetLimits:
        """Defaults for what a call does not say; ``codemap_core.config.HARD_CAPS`` are the upper bounds."""
        ...

    def snapshot(self, repo_path: str = "", commit: str = "", workspace_id: str = "") -> Snapshot:
        """The index to ask. Empty ``repo_path``: the only repository this server knows.
        Raises: InvalidArgumentError (no or several repositories), NotFoundError, IndexNotAvailableError."""
        ...

    def ensure_baseline(self, repo_path: str, commit: str, solution: str) -> Mapping[str, Any]:
        """Builds the index if it does not exist; sends progress to the client; honours cancellation."""
        ...

    def repository_status(self, repo_path: str) -> Mapping[str, Any]: ...

    def changes_since(self, snapshot: Snapshot) -> str:
        """What the repository has now that the index does not show, as a sentence: a newer HEAD, uncommitted changes.
        Empty when it shows everything. Asks git: for answers that would otherwise mislead, not for every one."""
        ...

    def differs_from_working_copy(self, snapshot: Snapshot, file_path: str) -> bool:
        """Whether an indexed file is not on disk as it was indexed: edited, removed, or another commit checked out."""
        ...

    def check_cancelled(self) -> None:
        """Raises: CancelledError when the client has cancelled this call. Long tools call it often."""
        ...


class Tool(Struct, frozen=True, kw_only=True):
    name: str
    """The contract's dotted name, ``symbols.search``."""
    title: str
    description: str
    """First sentence with the words an agent would search for; then when to use it, budgets and defaults."""
    arguments: type[Struct]
    run: Callable[[ToolContext, Any], ToolResult]
    read_only: bool = True
    destructive: bool = False
    idempotent: bool = True


class ToolFamily(Struct, frozen=True, kw_only=True):
    """Tools listed together by ``--toolsets NAME``."""

    name: str
    title: str
    tools: tuple[Tool, ...]
