"""Changes written into an index: a workspace, or the copy that becomes the next baseline."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from codemap_core.pipeline.changes import Changes
from codemap_core.progress import ProgressCallback, Stage, unreported
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.writing.index_editor import IndexEditor

_FEW: Final = 100
"""Documents that are written before anyone asks how far it has got."""


def apply(editor: IndexEditor, changes: Changes, info: IndexInfo, progress: ProgressCallback = unreported) -> IndexInfo:
    """Replaces the documents of an index; what it says of itself afterwards, for ``IndexEditor.finish``."""
    count = len(changes.documents)
    progress(Stage.PUBLISH, 0, count if count > _FEW else 0)
    editor.set_projects(changes.graph)
    for path in changes.deleted:
        editor.remove(path)
    for done, each in enumerate(changes.documents):
        _report(progress, done, count)
        editor.put(each.document)
    for done, each in enumerate(changes.documents, count):
        _report(progress, done, count)
        editor.add_symbols(each.symbols)
        editor.set_references(each.document.file_path, each.references)
        editor.add_relations(each.relations)
        editor.add_facts(each.facts)
    if changes.libraries_again is not None:
        editor.forget_libraries(changes.libraries_again)
    editor.add_library_symbols(changes.libraries)
    editor.add_records(changes.records)
    for extractor, said in changes.conclusions.items():
        editor.add_conclusions(extractor, said)
    return replace(
        info,
        semantic_level=changes.semantic_level,
        project_diagnostics=changes.diagnostics,
        project_problems=changes.graph.problems,
        library_places=changes.library_places,
        unsettled=changes.unsettled,
    )


def _report(progress: ProgressCallback, steps: int, count: int) -> None:
    """``steps``: those done of two a document: what it had is taken out, and what it has now is added."""
    if steps and steps % _FEW == 0 and count > _FEW:
        progress(Stage.PUBLISH, steps // 2, count)
