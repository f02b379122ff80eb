"""C# as a language of the index. Light to import: the parser is loaded when the first file is analysed."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings

_CONDITIONAL: Final = re.compile(rb"#[ \t]*(?:if|elif)\b")
_GENERATED_PATH: Final = re.compile(
    r"(\.g|\.g\.i|\.generated|\.designer|\.assemblyinfo|\.assemblyattributes|globalusings\.g|temporarygeneratedfile_[^/]*)\.cs$"
    r"|(^|/)obj/",
    re.IGNORECASE,
)


class CSharpLanguage:
    name = "csharp"
    suffixes: tuple[str, ...] = (".cs",)

    @cached_property
    def fingerprint(self) -> str:
        from codemap_plugins.csharp.fingerprint import unit_fingerprint

        return unit_fingerprint()

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        from codemap_plugins.csharp.analysis import analyse

        return analyse(content, settings)

    def relevant_settings(self, content: bytes, settings: AnalysisSettings) -> AnalysisSettings:
        """The symbols matter only to a file with a conditional directive; the language version changes nothing that is read."""
        if _CONDITIONAL.search(content):
            return AnalysisSettings(defines=tuple(sorted(settings.defines)))
        return AnalysisSettings()

    def is_generated(self, path: str) -> bool:
        return _GENERATED_PATH.search(path) is not None
