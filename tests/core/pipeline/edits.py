"""A series of random edits, of sources, pages and projects."""

from __future__ import annotations

from collections.abc import Iterator

from tests.core.pipeline.contract_edits import CONTRACT_EDITS, CONTRACTS
from tests.core.pipeline.editor import Editor
from tests.core.pipeline.form_edits import FORM_EDITS
from tests.core.pipeline.markup_edits import MARKUP, MARKUP_EDITS
from tests.core.pipeline.page_edits import PAGE_EDITS, PAGES
from tests.core.pipeline.project_edits import PROJECT_EDITS
from tests.core.pipeline.source_edits import SOURCE_EDITS


def edits(editor: Editor, count: int, projects: int) -> Iterator[str]:
    """``count`` edits, of which about one in ``projects`` is of a project file, and one in two of a page where there are some, of
    Razor or of XAML, or of protocol buffers; of the others one in three is of the form of a file, or of one that others are read by."""
    for number in range(count):
        kinds = SOURCE_EDITS
        if projects and number % projects == projects - 1:
            kinds = PROJECT_EDITS
        elif number % 2:
            pages = [
                edits
                for suffixes, edits in ((PAGES, PAGE_EDITS), (MARKUP, MARKUP_EDITS), (CONTRACTS, CONTRACT_EDITS))
                if any(path.endswith(suffixes) for path in editor.files)
            ]
            kinds = editor.choose.choice(pages) if pages else kinds
        if kinds is SOURCE_EDITS and editor.choose.random() < 1 / 3:
            kinds = FORM_EDITS
        yield editor.edit(kinds)
