"""What of an index changes with the files: the documents whose rows another state of the repository replaces, the ones it no longer has,
and what the index as a whole then says.

Invariants: an index whose documents ``documents`` replace and ``deleted`` hide has the rows of a cold index of the other state; rows are
owned by documents, and a document is replaced whole. ``comparison`` finds these, ``applied`` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from codemap_core.model import LibrarySymbolRow, ProjectGraph, SemanticLevel
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.row_groups import ReplacedDocument
from codemap_core.storage.files.examine import ProjectDiagnostic
from codemap_core.storage.writing.document_records import DocumentRecord


class Declined(Struct, frozen=True):
    """Too much would have to be bound again. ``analysed``: as in ``Changes``."""

    analysed: int


class Changes(Struct, frozen=True, kw_only=True):
    """The way from an index to another state of its repository."""

    documents: tuple[ReplacedDocument, ...]
    """In path order: those that are new, and those of the index that have other rows or other contents."""
    deleted: tuple[str, ...]
    """Paths of documents of the index that the new state does not have, sorted."""
    libraries: tuple[LibrarySymbolRow, ...]
    """What is known of symbols that rows of ``documents`` refer to, that no document declares and of which the index says nothing."""
    libraries_again: tuple[str, ...] | None = None
    """Where projects see other libraries, so that nothing holds that the index says of their symbols: those that its rows refer to.
    ``libraries`` has what is known of all of them then."""
    graph: ProjectGraph
    """Projects and solutions that the new state lists, all of them, with their problems."""
    diagnostics: tuple[ProjectDiagnostic, ...]
    semantic_level: SemanticLevel
    failures: tuple[ExtractionFailure, ...] = ()
    records: tuple[tuple[str, str, DocumentRecord], ...] = ()
    """What the rows of ``documents`` came from: (file path, project path, record)."""
    conclusions: Mapping[str, Mapping[str, bytes]] = {}
    """Those of the rows of ``documents`` that extractors concluded: by the label of the extractor and the path, encoded."""
    unsettled: tuple[str, ...] = ()
    """As ``IndexInfo`` has them."""
    library_places: Mapping[str, str] = {}
    """As ``IndexInfo`` has them."""
    statuses: Mapping[str, int] = {}
    """How many files that a language analyses have each status, in the new state."""
    analysed: int = 0
    """How many contents were analysed, and neither taken over nor from the cache."""
    cached: int = 0
    """How many were."""
    bound: int = 0
    """How many documents were bound; all others were taken over."""
