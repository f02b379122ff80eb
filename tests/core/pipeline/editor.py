"""A repository's files that are edited at random, at places that the analyser finds, so that the edits matter.

An edit changes a mapping of paths to texts. The same random numbers give the same edits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_plugins.csharp.analysis import build_unit
from codemap_plugins.csharp.parsing import parse_source
from codemap_plugins.csharp.unit import DeclarationKind, DocumentUnit, MemberDeclaration, TypeDeclaration

Files = dict[str, str]
Edit = Callable[["Editor"], str | None]
"""What was done, or null when there was no place to do it."""
_TYPES: Final = frozenset(
    {DeclarationKind.CLASS, DeclarationKind.STRUCT, DeclarationKind.RECORD_CLASS, DeclarationKind.INTERFACE}
)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
_NAMESPACE: Final = re.compile(r"^\s*namespace\s+([\w.]+)", re.MULTILINE)


class Editor:
    def __init__(self, files: Files, choose: random.Random) -> None:
        self.files: Final = files
        self.original: Final = dict(files)
        self.choose: Final = choose
        self.step = 0

    def edit(self, kinds: dict[str, Edit]) -> str:
        """One edit of any of the kinds, in words."""
        while True:
            self.step += 1
            name = self.choose.choice(sorted(kinds))
            done = kinds[name](self)
            if done is not None:
                return f"{name}: {done}"

    def source(self) -> str:
        return self.choose.choice(sorted(path for path in self.files if path.endswith(".cs")))

    def unit(self, path: str) -> tuple[bytes, DocumentUnit]:
        content = self.files[path].encode()
        return content, build_unit(parse_source(content, AnalysisSettings().defines))

    def member(self, wanted: Callable[[MemberDeclaration], bool]) -> tuple[str, bytes, MemberDeclaration] | None:
        """A declaration of some file, with the file's bytes."""
        for _ in range(6):
            path = self.source()
            content, unit = self.unit(path)
            found = [each for each in unit.members.declarations if wanted(each) and not each.broken]
            if found:
                return path, content, self.choose.choice(found)
        return None

    def type(self, wanted: Callable[[TypeDeclaration], bool]) -> tuple[str, bytes, TypeDeclaration, str] | None:
        """As ``member``; and the namespace."""
        for _ in range(6):
            path = self.source()
            content, unit = self.unit(path)
            found = [each for each in unit.outline.types if wanted(each) and not each.broken and not each.condition]
            if found:
                declaration = self.choose.choice(found)
                names: list[str] = []
                scope = declaration.scope
                while scope >= 0:
                    names.insert(0, unit.outline.scopes[scope].name)
                    scope = unit.outline.scopes[scope].parent
                return path, content, declaration, ".".join(each for each in names if each)
        return None

    def put(self, path: str, content: bytes, start: int, end: int, text: str) -> None:
        self.files[path] = (content[:start] + text.encode() + content[end:]).decode("utf-8", "replace")

    def restore(self, wanted: Callable[[str], bool]) -> str | None:
        """Some file whose path is wanted, as it was in the beginning."""
        edited = sorted(p for p, text in self.original.items() if wanted(p) and self.files.get(p) != text)
        if not edited:
            return None
        path = self.choose.choice(edited)
        self.files[path] = self.original[path]
        return path

    def delete(self, endings: tuple[str, ...], fewest: int = 2) -> str | None:
        """A file whose path ends so, where there are so many."""
        if sum(path.endswith(endings) for path in self.files) < fewest:
            return None
        path = self.file(endings)
        del self.files[path]
        return path

    def file(self, endings: tuple[str, ...]) -> str:
        """A file whose path ends so; there must be one."""
        return self.choose.choice(sorted(path for path in self.files if path.endswith(endings)))

    def replace_word(self, path: str) -> str | None:
        """A word of a file becomes another one."""
        words = list(_IDENTIFIER.finditer(self.files[path]))
        if not words:
            return None
        word, text = self.choose.choice(words), self.files[path]
        new = self.choose.choice([self.some_name(), f"{word[0]}{self.step}"])
        self.files[path] = text[: word.start()] + new + text[word.end() :]
        return f"{path}: {word[0]} -> {new}"

    def namespaces(self) -> list[str]:
        """Those that files declare."""
        return sorted({each for text in self.files.values() for each in _NAMESPACE.findall(text)})

    def some_name(self) -> str:
        """A name that occurs in some file."""
        names = _IDENTIFIER.findall(self.files[self.source()])
        return self.choose.choice(names) if names else "Nothing"


def is_type(each: TypeDeclaration) -> bool:
    """Whether it is a type that may have members and bases."""
    return each.kind in _TYPES
