"""What holds for every page that C# is made of, however broken: shared by the tests of Razor, XAML and protocol buffers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from codemap_core.hooks.manager import PluginHost
from codemap_core.model import RefKind
from codemap_core.testing.source_index import SourceIndex, index_sources
from codemap_core.testing.specs import read_specs
from codemap_plugins.csharp.parsing import ParsedSource
from codemap_plugins.csharp.source_text import GeneratedLines
from tests.growth import growth

Page = tuple[str, tuple[str, ...]]
"""Its path and its tokens."""
_TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")
_NAMELESS: Final = (RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.OPERATOR)
_TIMES: Final = 4
_MOST: Final = 9.0
"""So many times the text may take this many times as long; it takes 16 times as long where the time grows with the square."""


def pages_of(suite: str, endings: tuple[str, ...]) -> list[Page]:
    """The pages of a specification."""
    return [
        (path, tuple(_TOKEN.findall(text)))
        for spec in read_specs(suite)
        for path, text in spec.files.items()
        if path.endswith(endings)
    ]


def _mutated(choose: random.Random, pages: Sequence[Page], fragments: Sequence[str]) -> tuple[str, str]:
    """A page with up to four tokens replaced or left out."""
    path, found = choose.choice(pages)
    tokens = list(found)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(tokens))
        if choose.random() < 0.5:
            tokens[at] = choose.choice(fragments)
        else:
            del tokens[at : at + choose.randint(1, 4)]
            tokens = tokens or [" "]
    return path, "".join(tokens)


def assert_pieces_stand(page: bytes, parsed: ParsedSource) -> None:
    """Every piece of the text stands in the page where it says, in the order of the text."""
    assert isinstance(parsed.line_index, GeneratedLines)
    pieces = parsed.line_index.pieces
    ends = 0
    for start, length, origin in zip(pieces.starts, pieces.lengths, pieces.origins, strict=True):
        assert start >= ends
        ends = start + length
        assert parsed.source[start:ends] == page[origin : origin + length]


def _assert_rows_stand(index: SourceIndex, text: str) -> None:
    """Every row is on a line of the page, and an unresolved name, or what qualifies it, stands where its row says."""
    lines = re.split("\r\n|[\r\n\x85\u2028\u2029]", text)
    for row in index.symbols:
        assert 1 <= row.span_start <= row.span_end <= len(lines), (text, row)
        assert 1 <= row.name_line <= len(lines), (text, row)
    for reference in index.references:
        written = lines[reference.line - 1][reference.column - 1 :]
        name = reference.to_name if reference.to_symbol is None and reference.kind not in _NAMELESS else None
        qualifier = (reference.to_container_hint or "").partition(".")[0]
        assert not name or written.startswith((name, qualifier or name, "@", "[")), (text, reference)


def assert_mutated_pages_stand(
    seed: int,
    pages: Sequence[Page],
    fragments: Sequence[str],
    files: Callable[[str, str], dict[str, str]],
    host: PluginHost,
) -> None:
    """``files``: a project with a page, of which path and text are given."""
    choose = random.Random(seed)
    for _ in range(20):
        path, text = _mutated(choose, pages, fragments)
        _assert_rows_stand(index_sources(files(path, text), host), text)  # asserts that no extractor raised


def assert_linear(parse: Callable[[bytes], object], head: str, shape: str) -> None:
    """Reading takes time in proportion to the page."""
    assert growth(lambda count: parse((head + shape * count).encode()), 400, _TIMES, enough=0.05) < _MOST
