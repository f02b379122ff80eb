"""The hooks. Each is called once per process, in no promised order, with a registry to add to; docs/plugins.md documents every one with
its exact arguments (a test compares).

Who implements them: any module or object behind an entry point of the group ``codemap``, the built-in plug-ins included. What a hook
must not do: read files, open sockets, start threads or processes; that happens later, in the stage that calls what was registered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap_core.hooks.markers import hookspec

if TYPE_CHECKING:
    from codemap_core.hooks.contracts import LanguageFrontEnd, ProjectLoader
    from codemap_core.hooks.extractors import FactExtractor, ReferenceExtractor, SymbolExtractor
    from codemap_core.hooks.registry import Registry
    from codemap_core.hooks.tool import ToolFamily
    from codemap_core.model import FactKindInfo
    from codemap_core.model.meanings import Meanings


class RegistrationSpecs:
    """What a plug-in can provide."""

    @hookspec
    def codemap_register_languages(self, registry: Registry[LanguageFrontEnd]) -> None:
        """Add front ends: which files a language owns, and how they are analysed, declared and bound."""

    @hookspec
    def codemap_register_project_loaders(self, registry: Registry[ProjectLoader]) -> None:
        """Add loaders that find projects and evaluate them."""

    @hookspec
    def codemap_register_symbol_extractors(self, registry: Registry[SymbolExtractor]) -> None:
        """Add extractors of symbols that front ends do not declare, from bound documents or other files."""

    @hookspec
    def codemap_register_reference_extractors(self, registry: Registry[ReferenceExtractor]) -> None:
        """Add extractors of references that code makes without spelling them."""

    @hookspec
    def codemap_register_fact_extractors(self, registry: Registry[FactExtractor]) -> None:
        """Add extractors of architectural facts, of the contract's eight kinds or new ones."""

    @hookspec
    def codemap_register_fact_kinds(self, registry: Registry[FactKindInfo]) -> None:
        """Add kinds of facts: what they are called, and what their values and details hold."""

    @hookspec
    def codemap_register_meanings(self, registry: Registry[Meanings]) -> None:
        """Add what code means beyond what is written: what calls of libraries do, and what is used without being named."""

    @hookspec
    def codemap_register_tool_families(self, registry: Registry[ToolFamily]) -> None:
        """Add families of MCP tools."""
