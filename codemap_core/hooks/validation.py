"""What may be registered: the shape each extension point demands, and what an item claims for itself alone.

A check answers with a sentence that says what is wrong, or null. Checks read attributes only; they call nothing of the
plug-in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import FactExtractor, Language, ProjectLoader, ReferenceExtractor, SymbolExtractor
from codemap_core.hooks.tool import Tool, ToolFamily

ITEM_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
FACT_KIND = re.compile(r"[a-z][a-z0-9_]*")
SUFFIX = re.compile(r"\.[a-z0-9_.+-]+")
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
TOOL_NAME_LENGTH = 36
"""Hosts prefix the server's name and cut or refuse beyond 60 to 64 characters."""


class ExtensionPoint(Struct, frozen=True):
    """One thing that plug-ins can provide."""

    name: str
    """As the host's property and ``PluginInfo.provides`` have it: ``fact_extractors``."""
    contract: type
    check: Callable[[Any], str | None]
    claims: Callable[[Any], Iterable[str]]
    indexing: bool = True
    """What it provides changes what an index holds."""

    @property
    def hook(self) -> str:
        return f"codemap_register_{self.name}"

    def problem_of(self, item: object) -> str | None:
        """What keeps ``item`` from being registered here, or null."""
        missing = [member for member in _members(self.contract) if not hasattr(item, member)]
        if missing:
            return f"{type(item).__name__} lacks {', '.join(missing)} of {self.contract.__name__}"
        name = getattr(item, "name", None)
        if not isinstance(name, str) or not ITEM_NAME.fullmatch(name):
            return f"the name {name!r} does not match {ITEM_NAME.pattern}"
        return self.check(item)


def _members(contract: type) -> list[str]:
    if issubclass(contract, Struct):
        return list(contract.__struct_fields__)
    declared = [*contract.__annotations__, *vars(contract)]
    return sorted({member for member in declared if not member.startswith("_")})


def _check_nothing(item: object) -> str | None:
    return None


def _check_language(language: Language) -> str | None:
    if not isinstance(language.suffixes, tuple) or not language.suffixes:
        return f"language {language.name}: suffixes must be a tuple with at least one suffix"
    wrong = [suffix for suffix in language.suffixes if not isinstance(suffix, str) or not SUFFIX.fullmatch(suffix)]
    if wrong:
        return f"language {language.name}: the suffix {wrong[0]!r} is not lower-case with a leading dot"
    if not isinstance(language.fingerprint, str) or not language.fingerprint:
        return f"language {language.name}: fingerprint must be a non-empty string"
    return None


def _check_fact_extractor(extractor: FactExtractor) -> str | None:
    if not isinstance(extractor.kind, str) or not FACT_KIND.fullmatch(extractor.kind):
        return f"fact extractor {extractor.name}: the kind {extractor.kind!r} does not match {FACT_KIND.pattern}"
    return None


def _check_tool_family(family: ToolFamily) -> str | None:
    if not family.tools:
        return f"tool family {family.name} has no tools"
    return next((problem for problem in map(_check_tool, family.tools) if problem), None)


def _check_tool(tool: object) -> str | None:
    if not isinstance(tool, Tool):
        return f"{type(tool).__name__} is not a Tool"
    if not TOOL_NAME.fullmatch(tool.name) or len(tool.name) > TOOL_NAME_LENGTH:
        return f"tool {tool.name!r}: a name is family.verb in lower case, at most {TOOL_NAME_LENGTH} characters"
    arguments: object = tool.arguments
    if not (isinstance(arguments, type) and issubclass(arguments, Struct)):
        return f"tool {tool.name}: arguments must be a msgspec.Struct class"
    if not tool.arguments.__struct_config__.forbid_unknown_fields:
        return f"tool {tool.name}: declare {tool.arguments.__name__} with forbid_unknown_fields=True"
    for field in msgspec.structs.fields(tool.arguments):
        if _is_optional_text(field.type):
            return f"tool {tool.name}: {field.name} is a string or null; make it a string, empty when not given"
    return None


def _is_optional_text(annotation: Any) -> bool:
    """``str | None`` in any spelling; hosts that parse JSON inside strings turn a search for ``null`` into nothing."""
    if get_origin(annotation) not in (Union, UnionType):
        return False
    alternatives = [get_args(each)[0] if hasattr(each, "__metadata__") else each for each in get_args(annotation)]
    return str in alternatives and type(None) in alternatives


def _name_claim(item: Any) -> Iterable[str]:
    return (f"name {item.name}",)


def _language_claims(language: Language) -> Iterable[str]:
    return (f"name {language.name}", *(f"suffix {suffix}" for suffix in language.suffixes))


def _symbol_extractor_claims(extractor: SymbolExtractor) -> Iterable[str]:
    return (f"name {extractor.name}", f"language {extractor.language}")


def snake_name(tool_name: str) -> str:
    """``symbols.search`` as hosts that reject dots see it: ``symbols_search``."""
    return tool_name.replace(".", "_")


def _tool_family_claims(family: ToolFamily) -> Iterable[str]:
    return (f"name {family.name}", *(f"tool {snake_name(tool.name)}" for tool in family.tools))


EXTENSION_POINTS: tuple[ExtensionPoint, ...] = (
    ExtensionPoint("languages", Language, _check_language, _language_claims),
    ExtensionPoint("project_loaders", ProjectLoader, _check_nothing, _name_claim),
    ExtensionPoint("symbol_extractors", SymbolExtractor, _check_nothing, _symbol_extractor_claims),
    ExtensionPoint("reference_extractors", ReferenceExtractor, _check_nothing, _name_claim),
    ExtensionPoint("fact_extractors", FactExtractor, _check_fact_extractor, _name_claim),
    ExtensionPoint("tool_families", ToolFamily, _check_tool_family, _tool_family_claims, indexing=False),
)
