"""The properties of one evaluation, and the expansion of text against them.

Invariants: names are case-insensitive; values are kept escaped (``%3B``) until they are used; a global property never
changes. Whatever cannot be evaluated gives an empty value and is reported, never raised. Work is bounded: see
``MAX_EXPANDED``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from codemap_plugins.dotnet.conditions import ConditionScope
from codemap_plugins.dotnet.functions import (
    MAX_TEXT,
    Place,
    UnknownFunctionError,
    Value,
    call_static,
    to_text,
)
from codemap_plugins.dotnet.members import call_member
from codemap_plugins.dotnet.repository_tree import RepositoryTree, absolute, folder_of
from codemap_plugins.dotnet.templates import Malformed, PropertyReference, parse_template

MAX_EXPANDED: Final = 64 * 1024 * 1024
"""Characters one project's evaluation may produce in all; a project that wants more is cut short."""

_ENVIRONMENT: Final = {
    "os": "Unix",
    "msbuildruntimetype": "Core",
    "msbuildversion": "18.0.0",
    "msbuildassemblyversion": "15.1",
    "msbuildtoolsversion": "Current",
    "msbuildtoolspath": "/_msbuild",
    "msbuildbinpath": "/_msbuild",
    "msbuildextensionspath": "/_msbuild",
    "msbuildextensionspath32": "/_msbuild",
    "msbuildextensionspath64": "/_msbuild",
    "msbuildsdkspath": "/_msbuild/Sdks",
    "visualstudioversion": "18.0",
    "netcoresdkversion": "10.0.100",
    "bundlednetcoreapptargetframeworkversion": "10.0",
    "bundlednetcoreapppackageversion": "10.0.0",
    "netcoreappmaximumversion": "10.0",
    "netstandardmaximumversion": "2.1",
    "nugetpackageroot": "/_packages/",
}
_RESERVED: Final = re.compile(r"msbuild(project|thisfile|runtimetype$|version$|toolspath$|binpath$)")


class EvaluationLimitError(Exception):
    """A project asked for more work than any honest one needs."""


def unescape(text: str) -> str:
    """``%3B`` and its like undone."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "%" in text else text


_ESCAPE: Final = re.compile(r"%([0-9a-fA-F]{2})")


class Properties:
    """Properties and where they are evaluated. ``item_expander`` is set once items exist: it expands ``@(...)`` in
    conditions."""

    def __init__(
        self, tree: RepositoryTree, project_path: str, given: Mapping[str, str], report: Callable[[str], None]
    ) -> None:
        """``project_path`` is absolute; ``given`` are global properties."""
        self.project_folder = folder_of(project_path)
        self.item_expander: Callable[[str], str] | None = None
        self._tree = tree
        self._report = report
        self._expanded = 0
        self._values: dict[str, str] = dict(_ENVIRONMENT)
        self._values.update(_file_properties("msbuildproject", project_path))
        self._values["msbuildstartupdirectory"] = self.project_folder
        self._globals = {name.lower() for name in given}
        self._values.update((name.lower(), value) for name, value in given.items())
        self._place = Place(tree, self.project_folder, self.project_folder)
        self.enter_file(project_path)

    def enter_file(self, path: str) -> None:
        """Makes ``MSBuildThisFile*`` those of the document that is evaluated next."""
        self._values.update(_this_file(path))
        self._place = Place(self._tree, self.project_folder, folder_of(path))

    def get(self, name: str) -> str:
        """A property's value as a build would see it; empty when it is not set."""
        return unescape(self._values.get(name.lower(), "")).strip()

    def is_true(self, name: str) -> bool:
        return self.get(name).lower() == "true"

    def set(self, name: str, text: str) -> None:
        folded = name.lower()
        if folded not in self._globals and not _RESERVED.match(folded):
            self._values[folded] = self.expand_escaped(text)

    def set_default(self, name: str, value: str) -> None:
        self._values.setdefault(name.lower(), value)

    def path_exists(self, path: str) -> bool:
        return self._exists(self.project_folder, path)

    @property
    def in_file(self) -> ConditionScope:
        """The scope of a condition whose relative paths begin at the document that is evaluated: of a property group and of an import.
        Those of all other conditions begin at the project (MSBuild's ``GetCurrentDirectoryForConditionEvaluation``)."""
        return _FileScope(self.expand, partial(self._exists, self._place.file_folder))

    def _exists(self, folder: str, path: str) -> bool:
        wanted = [name for one in path.split(";") if (name := one.strip())]
        return bool(wanted) and all(self._tree.exists(absolute(folder, one)) for one in wanted)

    def expand(self, text: str) -> str:
        """All references expanded, escapes undone."""
        expanded = self.expand_escaped(text)
        if self.item_expander is not None and "@(" in expanded:
            expanded = self.item_expander(expanded)
        return unescape(expanded)

    def expand_escaped(self, text: str) -> str:
        """Property references expanded, escapes and item references kept. Raises: EvaluationLimitError."""
        if "$(" not in text:
            return text
        expanded = "".join(part if isinstance(part, str) else self._expand_part(part) for part in parse_template(text))
        self._expanded += len(expanded)
        if self._expanded > MAX_EXPANDED:
            raise EvaluationLimitError("its properties expand without end")
        if len(expanded) > MAX_TEXT:
            self._report(f"a value longer than {MAX_TEXT} characters was dropped")
            return ""
        return expanded

    def _expand_part(self, part: PropertyReference | Malformed) -> str:
        if isinstance(part, Malformed):
            self._report(f"cannot read the expression {part.text[:200]}")
            return ""
        if not part.chain:
            return self._values.get(part.name.lower(), "")
        try:
            return to_text(self._evaluate(part))
        except UnknownFunctionError as error:
            self._report(f"cannot evaluate the property function {error}")
            return ""

    def _evaluate(self, reference: PropertyReference) -> Value:
        chain = reference.chain
        if reference.type_name is not None:
            first, chain = chain[0], chain[1:]
            value = call_static(self._place, reference.type_name, first.member, self._arguments(first.arguments))
        else:
            value = unescape(self._values.get(reference.name.lower(), ""))
        for access in chain:
            value = call_member(value, access.member, self._arguments(access.arguments))
            if isinstance(value, str) and len(value) > MAX_TEXT:
                raise UnknownFunctionError(f"{access.member}: its result is too long")
        return value

    def _arguments(self, texts: tuple[str | None, ...] | None) -> list[Value]:
        return [None if text is None else self._argument(text) for text in texts or ()]

    def _argument(self, text: str) -> Value:
        if "$(" not in text:
            return unescape(text)
        parts = parse_template(text)
        if len(parts) == 1 and isinstance(parts[0], PropertyReference):
            return self._evaluate(parts[0])
        return unescape(self.expand_escaped(text))


class _FileScope(Struct, frozen=True):
    expand: Callable[[str], str]
    path_exists: Callable[[str], bool]


@lru_cache(maxsize=1024)
def _this_file(path: str) -> Mapping[str, str]:
    return {**_file_properties("msbuildthisfile", path), "msbuildthisfiledirectory": folder_of(path) + "/"}


def _file_properties(prefix: str, path: str) -> dict[str, str]:
    folder, _, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    return {
        f"{prefix}fullpath": path,
        f"{prefix}file" if prefix == "msbuildproject" else prefix: name,
        f"{prefix}name": stem if dot else name,
        f"{prefix}extension": dot + suffix,
        f"{prefix}directory": folder,
        f"{prefix}directorynoroot": folder.lstrip("/"),
    }
