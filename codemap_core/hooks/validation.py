"""What may be registered: the shape each extension point demands, and what an item claims for itself alone.

A check answers with a sentence that says what is wrong, or null. Checks read attributes only; they call nothing of the
plug-in. Attributes of an item that is not built in are read once: what was checked is what is used, whatever the item says of
itself later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, UnionType
from typing import Any, Generic, Protocol, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import (
    BindsLibraries,
    CompilesNamedFiles,
    Explainer,
    FindsLibraries,
    JoinsProjects,
    JudgesContents,
    KnowsBases,
    LanguageFrontEnd,
    LeavesFilesOut,
    LibraryDescriber,
    MeasuresComplexity,
    PacksUnits,
    ProjectLoader,
    ReadsSolutions,
    Redeclares,
    owned_suffixes,
)
from codemap_core.hooks.extractors import (
    Concluding,
    Extractor,
    FactExtractor,
    Linking,
    ReferenceExtractor,
    SymbolExtractor,
)
from codemap_core.hooks.interests import Interests, read_patterns
from codemap_core.hooks.tool import Tool, ToolFamily
from codemap_core.model import FactKindInfo
from codemap_core.model.meanings import Meanings

ITEM_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
FACT_KIND = re.compile(r"[a-z][a-z0-9_]*")
SUFFIX = re.compile(r"\.[a-z0-9_.+-]+")
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
OWN_TOOL_NAME = re.compile(r"[a-z][a-z0-9_.]*")
"""Of a family with a contract of its own."""
TOOL_NAME_LENGTH = 36
"""Hosts prefix the server's name and cut or refuse beyond 60 to 64 characters."""


_FINGERPRINTS = ("fingerprint", "row_fingerprint")
_ABSENT = object()


class HeldItem:
    """What was read of an item: its attributes and methods, under their names. ``kind``: the name of its class."""

    def __init__(self, kind: str, values: Mapping[str, object]) -> None:
        vars(self).update(values)
        self.kind = kind


class ExtensionPoint(Struct, frozen=True):
    """One thing that plug-ins can provide."""

    name: str
    """As the host's property and ``PluginInfo.provides`` have it: ``fact_extractors``."""
    contract: type
    check: Callable[[Any], str | None]
    claims: Callable[[Any], Iterable[str]]
    abilities: tuple[type, ...] = ()
    """Protocols that an item may have beside ``contract``."""
    indexing: bool = True
    """What it provides changes what an index holds."""

    @property
    def hook(self) -> str:
        return f"codemap_register_{self.name}"

    def held(self, item: object) -> object:
        """``item`` with all that is read of it as it is now. Raises: what reading raises."""
        if isinstance(item, type):
            return item
        names = {name for protocol in (self.contract, *self.abilities) for name in _members(protocol)}
        found = {name: getattr(item, name, _ABSENT) for name in sorted(names | set(_FINGERPRINTS))}
        values = {
            name: dict(each) if isinstance(each, Mapping) else each
            for name, each in found.items()
            if each is not _ABSENT
        }
        if issubclass(self.contract, Struct):
            return self.contract(**values) if values.keys() >= set(_members(self.contract)) else item
        return HeldItem(type(item).__name__, values)

    def problem_of(self, item: object) -> str | None:
        """What keeps ``item`` from being registered here, or null."""
        if isinstance(item, type):
            return f"{item.__name__} is a class; register an instance of it"
        kind = item.kind if isinstance(item, HeldItem) else type(item).__name__
        missing = [member for member in _members(self.contract) if not hasattr(item, member)]
        if missing:
            return f"{kind} lacks {', '.join(missing)} of {self.contract.__name__}"
        for method in _methods(self.contract):
            if not callable(getattr(item, method)):
                return f"{kind}.{method} is not a method"
        name = getattr(item, "name", None)
        if not isinstance(name, str) or not ITEM_NAME.fullmatch(name):
            return f"the name {name!r} does not match {ITEM_NAME.pattern}"
        for fingerprint in _FINGERPRINTS:
            if not isinstance(getattr(item, fingerprint, ""), str):
                return f"{kind}.{fingerprint} is not a string"
        return self.check(item)


