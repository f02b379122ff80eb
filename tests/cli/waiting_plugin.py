"""A third party's plug-in that dawdles, so that a test can interrupt a build at a known place.

Its file is ``*.wait``. At the stage that CODEMAP_TEST_WAIT names it creates the file CODEMAP_TEST_MARK and sleeps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings, DeclarationView, UnitKey, Universe
from codemap_core.hooks.registry import Registry
from codemap_core.model import DocumentStatus, SymbolRow


def dawdle(stage: str) -> None:
    if os.environ.get("CODEMAP_TEST_WAIT") == stage:
        Path(os.environ["CODEMAP_TEST_MARK"]).touch()
        time.sleep(300)


class WaitingLanguage:
    name = "waiting"
    suffixes = (".wait",)
    fingerprint = "1"

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        dawdle("analyse")
        return AnalysedDocument(unit=b"1", text="", line_count=0, status=DocumentStatus.CLEAN)

    def relevant_settings(self, content: bytes, settings: AnalysisSettings) -> AnalysisSettings:
        return AnalysisSettings()

    def is_generated(self, path: str) -> bool:
        return False


class WaitingSymbols:
    name = "waiting"
    language = "waiting"

    def declare(self, universe: Universe) -> None:
        dawdle("declare")

    def symbols(self, table: None, unit: UnitKey) -> Iterable[SymbolRow]:
        dawdle("bind")
        return ()

    def declarations(self, table: None, unit: UnitKey) -> Iterable[DeclarationView]:
        return ()


@hookimpl
def codemap_register_languages(registry: Registry[Any]) -> None:
    registry.add(WaitingLanguage())


@hookimpl
def codemap_register_symbol_extractors(registry: Registry[Any]) -> None:
    registry.add(WaitingSymbols())
