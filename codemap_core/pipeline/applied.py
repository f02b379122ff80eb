"""Changes written into an index: a workspace, or the copy that becomes the next baseline."""

from __future__ import annotations

from msgspec.structs import replace

from codemap_core.pipeline.changes import Changes
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.writing.index_editor import IndexEditor


def apply(editor: IndexEditor, changes: Changes, info: IndexInfo) -> IndexInfo:
    """Replaces the documents of an index; what it says of itself afterwards, for ``IndexEditor.finish``."""
    editor.set_projects(changes.graph)
    for path in changes.deleted:
        editor.remove(path)
    for each in changes.documents:
        editor.put(each.document)
    for each in changes.documents:
        editor.add_symbols(each.symbols)
        for references in each.references:
            editor.add_references(references)
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
