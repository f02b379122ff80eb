"""Why a name is bound as it is: the stages up to declare once more, then one file bound under watch. Only units are written, to their
cache."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from types import MappingProxyType

from codemap_core.config import Settings
from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.hooks.contracts import Explainer, FoundLibraries, UnitKey, Universe
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import PlaceExplanation
from codemap_core.model.counting import counted
from codemap_core.pipeline.analyse import Analysis
from codemap_core.pipeline.discover import Discovery, discover, work_tree
from codemap_core.pipeline.refresh import edits_taken_up
from codemap_core.pipeline.workers import default_jobs
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import CommitFiles, EditedFiles, Repository, RepositoryFiles, edit_of
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.storage.workspace_file import open_workspace


def explain_place(
    repository: Repository,
    host: PluginHost,
    settings: Settings,
    file_path: str,
    line: int,
    column: int = 0,
    *,
    name: str = "",
    commit: str = "",
    project: str = "",
    workspace_id: str = "",
    unsaved: Mapping[str, str] = MappingProxyType({}),
    check: Callable[[], None] = lambda: None,
) -> tuple[PlaceExplanation, ...]:
    """What a name is bound to in each project that compiles its file, or in the one whose path or name is ``project``. Without a column:
    every name of the line, or each occurrence of ``name`` on it. ``workspace_id``: with the edits of that workspace, of the same commit;
    ``unsaved``: and with these texts, by path. ``check`` is called while files are analysed and raises to stop.

    Raises: NotFoundError for a file that is not analysed, InvalidArgumentError for a place outside it or another project."""
    repository = repository.whole()
    sha = repository.resolve_commit(commit)
    with ExitStack() as opened:
        committed = opened.enter_context(CommitFiles(repository, sha))
        files: RepositoryFiles = committed
        if workspace_id:
            reader, state = open_workspace(Workspaces(settings, repository).existing(workspace_id))
            edits = edits_taken_up(repository, state, committed, opened.enter_context(reader))
            for path, unsaved_text in unsaved.items():
                edits[path] = edit_of(repository, unsaved_text.encode("utf-8", "surrogatepass"))
            files = EditedFiles(committed, edits)
        discovery = discover(files, host, "", work_tree(repository, settings))
        languages = {blob.path: language for blob, language in discovery.sources}
        language = languages.get(file_path)
        if language is None:
            raise NotFoundError(
                f"{file_path} is not a source file in {files.label}: give its path relative to the repository's root.",
                file_path=file_path,
            )
        cache = UnitCache.open(settings.cache_directory, repository.repo_id)
        units, text = _analysed(files, host, cache, discovery, language, file_path, check)
    lines = split_lines(text)
    if not 1 <= line <= len(lines):
        raise InvalidArgumentError(
            f"{file_path} has {counted(len(lines), 'line')}; there is no line {line}.", file_path=file_path
        )
    columns = _columns(lines[line - 1], name) if name and not column else [column]
    keys = _keys(discovery, file_path, project)
    front_end = next(each for each in host.languages if each.name == language)
    if not isinstance(front_end, Explainer):
        raise InvalidArgumentError(f"No plug-in explains how {language} is bound.")
    table = front_end.declare(
        Universe(
            graph=discovery.graph,
            units=units,
            reference_folders=(
                *settings.reference_folders,
                *discovery.libraries.get(language, FoundLibraries()).folders,
            ),
            cache_folder=str(settings.cache_directory / "metadata"),
        )
    )
    return tuple(
        PlaceExplanation(
            file_path=file_path,
            line=line,
            column=column,
            project=key.project_path,
            excerpt=lines[line - 1].strip(),
            explanations=tuple(found for each in columns for found in front_end.explain(table, key, text, line, each)),
        )
        for key in keys
    )


def _columns(written: str, name: str) -> list[int]:
    """Where a name stands on a line; 1-based, in UTF-16 units. Raises: NotFoundError when it does not."""
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", written)]
    if not places:
        raise NotFoundError(f"The line does not contain the name {name!r}: {written.strip()}", name=name)
    return [len(written[:at].encode("utf-16-le")) // 2 + 1 for at in places]


def _analysed(
    files: RepositoryFiles,
    host: PluginHost,
    cache: UnitCache | None,
    discovery: Discovery,
    language: str,
    file_path: str,
    check: Callable[[], None],
) -> tuple[dict[UnitKey, bytes], str]:
    """The units of the language, and the text of the file. Closes the cache."""
    text = ""
    try:
        analysis = Analysis(host, cache, default_jobs(), check)
        for document in analysis.documents(files, discovery, _silent):
            if document.file_path == file_path:
                text = document.text or ""
    finally:
        if cache is not None:
            cache.close()
    return analysis.units[language], text


def _keys(discovery: Discovery, file_path: str, project: str) -> list[UnitKey]:
    """Projects of the same name may compile the file; a file that none compiles stands for itself."""
    compiled_by = discovery.compiled_by.get(file_path, ())
    wanted = [each for each in compiled_by if not project or project in (each.project_path, each.name)]
    if project and not wanted:
        known = ", ".join(each.project_path for each in compiled_by) or "none"
        raise InvalidArgumentError(f"{file_path} is not compiled by a project {project!r}. It is compiled by: {known}.")
    return [UnitKey(each.project_path, file_path) for each in wanted] or [UnitKey("", file_path)]


def _silent(_done: int, _total: int) -> None:
    return None