def _members(contract: type) -> list[str]:
    if issubclass(contract, Struct):
        return list(contract.__struct_fields__)
    declared = (name for each in _protocols(contract) for name in (*each.__annotations__, *vars(each)))
    return sorted({member for member in declared if not member.startswith("_")})


def _methods(contract: type) -> list[str]:
    declared = (each for protocol in _protocols(contract) for each in vars(protocol).items())
    return sorted({name for name, value in declared if name[:1] != "_" and isinstance(value, FunctionType)})


def _protocols(contract: type) -> list[type]:
    """``contract`` and the protocols that it extends."""
    return [each for each in contract.__mro__ if each not in (object, Protocol, Generic)]


def _check_nothing(item: object) -> str | None:
    return None


def _check_front_end(language: LanguageFrontEnd) -> str | None:
    dialects: object = language.dialects
    if not isinstance(dialects, Mapping) or not dialects:
        return f"language {language.name}: dialects must map at least one suffix to the name of a dialect"
    for suffix, dialect in dialects.items():
        if not isinstance(suffix, str) or not SUFFIX.fullmatch(suffix):
            return f"language {language.name}: the suffix {suffix!r} is not lower-case with a leading dot"
        if not isinstance(dialect, str):
            return f"language {language.name}: the dialect of {suffix} is not a string"
    joining: object = getattr(language, "joining", {})
    if not isinstance(joining, Mapping) or not all(isinstance(each, str) for each in joining.values()):
        return f"language {language.name}: joining must map suffixes of its files to suffixes of projects"
    if others := [suffix for suffix in joining if suffix not in dialects]:
        return f"language {language.name}: joining names {others[0]!r}, which is not one of its suffixes"
    compiled_only: object = getattr(language, "compiled_only", ())
    if not isinstance(compiled_only, tuple) or not all(isinstance(each, str) for each in compiled_only):
        return f"language {language.name}: compiled_only must be a tuple of suffixes"
    if others := [suffix for suffix in compiled_only if suffix not in dialects]:
        return f"language {language.name}: compiled_only names {others[0]!r}, which is not one of its suffixes"
    if not isinstance(language.fingerprint, str) or not language.fingerprint:
        return f"language {language.name}: fingerprint must be a non-empty string"
    return None


def _check_extractor(extractor: Extractor) -> str | None:
    language: object = extractor.language
    if not isinstance(language, str):
        return f"extractor {extractor.name}: language must be a string, empty for every language"
    interests: object = extractor.interests
    if not isinstance(interests, Interests):
        return f"extractor {extractor.name}: interests must be Interests, not {type(interests).__name__}"
    if wrong := _not_names(interests):
        return f"extractor {extractor.name}: interests.{wrong} must be a tuple of strings"
    try:
        if interests.files:
            read_patterns(interests.files)
    except ValueError as error:
        return f"extractor {extractor.name}: interests.files {interests.files!r} cannot be read: {error}"
    if interests.is_empty and not interests.files and not interests.text:
        return f"extractor {extractor.name}: its interests ask for nothing, so it would never be called"
    return None


def _not_names(interests: Interests) -> str | None:
    """A field of the interests that should hold names and does not; ``of_members``, which no extractor gives, is none."""
    for field in msgspec.structs.fields(Interests):
        value = getattr(interests, field.name)
        if field.type is bool or field.default is None:
            continue
        if not isinstance(value, tuple) or not all(isinstance(each, str) and each for each in value):
            return field.name
    return None


def _check_reference_extractor(extractor: ReferenceExtractor) -> str | None:
    return _check_extractor(extractor) or _check_words("roles", extractor.name, extractor.roles)


def _check_fact_extractor(extractor: FactExtractor) -> str | None:
    if problem := _check_extractor(extractor):
        return problem
    if isinstance(extractor.kinds, tuple) and not extractor.kinds:
        return f"extractor {extractor.name}: kinds must name at least one kind of fact"
    wrong = _check_words("kinds", extractor.name, extractor.kinds)
    links: object = extractor
    return wrong or (_check_words("roles", extractor.name, links.roles) if isinstance(links, Linking) else None)


