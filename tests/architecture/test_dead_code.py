"""Nothing is left in the packages that nobody there uses, or tests alone.

Judged are functions, classes, methods, properties and constants. A field of a struct is part of what is stored or answered as a whole.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.architecture.test_conventions import PACKAGES, ROOT

REACHED_OTHERWISE: Final = {
    r"\w+/[\w/]+: codemap_register_\w+": "a hook, called by its name",
    r"codemap_plugins/csharp/binding/\w+: bind_\w+": "found by its decorator",
    r"codemap_plugins/csharp/binding/statements_walk: \w+": "found by its decorator",
    r"codemap_plugins/csharp/lowering/\w+: \w+": "found by its decorator",
    r"codemap_plugins/typescript/\w+_walker: _\w+": "found by the name of the node that it is for",
    r"codemap_core/storage/reading/engine: set_pragmas": "called by SQLAlchemy for every connection",
    r"codemap_core/storage/schema/\w+_tables: (__table_args__|[A-Z]\w+)": "a table of SQLAlchemy's",
    r"codemap_core/testing/pytest_plugin: \w+": "called by pytest",
    r"codemap_core/testing/bound_text: bound_text": "for the tests of plug-ins",
    r"codemap_core/hooks/manager: \w+_extractors": "found by its name among the extension points",
    r"\w+/[\w/]+: _(name|value)_": "read by enum",
    r"codemap_plugins/dotnet/project_xml: (buffer_text|\w+Handler)": "read by expat",
    r"codemap_server/(http|open_indexes): (should_exit|enable_automatic_graceful_drain|atexit)": "read by the library whose object it is",
    r"codemap_server/cli/help_text: (format_options|collect_usage_pieces)": "called by click",
    r"codemap_server/coderef2: \w+": "called by those who import CodeRef's server",
    r"[\w/]+: RULE_MODULES": "holds modules whose import registers rules",
    r"codemap_plugins/csharp/language_version: CSHARP_\w+": "a version, whether a rule asks for it or not",
    r"codemap_plugins/csharp/unit: [A-Z]+": "a modifier, whether a rule asks for it or not",
    r"codemap_server/cli/plugin_skeleton: [A-Z]+": "a choice of --form",
}
"""``path: name`` of what vulture cannot see a use of, and who uses it."""


def test_everything_is_used() -> None:
    vulture = pytest.importorskip("vulture")
    search = vulture.Vulture()
    search.scavenge([str(ROOT / each) for each in (*PACKAGES, "migrations")])
    found = {
        f"{each.filename.relative_to(ROOT).with_suffix('').as_posix()}: {each.name}"
        for each in search.get_unused_code(min_confidence=60)
        if each.typ != "variable" or each.name.isupper()
    }
    assert {each for each in found if not any(re.fullmatch(known, each) for known in REACHED_OTHERWISE)} == set()
    assert {known for known in REACHED_OTHERWISE if not any(re.fullmatch(known, each) for each in found)} == set()
