"""Plug-ins for the host's tests, each a plain object with hook implementations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import AnalysedDocument, AnalysisSettings, FrontEnd
from codemap_core.hooks.interests import ANY, Interests
from codemap_core.hooks.registry import Registry
from codemap_core.hooks.tool import Tool, ToolFamily, ToolResult
from codemap_core.model import DocumentStatus


class ToyLanguage(FrontEnd):
    """A language that analyses nothing."""

    def __init__(self, name: str, suffix: str = "", fingerprint: str = "1") -> None:
        self.name = name
        self.dialects = {suffix or f".{name}": name}
        self.fingerprint = fingerprint

    def analyse(self, content: bytes, settings: AnalysisSettings) -> AnalysedDocument:
        return AnalysedDocument(unit=b"", text=content.decode(), line_count=0, status=DocumentStatus.CLEAN)


class Joining(ToyLanguage):
    """A language whose files belong to projects that do not name them."""

    def __init__(self, joining: Any) -> None:
        super().__init__("joins")
        self.joining = joining


class Compiling(ToyLanguage):
    """A language with files that are of it where a project names them."""

    def __init__(self, compiled_only: Any) -> None:
        super().__init__("compiles")
        self.dialects = {".compiles": "compiles", ".maybe": "maybe"}
        self.compiled_only = compiled_only


class Finder:
    """A fact extractor that finds nothing."""

    name = "finder"
    kinds = ("found",)
    extract: Any = staticmethod(lambda seen: ())

    def __init__(self, language: str = "lua", **interests: Any) -> None:
        self.language = language
        self.interests = Interests(**(interests or {"declarations": ANY}))


class NotCallable(Finder):
    extract = 7


class Unreadable(Finder):
    @property
    def fingerprint(self) -> str:
        raise ZeroDivisionError


class Nothing(Struct, forbid_unknown_fields=True, frozen=True):
    """Arguments of a tool that takes none."""


def family(name: str, *tools: str) -> ToolFamily:
    def run(context: Any, arguments: Nothing) -> ToolResult:
        return ToolResult(answer="", data=None)

    return ToolFamily(
        name=name,
        title=name,
        tools=tuple(Tool(name=each, title=each, description=each, arguments=Nothing, run=run) for each in tools),
    )


class Provides:
    """Registers what it was given."""

    def __init__(
        self,
        languages: Iterable[Any] = (),
        families: Iterable[Any] = (),
        extractors: Iterable[Any] = (),
        meanings: Iterable[Any] = (),
    ) -> None:
        self.meanings = tuple(meanings)
        self.languages = tuple(languages)
        self.families = tuple(families)
        self.extractors = tuple(extractors)

    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[Any]) -> None:
        for each in self.extractors:
            registry.add(each)

    @hookimpl
    def codemap_register_languages(self, registry: Registry[Any]) -> None:
        for language in self.languages:
            registry.add(language)

    @hookimpl
    def codemap_register_meanings(self, registry: Registry[Any]) -> None:
        for each in self.meanings:
            registry.add(each)

    @hookimpl
    def codemap_register_tool_families(self, registry: Registry[Any]) -> None:
        for each in self.families:
            registry.add(each)


class RaisesInHook:
    @hookimpl
    def codemap_register_languages(self, registry: Registry[Any]) -> None:
        registry.add(ToyLanguage("half"))
        raise RuntimeError("no licence key")

    @hookimpl
    def codemap_register_tool_families(self, registry: Registry[Any]) -> None:
        registry.add(family("fine", "fine.tool"))


class Raises:
    """Raises in a hook what it was given."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    @hookimpl
    def codemap_register_languages(self, registry: Registry[Any]) -> None:
        raise self.error


class Misspelt:
    @hookimpl
    def codemap_register_langauges(self, registry: Registry[Any]) -> None:
        raise AssertionError("never called")

    @hookimpl
    def codemap_register_tool_families(self, registry: Registry[Any]) -> None:
        registry.add(family("spelt", "spelt.right"))


class WrongArguments:
    @hookimpl
    def codemap_register_languages(self, registry: Registry[Any], settings: object) -> None:
        raise AssertionError("never called")


class NoHooks:
    """Marks nothing."""

    def codemap_register_languages(self, registry: Registry[Any]) -> None:
        raise AssertionError("never called")


LUA = Provides([ToyLanguage("lua", ".lua")])
OTHER_LUA = Provides([ToyLanguage("lua", ".lua2")])
ZIG = Provides([ToyLanguage("zig")])
MISSPELT = Misspelt()
