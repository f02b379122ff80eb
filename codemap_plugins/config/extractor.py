"""The extractor of configuration keys: ``key|pattern``, from code and from settings files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from codemap_core.facts.carried import Journeys
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactKindInfo, FactRow
from codemap_plugins.config import reads
from codemap_plugins.config.bindings import ENDINGS, OptionsClasses, OptionsKey, Property, bindings_of, class_notes
from codemap_plugins.config.joined import SHOWN, Definitions, Uses, is_undefined, normal
from codemap_plugins.config.reads import Pattern
from codemap_plugins.config.settings_files import FILES, DefinedKey, defined_notes
from codemap_plugins.config.uses import Use, use_notes, uses_of, whole_keys

CONFIG: Final = FactKindInfo(
    name=FactKind.CONFIG,
    title="Configuration keys",
    value="key|pattern",
    detail={
        "at": "line of the method's name, of an indexer's bracket, of the property or of the name in a file",
        "key": "the whole key, where it is known",
        "pattern": "how it is used or defined: a method, IConfiguration indexer, options property, settings file…",
        "source": "configuration, env or file",
        "write": "true where it is assigned",
        "defined_in": f"settings files that define it, at most {SHOWN}",
        "undefined": "true where the repository has settings files and none defines it",
        "used_by": f"of a key in a file, symbols that read it or a section around it, at most {SHOWN}",
        "unused": "true for a key in a file that no code of the repository reads",
        "options": "id of the class whose property it is",
        "beyond": "true for keys of options classes, of files, of Bind and of methods that read what they are handed",
    },
)


class Configuration:
    name = "config"
    language = "csharp"
    interests = Interests(
        invocations=(*reads.METHODS, "Configure"),
        element_accesses=(*reads.TYPES, *reads.CLASSIC_TYPES),
        carried_types=reads.TYPES,
        type_endings=ENDINGS,
        members=True,
        files=FILES,
    )
    kinds: tuple[str, ...] = (FactKind.CONFIG.value,)

    def extract(self, seen: Seen) -> Iterator[Note]:
        if seen.text is not None:
            yield from defined_notes(seen)
        yield from class_notes(seen)
        yield from use_notes(seen)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        journeys = Journeys(notes)
        definitions = Definitions(notes)
        uses = uses_of(notes, journeys)
        options = _options(notes, journeys)
        for use in uses:
            yield _use_row(use, definitions)
        for option in options:
            yield _option_row(option, definitions)
        joined = Uses(uses, options)
        for defined in definitions.keys:
            yield _defined_row(defined, joined)


def _options(notes: Sequence[Note], journeys: Journeys) -> tuple[OptionsKey, ...]:
    """A property has each key once, under the first of its spellings."""
    classes = OptionsClasses(notes)
    found = (
        option
        for binding in bindings_of(notes)
        for section in (whole_keys(binding.key, binding.trails, journeys) if binding.trails else (binding.key,))
        for option in classes.keys(binding.type_id, section)
    )
    first: dict[tuple[str, Property], OptionsKey] = {}
    for each in found:
        first.setdefault((normal(each.key), each.property), each)
    return tuple(first.values())


def _use_row(use: Use, definitions: Definitions) -> FactRow:
    note = use.note
    confidence = note.confidence
    if not use.is_known and confidence is Confidence.HIGH:
        confidence = Confidence.MEDIUM
    pattern = use.method or note.pattern.value
    is_environment = note.pattern is Pattern.ENVIRONMENT
    detail = {
        "key": use.key if use.is_known else None,
        "pattern": pattern,
        "source": "env" if is_environment else "configuration",
        "write": note.is_write,
        "defined_in": list(definitions.files(use.key)[:SHOWN]) if use.is_known else None,
        "undefined": is_undefined(use, definitions),
        "beyond": note.is_beyond,
    }
    place = (note.file_path, note.line, note.line_start, note.line_end)
    return _row(use.key, pattern, detail, place, note.owner, confidence)


def _option_row(option: OptionsKey, definitions: Definitions) -> FactRow:
    detail = {
        "key": option.key,
        "pattern": Pattern.PROPERTY,
        "source": "configuration",
        "defined_in": list(definitions.files(option.key)[:SHOWN]),
        "options": option.type_id,
        "beyond": True,
    }
    of = option.property
    place = (option.file_path, of.line, of.line_start, of.line_end)
    return _row(option.key, Pattern.PROPERTY, detail, place, of.symbol_id, Confidence.MEDIUM)


def _defined_row(defined: DefinedKey, uses: Uses) -> FactRow:
    detail = {
        "key": defined.key,
        "pattern": defined.pattern,
        "source": "file",
        "used_by": list(uses.of(defined.key)[:SHOWN]),
        "unused": uses.is_unused(defined),
        "beyond": True,
    }
    place = (defined.file_path, defined.line, defined.line, defined.line)
    return _row(defined.key, defined.pattern, detail, place, None, Confidence.HIGH)


def _row(
    key: str,
    pattern: str,
    detail: dict[str, Any],
    place: tuple[str, int, int, int],
    owner: str | None,
    confidence: Confidence,
) -> FactRow:
    file_path, at, line_start, line_end = place
    return FactRow(
        kind=FactKind.CONFIG,
        value=f"{key}|{pattern}",
        detail={"at": at, **{name: held for name, held in detail.items() if held}},
        symbol_id=owner,
        file_path=file_path,
        line_start=line_start,
        line_end=line_end,
        confidence=confidence,
    )
