"""A third party's plug-in that dawdles, so that a test can interrupt a build at a known place.

Its file is ``*.wait``. At the stage that CODEMAP_TEST_WAIT names it creates the file CODEMAP_TEST_MARK and sleeps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings, FrontEnd, UnitKey, Universe
from codemap_core.hooks.registry import Registry
from codemap_core.model import DocumentStatus, SymbolRow


def dawdle(stage: str) -> None:
    if os.environ.get("CODEMAP_TEST_WAIT") == stage:
        Path(os.environ["CODEMAP_TEST_MARK"]).touch()
        time.sleep(300)


class WaitingFrontEnd(FrontEnd):
    name = "waiting"
    dialects: Mapping[str, str] = {".wait": "waiting"}

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        dawdle("analyse")
        return AnalysedDocument(unit=b"1", text="", line_count=0, status=DocumentStatus.CLEAN)

    def declare(self, universe: Universe) -> None:
        dawdle("declare")

    def symbols(self, table: None, unit: UnitKey) -> Iterable[SymbolRow]:
        dawdle("bind")
        return ()


@hookimpl
def codemap_register_languages(registry: Registry[Any]) -> None:
    registry.add(WaitingFrontEnd())
