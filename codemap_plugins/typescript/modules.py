"""Which file an import means: relative paths, path mappings and packages of the workspace, in a package (``packages``).

The rules are those of TypeScript's resolution for bundlers and Node: a specifier is tried as written, with the suffixes of TypeScript in
place of none or of JavaScript's, and as a folder with an ``index``. Nothing of ``node_modules`` is read.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from codemap_plugins.typescript.aliases import Alias, read_alias

_SUFFIXES: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts")
_OF_SCRIPT: Final = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What is meant where a file of JavaScript is named."""
_BUILT: Final = re.compile(r"(^|/)(?:dist|lib|build|out)(?:/(?:esm|cjs|es|types|src))?/")


class ModuleResolution:
    """Of one package. ``paths``: of its files; ``aliases``: its mappings, as ``aliases`` writes them."""

    def __init__(self, paths: AbstractSet[str], aliases: Iterable[str]) -> None:
        self._paths: Final = paths
        self._by_folder: Final[dict[str, list[Alias]]] = {}
        self._everywhere: Final[list[Alias]] = []
        for text in aliases:
            alias = read_alias(text)
            if alias is None:
                continue
            if alias.folder is None:
                self._everywhere.append(alias)
            else:
                self._by_folder.setdefault(alias.folder, []).append(alias)
        self._known: Final[dict[tuple[str, str], str | None]] = {}

    def resolve(self, specifier: str, importer: str) -> str | None:
        """The path of the file that ``specifier`` means in the file at ``importer``; null for a library or what was not found."""
        key = (posixpath.dirname(importer), specifier)
        if key not in self._known:
            self._known[key] = self._resolve(specifier, importer)
        return self._known[key]

    def is_relative(self, specifier: str) -> bool:
        return specifier.startswith((".", "/"))

    def _resolve(self, specifier: str, importer: str) -> str | None:
        if self.is_relative(specifier):
            return self._file(posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier)))
        for target in self._mapped(specifier, importer):
            found = self._file(target) or self._file(_BUILT.sub(r"\1src/", target))
            if found is not None:
                return found
        return None

    def _mapped(self, specifier: str, importer: str) -> Iterator[str]:
        """Where path mappings lead: those of the nearest folder that has some, the longest prefix first; then packages."""
        folder = posixpath.dirname(importer)
        while True:
            if folder in self._by_folder:
                yield from _targets(self._by_folder[folder], specifier)
                break
            if not folder:
                break
            folder = posixpath.dirname(folder)
        yield from _targets(self._everywhere, specifier)

    def _file(self, path: str) -> str | None:
        if path in (".", ""):
            return next((name for suffix in _SUFFIXES if (name := f"index{suffix}") in self._paths), None)
        if path in self._paths:
            return path
        for suffix in _SUFFIXES:
            if path + suffix in self._paths:
                return path + suffix
        stem, suffix = posixpath.splitext(path)
        for instead in _OF_SCRIPT.get(suffix, ()):
            if stem + instead in self._paths:
                return stem + instead
        for suffix in _SUFFIXES:
            if f"{path}/index{suffix}" in self._paths:
                return f"{path}/index{suffix}"
        return None


def _targets(aliases: Iterable[Alias], specifier: str) -> Iterator[str]:
    """What mappings make of a specifier, an exact pattern first, then the longest prefix."""
    fitting = [alias for alias in aliases if alias.fits(specifier)]
    fitting.sort(key=lambda alias: (alias.has_star, -len(alias.before)))
    for alias in fitting:
        yield from alias.targets_of(specifier)
        if alias.before or not alias.has_star:
            return
