"""What the C# plug-in provides; hook implementations and nothing else."""

from __future__ import annotations

from codemap_core.hooks.contracts import Language, ReferenceExtractor, SymbolExtractor
from codemap_core.hooks.markers import hookimpl
from codemap_core.hooks.registry import Registry


@hookimpl
def codemap_register_languages(registry: Registry[Language]) -> None:
    from codemap_plugins.csharp.language import CSharpLanguage

    registry.add(CSharpLanguage())


@hookimpl
def codemap_register_symbol_extractors(registry: Registry[SymbolExtractor]) -> None:
    from codemap_plugins.csharp.extractors import CSharpSymbols

    registry.add(CSharpSymbols())


@hookimpl
def codemap_register_reference_extractors(registry: Registry[ReferenceExtractor]) -> None:
    from codemap_plugins.csharp.extractors import CSharpReferences

    registry.add(CSharpReferences())
