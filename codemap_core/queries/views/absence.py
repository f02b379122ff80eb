"""Why a list of facts is empty, as a value, and as a reader of it is told."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from codemap_core.model.counting import counted
from codemap_core.queries.names.filter_values import UnknownValue


class Reason(StrEnum):
    FILTER = "filter"
    """One filter hides all that the others leave."""
    FILTERS = "filters"
    """Only together do the filters hide everything."""
    NO_PLUGIN = "no_plugin"
    """Nothing that is installed and not blocked finds facts of the kind."""
    OLDER_INDEX = "older_index"
    """The index was made without the plug-ins that find them."""
    NONE = "none"
    """There are none."""


class Absence(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """``count``: of ``FILTER`` those that pass without it, of ``FILTERS`` all of the kind.
    ``hidden_by``: the filter, in words with its value."""

    reason: Reason
    kind: str
    count: int = 0
    hidden_by: str = ""
    unknown: UnknownValue | None = None
    """Of ``FILTER`` and ``FILTERS``: a path that nothing in the index has."""
    plugins: tuple[str, ...] = ()
    """Of ``OLDER_INDEX`` and ``NONE`` those that find facts of the kind, of ``NO_PLUGIN`` those that are blocked."""
    file_count: int = 0
    failed_count: int = 0
    """Of ``NONE``: the files that the index has, and those on which an extractor failed."""

    @property
    def was_looked_for(self) -> bool:
        """There are none, or none that passes the filters; otherwise nothing is known of them."""
        return self.reason in {Reason.FILTER, Reason.FILTERS, Reason.NONE}

    @property
    def _unknown(self) -> str:
        return "" if self.unknown is None else f" {self.unknown}"

    def said(self, build: str, look: str) -> str:
        """In one or two sentences. ``build``: what builds an index again, as a clause; ``look``: what shows the faults of one."""
        plugins = f"{'plug-in' if len(self.plugins) == 1 else 'plug-ins'} {', '.join(self.plugins)}"
        match self.reason:
            case Reason.FILTER:
                return f"Nothing passes the filters; without {self.hidden_by}, {self.count:,} would.{self._unknown}"
            case Reason.FILTERS:
                return f"Nothing passes the filters; without any filter, {self.count:,} would.{self._unknown}"
            case Reason.NO_PLUGIN:
                blocked = f" CODEMAP_BLOCK_PLUGINS blocks the {plugins}." if self.plugins else ""
                return f"No plug-in finds facts of kind {self.kind}.{blocked}"
            case Reason.OLDER_INDEX:
                return f"The index was made without the {plugins}: {build} to build it again."
            case Reason.NONE:
                failed = counted(self.failed_count, "file")
                faults = f" On {failed} an extractor failed: {look}." if self.failed_count else ""
                return f"The {plugins} found none in {counted(self.file_count, 'file')}.{faults}"
