"""The model that ``find_similar`` has without any installation: features of CodeMap's own data, projected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codemap_core.storage.reading.bulk_rows import Declared
from codemap_core.storage.reading.reader import IndexReader
from codemap_plugins.codeagent.features import features_of
from codemap_plugins.codeagent.projection import Bytes, Frequencies, frequencies_of, project


class StructuralModel:
    name: Final = "codemap-structural-4"
    """A change of what features or vectors are takes another name, so that files that were made before are made again."""
    version: Final = name

    def vectors(
        self,
        reader: IndexReader,
        symbols: list[Declared],
        corpus: Frequencies | None,
        check: Callable[[], None],
    ) -> tuple[Bytes, Frequencies]:
        """A vector for each of ``symbols``, and what those of edits are made with later. ``corpus``: null where ``symbols`` are all of the
        index, else what was given for all. ``check`` is called now and then, and raises to stop."""
        features = features_of(reader, symbols, check, is_part=corpus is not None)
        frequencies = corpus or frequencies_of(features, len(symbols))
        return project(features, len(symbols), frequencies), frequencies
