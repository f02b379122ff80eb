"""A series of random edits, of sources and of projects."""

from __future__ import annotations

from collections.abc import Iterator

from tests.core.pipeline.editor import Editor
from tests.core.pipeline.project_edits import PROJECT_EDITS
from tests.core.pipeline.source_edits import SOURCE_EDITS


def edits(editor: Editor, count: int, projects: int) -> Iterator[str]:
    """``count`` edits, of which about one in ``projects`` is of a project file."""
    for number in range(count):
        yield editor.edit(PROJECT_EDITS if projects and number % projects == projects - 1 else SOURCE_EDITS)
