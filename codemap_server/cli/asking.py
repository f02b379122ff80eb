"""Asks tools for a command: in this process, by the server's own code, typed results, no budget of characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from codemap_core.errors import NotFoundError
from codemap_server.cli.options import AskedRevision, Filter, Meant, MeantBesideKind, Paging

if TYPE_CHECKING:
    from codemap_core.hooks.tool import ToolResult
    from codemap_core.progress import ProgressCallback
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_server.calls import ToolCaller
    from codemap_server.composition import Composition

_AT_ONCE: Final = 500
"""Rows to ask for in one call; a tool gives fewer where its cap is lower."""
_PLACE: Final = re.compile(r"(?P<path>.+\.\w+):(?P<line>\d+)(?::\d+)?")


class Asker:
    """One command's questions about one commit of one repository."""

    def __init__(
        self, composition: Composition, caller: ToolCaller, repository: Repository, commit: str, *, quiet: bool
    ) -> None:
        self._composition = composition
        self._quiet = quiet
        self._caller = caller
        self.repository = repository
        self.commit = commit

    def ask(self, tool: str, **arguments: Any) -> ToolResult:
        """Arguments that are empty are left out. Raises: CodeMapError."""
        given = {name: value for name, value in arguments.items() if value not in ("", None, [], {})}
        if self.commit:
            given["commit_sha"] = self.commit
        with self._progress() as progress:
            from codemap_server.calls import CallControl

            return self._caller.run(tool, given, CallControl(progress=progress))

    def _progress(self) -> AbstractContextManager[ProgressCallback]:
        """Drawn only where an index may have to be built first."""
        from codemap_server.cli.terminal import progress_reporter

        return progress_reporter(quiet=self._quiet or not self._composition.auto_index)

    def pages(
        self, tool: str, paging: Paging, rows: Callable[[Any], Sequence[Any]], *, limit: str = "limit", **arguments: Any
    ) -> list[ToolResult]:
        """As many answers as it takes to show what was asked for; at least one. ``rows``: those of an answer's data. ``limit``: the
        argument that says how many at once; empty where the tool has none."""
        found: list[ToolResult] = []
        shown = 0
        while True:
            wanted = _AT_ONCE if paging.wanted is None else min(_AT_ONCE, paging.wanted - shown)
            result = self.ask(tool, **arguments, **({limit: wanted} if limit else {}), offset=paging.offset + shown)
            count = len(rows(result.data))
            if paging.wanted is not None and shown + count > paging.wanted:  # a graph takes the limit for each level
                count = paging.wanted - shown
                result = replace(result, data=result.data.cut(count))
            found.append(result)
            shown += count
            page = result.page
            if not count or page is None or not page.continues_after(count) or shown == paging.wanted:
                return found

    def snapshot(self, commit: str = "", workspace_id: str = "") -> Snapshot:
        """The index that answers; of another commit than the command's, or a workspace, if one is named."""
        from codemap_server.call_context import ServerCallContext
        from codemap_server.calls import CallControl

        with self._progress() as progress:
            return ServerCallContext(self._composition, CallControl(progress=progress)).snapshot(
                "", commit or self.commit, workspace_id
            )

    def notes(self, snapshot: Snapshot, file_paths: Iterable[str], found: int) -> list[str]:
        """What has to be known beside ``found`` results in these files that no tool has been asked for."""
        from codemap_core.hooks.tool import Page, ToolResult
        from codemap_server.call_context import ServerCallContext
        from codemap_server.calls import CallControl

        shown = ToolResult(answer="", data=None, page=Page(0, found), snapshot=snapshot)
        context = ServerCallContext(self._composition, CallControl())
        return [each.text for each in context.notes(shown, tuple(file_paths))]

    def hidden_by(self, where: Filter) -> str:
        """The value of a filter that nothing in the index has, as a sentence; empty where there is none."""
        from codemap_core.queries.names.filter_values import unknown_value
        from codemap_core.queries.search.symbol_search import symbol_filter

        asked = symbol_filter((), where.namespace, self.within(where.file), where.project)
        unknown = None if asked.is_empty else unknown_value(self.snapshot(), asked)
        return "" if unknown is None else str(unknown)

    def no_such_path(self, written: str) -> str:
        """Says that a filter of paths lets no file pass; empty where one does."""
        from codemap_core.queries.names.filter_values import unknown_paths

        unknown = unknown_paths(self.snapshot(), self.within(written)) if written else None
        return "" if unknown is None else str(unknown)

    def meaning(self, symbol: str, where: Meant | MeantBesideKind) -> dict[str, Any]:
        """Arguments that say which symbol is meant; ``FILE:LINE`` means what is declared there.
        Raises: NotFoundError where nothing is."""
        matched = _PLACE.fullmatch(symbol)
        if matched is not None:
            return self._declared_at(self.within(matched["path"]), int(matched["line"]))
        narrowed = {"namespace": where.namespace, "file_path": self.within(where.file), "kinds": where.kinds}
        return {
            "symbol": symbol,
            "project": where.project,
            "name_filter": {name: value for name, value in narrowed.items() if value},
        }

    def name_columns(self, symbol_ids: Iterable[str]) -> dict[tuple[str, str, int], int]:
        """1-based columns of the names in declarations, by the symbol's id and the place of the name."""
        declared = self.snapshot().reader.declarations(symbol_ids)
        return {(each.symbol_id, each.file_path, each.name_line): each.name_column for each in declared}

    def within(self, written: str) -> str:
        """As ``path_within``."""
        return path_within(self.repository, written)

    def _declared_at(self, path: str, line: int) -> dict[str, Any]:
        snapshot = self.snapshot()
        if snapshot.reader.document(path) is None:
            snapshot.file_text(path)  # says what was probably meant
        around = [each for each in snapshot.reader.symbols_in_file(path) if each.span_start <= line <= each.span_end]
        if not around:
            raise NotFoundError(f"Nothing is declared at {path}:{line}.", name=f"{path}:{line}", candidates=())
        innermost = min(around, key=lambda each: (each.span_end - each.span_start, -each.name_line))
        return {"symbol": innermost.symbol_id, "project": innermost.project}


def path_within(repository: Repository, written: str) -> str:
    """A path as the index spells it: relative to the git root, or to the current folder where it exists there."""
    path = Path(written)
    if written and not repository.is_bare and path.exists():
        resolved = path.resolve()
        if resolved.is_relative_to(repository.root) and resolved != repository.root:
            return resolved.relative_to(repository.root).as_posix()
    return written.replace("\\", "/").removeprefix("./")


@contextmanager
def asker(folder: Path | None, revision: AskedRevision | None = None, *, quiet: bool = False) -> Iterator[Asker]:
    """``quiet``: no progress is shown, even where an index is built first.

    Raises: InvalidArgumentError, NotFoundError for what is not in a repository."""
    revision = revision or AskedRevision()
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.repository import Repository
    from codemap_server.call_context import ServerCallContext
    from codemap_server.calls import ToolCaller
    from codemap_server.composition import Composition
    from codemap_server.serve import start_folder
    from codemap_server.toolset import Toolset

    start = start_folder(folder)
    repository = Repository.open(start)
    composition = Composition(load_settings(), load_plugins(), start)
    composition.auto_index = composition.auto_index or revision.auto_index
    try:
        caller = ToolCaller(Toolset(composition.host.tool_families), partial(ServerCallContext, composition))
        yield Asker(composition, caller, repository, revision.commit, quiet=quiet)
    finally:
        composition.close()