def _check_words(what: str, name: str, words: object) -> str | None:
    if not isinstance(words, tuple):
        return f"extractor {name}: {what} must be a tuple of strings"
    wrong = [each for each in words if not isinstance(each, str) or not FACT_KIND.fullmatch(each)]
    return f"extractor {name}: {wrong[0]!r} of its {what} does not match {FACT_KIND.pattern}" if wrong else None


def _check_fact_kind(kind: FactKindInfo) -> str | None:
    if not FACT_KIND.fullmatch(kind.name):
        return f"the kind of facts {kind.name!r} does not match {FACT_KIND.pattern}"
    if not isinstance(kind.title, str) or not kind.title.strip():
        return f"the kind of facts {kind.name} has no title"
    return None


def _check_meanings(meanings: Meanings) -> str | None:
    try:
        msgspec.convert(msgspec.to_builtins(meanings), Meanings)
        implied = meanings.implied
        uses = (*implied.reflections, *implied.module_values)
        for use in uses:
            if not any(use.words):
                return f"meanings {meanings.name}: the code that {use.pattern!r} finds has no words"
        for pattern in (
            *implied.friend_patterns,
            *(each.pattern for each in uses),
            *(each.method for each in meanings.pages),
        ):
            if re.compile(pattern).groups < 1:
                return f"meanings {meanings.name}: the pattern {pattern!r} has no group"
    except (TypeError, msgspec.ValidationError, re.error) as error:
        return f"meanings {meanings.name}: {error}"
    return None


def _check_tool_family(family: ToolFamily) -> str | None:
    if not family.tools:
        return f"tool family {family.name} has no tools"
    if family.contract is not None and not (hasattr(family.contract, "answer") and hasattr(family.contract, "error")):
        return f"tool family {family.name}: its contract lacks answer or error of OwnContract"
    names = TOOL_NAME if family.contract is None else OWN_TOOL_NAME
    return next((problem for tool in family.tools if (problem := _check_tool(tool, names))), None)


def _check_tool(tool: object, names: re.Pattern[str]) -> str | None:
    if not isinstance(tool, Tool):
        return f"{type(tool).__name__} is not a Tool"
    if not names.fullmatch(tool.name) or len(tool.name) > TOOL_NAME_LENGTH:
        form = "family.verb in lower case" if names is TOOL_NAME else "in lower case"
        return f"tool {tool.name!r}: a name is {form}, at most {TOOL_NAME_LENGTH} characters"
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


def _front_end_claims(language: LanguageFrontEnd) -> Iterable[str]:
    return (f"name {language.name}", *(f"suffix {suffix}" for suffix in sorted(owned_suffixes(language))))


def snake_name(tool_name: str) -> str:
    """``symbols.search`` as hosts that reject dots see it: ``symbols_search``."""
    return tool_name.replace(".", "_")


def _tool_family_claims(family: ToolFamily) -> Iterable[str]:
    return (f"name {family.name}", *(f"tool {snake_name(tool.name)}" for tool in family.tools))


_OF_FRONT_ENDS = (
    *(LeavesFilesOut, FindsLibraries, BindsLibraries, LibraryDescriber, KnowsBases, Redeclares, Explainer),
    *(MeasuresComplexity, PacksUnits, JoinsProjects, CompilesNamedFiles),
)
EXTENSION_POINTS: tuple[ExtensionPoint, ...] = (
    ExtensionPoint("languages", LanguageFrontEnd, _check_front_end, _front_end_claims, _OF_FRONT_ENDS),
    ExtensionPoint("project_loaders", ProjectLoader, _check_nothing, _name_claim, (ReadsSolutions, JudgesContents)),
    ExtensionPoint("symbol_extractors", SymbolExtractor, _check_extractor, _name_claim, (Concluding,)),
    ExtensionPoint("reference_extractors", ReferenceExtractor, _check_reference_extractor, _name_claim, (Concluding,)),
    ExtensionPoint("fact_extractors", FactExtractor, _check_fact_extractor, _name_claim, (Concluding, Linking)),
    ExtensionPoint("fact_kinds", FactKindInfo, _check_fact_kind, _name_claim, indexing=False),
    ExtensionPoint("meanings", Meanings, _check_meanings, _name_claim, indexing=False),
    ExtensionPoint("tool_families", ToolFamily, _check_tool_family, _tool_family_claims, indexing=False),
)
