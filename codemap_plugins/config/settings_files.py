"""Keys that settings files define, with their lines. Values are passed over and kept nowhere: they may be secrets.

Settings are JSON with comments and commas at the end, as .NET reads them. An array is one key, whatever it holds. What
``System.Configuration`` reads is XML: of it the keys of ``appSettings`` and the names of ``connectionStrings``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.facts import note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_plugins.config.reads import Pattern

DEFINED: Final = "defined"
"""The topic of notes on keys that settings files define."""
_CLASSIC_FILES: Final = ("[Ww]eb.config", "[Aa]pp.config", "[Aa]pp[Ss]ettings.config", "[Cc]onnection[Ss]trings.config")
"""The last two hold a section alone, by the names that ``configSource`` often gives them."""
FILES: Final = ("appsettings*.json", "launchSettings.json", "secrets.json", *_CLASSIC_FILES)
_CLASSIC_SUFFIX: Final = ".config"
_SECTIONS: Final = {"appSettings": ("AppSettings", "key"), "connectionStrings": ("ConnectionStrings", "name")}
"""Element → first segment of its keys, and the attribute that names one."""
_TAG: Final = re.compile(
    r"""<!--.*?(?:-->|\Z)|<(?P<end>/?)(?P<name>[\w.:-]+)(?P<given>(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?P<empty>/?)>""",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_PATTERNS: Final = {"launchSettings.json": Pattern.LAUNCH, "secrets.json": Pattern.SECRETS}
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\],:])|(?P<other>[^\s{}\[\],:"/]+|.)""",
    re.DOTALL,
)
_DEPTH: Final = {"[": 1, "]": -1}


class DefinedKey(Struct, frozen=True, array_like=True):
    """``line``: 1-based."""

    file_path: str
    key: str
    line: int
    pattern: Pattern


def defined_notes(seen: Seen) -> Iterator[Note]:
    """The keys that a settings file defines."""
    for each in defined_keys(seen.file_path, seen.text or ""):
        yield Note(DEFINED, seen.file_path, each.line, note_data(each))


def defined_keys(file_path: str, text: str) -> Iterator[DefinedKey]:
    """Of a settings file all of them; of launch settings the environment variables of its profiles, each once."""
    if file_path.endswith(_CLASSIC_SUFFIX):
        yield from (DefinedKey(file_path, key, line, Pattern.SETTINGS) for key, line in _classic_keys(text))
        return
    pattern = _PATTERNS.get(file_path.rpartition("/")[2], Pattern.SETTINGS)
    if pattern is not Pattern.LAUNCH:
        for path, line in _leaves(text):
            yield DefinedKey(file_path, ":".join(path), line, pattern)
        return
    known: set[str] = set()
    for path, line in _leaves(text):
        if len(path) == 4 and path[0] == "profiles" and path[2] == "environmentVariables" and path[3] not in known:
            known.add(path[3])
            yield DefinedKey(file_path, path[3], line, pattern)


def _classic_keys(text: str) -> Iterator[tuple[str, int]]:
    """The keys of an XML file of settings, in order, each with the line of its element."""
    section, attribute = "", ""
    line, counted_to = 1, 0
    for tag in _TAG.finditer(text):
        name = tag["name"]
        if name in _SECTIONS:
            section, attribute = ("", "") if tag["end"] or tag["empty"] else _SECTIONS[name]
        elif name == "add" and section:
            given = {key: double or single for key, double, single in _ATTRIBUTE.findall(tag["given"])}
            if given.get(attribute):
                line += text.count("\n", counted_to, tag.start())
                counted_to = tag.start()
                yield f"{section}:{unescape(given[attribute])}", line


def _leaves(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """The paths of members that hold no object, in order, each with the line of its name."""
    objects: list[str] = []
    name, named_at = "", 0
    is_named = holds_value = False
    arrays = 0
    line = 1
    for token in _TOKEN.finditer(text):
        sort, written = token.lastgroup, token[0]
        if sort == "mark" and (arrays or (holds_value and written == "[")):
            if not arrays:
                yield (*objects, name), named_at
            arrays += _DEPTH.get(written, 0)
            is_named = holds_value = arrays > 0
        elif arrays or sort == "space":
            line += written.count("\n")
        elif sort == "mark":
            if written == "{" and holds_value:
                objects.append(name)
            elif written == "}" and objects:
                objects.pop()
            holds_value = written == ":" and is_named
            is_named = holds_value
        elif holds_value:
            yield (*objects, name), named_at
            is_named = holds_value = False
        elif sort == "text":
            name, named_at, is_named = _decoded(written), line, True


def _decoded(written: str) -> str:
    try:
        return msgspec.json.decode(written, type=str)
    except msgspec.DecodeError:
        return written[1:-1]
