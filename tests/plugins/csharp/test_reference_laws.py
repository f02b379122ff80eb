"""Laws that references keep: the same sources give the same rows, each row is owned by the file whose text it is about, and no
text, however broken, makes the binder raise.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.model import ReferenceRow, RefKind, ResolutionState
from codemap_core.testing.source_index import index_sources

_ROOT: Final = Path(__file__).parents[3] / "testdata"
_FRAGMENTS: Final = (
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    ";",
    ".",
    "=>",
    "?",
    "var ",
    "new ",
    "in ",
    "await ",
    "[",
    "]",
    '"',
    "$",
    "static ",
    ", ",
    "#if X\n",
)


@cache
def host() -> PluginHost:
    return load_plugins()


@cache
def sample() -> dict[str, str]:
    folder = _ROOT / "SampleSolution"
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".cs", ".csproj", ".slnx", ".props")
    }


@cache
def programs() -> str:
    return (_ROOT / "differential" / "types.cs").read_text(encoding="utf-8")


def references(files: dict[str, str]) -> tuple[ReferenceRow, ...]:
    return index_sources(files, host()).references


def test_equal_sources_have_equal_references() -> None:
    files = sample()
    first = references(files)
    assert first
    assert references(dict(reversed(files.items()))) == first


def test_every_reference_names_what_stands_at_its_place() -> None:
    files = sample()
    for row in references(files):
        line = files[row.file_path].splitlines()[row.line - 1]
        at = line.encode("utf-16-le")[2 * (row.column - 1) :].decode("utf-16-le")
        assert at, row
        if row.kind is RefKind.CALL and row.resolution_state is ResolutionState.RESOLVED and row.to_symbol is not None:
            name = row.to_symbol.partition("(")[0].rpartition(".")[2].partition("`")[0]
            assert at.lstrip("@").startswith(name), row


_FUZZED: Final = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(_FUZZED, max_examples=15)
@given(data=st.data())
def test_no_text_makes_the_binder_raise(data: st.DataObject) -> None:
    _bind_broken_text(data)


@pytest.mark.long
@settings(_FUZZED, max_examples=1_000)
@given(data=st.data())
def test_none_of_many_texts_makes_the_binder_raise(data: st.DataObject) -> None:
    _bind_broken_text(data)


def _bind_broken_text(data: st.DataObject) -> None:
    text = programs()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 40))
        text = text[:at] + data.draw(st.sampled_from(_FRAGMENTS)) + text[at + length :]
    # Raises when an extractor raised for a file.
    index_sources({"Program.cs": text}, host())
