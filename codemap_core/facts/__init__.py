"""What kinds of facts share: how bound values read as texts and types as names, and how an event or a declaration becomes a row.

Extractors import this package beside ``codemap_core.model`` and ``codemap_core.hooks``. It holds no rule of any single kind.
"""

from codemap_core.facts.note_data import note_data, read_note_data
from codemap_core.facts.rows import column_of_link, fact, link
from codemap_core.facts.texts import text_of, text_with_holes
from codemap_core.facts.type_names import display_type, full_name

__all__ = [
    "column_of_link",
    "display_type",
    "fact",
    "full_name",
    "link",
    "note_data",
    "read_note_data",
    "text_of",
    "text_with_holes",
]
