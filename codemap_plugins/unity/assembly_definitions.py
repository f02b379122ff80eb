"""Assembly definitions (``.asmdef``), the references that add a folder to one (``.asmref``), and the ids that name them in ``.meta``
files. Unity Manual, "Assembly definition file format". Pure; no IO.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

from codemap_core.commented_json import without_comments

_GUID_LINE: Final = re.compile(rb"^guid:\s*([0-9a-fA-F]{32})\b", re.MULTILINE)
_GUID: Final = re.compile(r"GUID:([0-9a-fA-F]{32})", re.IGNORECASE)
_TEST_RUNNERS: Final = frozenset({"UnityEngine.TestRunner", "UnityEditor.TestRunner"})
_TEST_SYMBOL: Final = "UNITY_INCLUDE_TESTS"
_EDITOR: Final = "Editor"


class InvalidDefinitionError(ValueError):
    """A definition that is not an object of JSON, or names no assembly."""


class VersionDefine(Struct, frozen=True):
    """``symbol`` is defined where the package ``resource`` (``Unity``: the editor) has a version that ``expression`` holds for."""

    resource: str
    expression: str
    symbol: str


class AssemblyDefinition(Struct, frozen=True, kw_only=True):
    """``references``: names of assemblies, or ``GUID:`` and the id of a definition."""

    path: str
    name: str
    references: tuple[str, ...] = ()
    precompiled: tuple[str, ...] = ()
    """File names of assemblies, where it says itself which of the repository's it sees."""
    include_platforms: tuple[str, ...] = ()
    exclude_platforms: tuple[str, ...] = ()
    is_auto_referenced: bool = True
    allow_unsafe: bool = False
    constraints: tuple[str, ...] = ()
    version_defines: tuple[VersionDefine, ...] = ()
    root_namespace: str = ""
    is_test: bool = False

    @property
    def is_for_editor(self) -> bool:
        """It is compiled for the editor alone."""
        return self.include_platforms == (_EDITOR,)

    @property
    def leaves_editor_out(self) -> bool:
        """It is compiled for players alone."""
        return _EDITOR in self.exclude_platforms or bool(
            self.include_platforms and _EDITOR not in self.include_platforms
        )


def read_definition(path: str, content: bytes) -> AssemblyDefinition:
    """Raises: InvalidDefinitionError."""
    read = _object(content)
    name = _text(read, "name")
    if not name:
        raise InvalidDefinitionError("it has no name")
    references = _texts(read, "references")
    precompiled = _texts(read, "precompiledReferences")
    constraints = _texts(read, "defineConstraints")
    return AssemblyDefinition(
        path=path,
        name=name,
        references=references,
        precompiled=precompiled if read.get("overrideReferences") is True else (),
        include_platforms=_texts(read, "includePlatforms"),
        exclude_platforms=_texts(read, "excludePlatforms"),
        is_auto_referenced=read.get("autoReferenced") is not False,
        allow_unsafe=read.get("allowUnsafeCode") is True,
        constraints=constraints,
        version_defines=tuple(_version_defines(read)),
        root_namespace=_text(read, "rootNamespace"),
        is_test="TestAssemblies" in _texts(read, "optionalUnityReferences")
        or _TEST_SYMBOL in constraints
        or not _TEST_RUNNERS.isdisjoint(references)
        or "nunit.framework.dll" in (each.lower() for each in precompiled),
    )


def read_reference(content: bytes) -> str:
    """The assembly that an ``.asmref`` adds its folder to, as ``references`` name one. Raises: InvalidDefinitionError."""
    named = _text(_object(content), "reference")
    if not named:
        raise InvalidDefinitionError("it names no assembly")
    return named


def read_guid(meta: bytes) -> str:
    """The id that a ``.meta`` file gives to the file beside it, in lower case; empty for none."""
    found = _GUID_LINE.search(meta)
    return found[1].decode().lower() if found else ""


def guid_of(reference: str) -> str:
    """The id by which a reference names an assembly, in lower case; empty for one that names it by name."""
    found = _GUID.fullmatch(reference)
    return found[1].lower() if found else ""


def _object(content: bytes) -> dict[str, Any]:
    try:
        read = msgspec.json.decode(without_comments(content.decode("utf-8-sig")).encode())
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        raise InvalidDefinitionError(str(error)) from error
    if not isinstance(read, dict):
        raise InvalidDefinitionError("it is not a JSON object")
    return read


def _text(read: dict[str, Any], key: str) -> str:
    value = read.get(key)
    return value.strip() if isinstance(value, str) else ""


def _texts(read: dict[str, Any], key: str) -> tuple[str, ...]:
    values = read.get(key)
    return tuple(each for each in values if isinstance(each, str)) if isinstance(values, list) else ()


def _version_defines(read: dict[str, Any]) -> list[VersionDefine]:
    values = read.get("versionDefines")
    found = [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []
    return [
        VersionDefine(_text(each, "name"), _text(each, "expression"), _text(each, "define"))
        for each in found
        if _text(each, "name") and _text(each, "define")
    ]
