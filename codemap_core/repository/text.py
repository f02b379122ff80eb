"""Classifies a file's bytes: binary or text, the encoding, the language. Pure functions; no IO."""

from __future__ import annotations

import codecs
from typing import Final

from msgspec import Struct

from codemap_core.model import Problem

MAX_SOURCE_SIZE: Final = 4 * 1024 * 1024
"""Bytes. A larger source file is listed, not analysed: hand-written files of that size do not occur, generated tables
do."""
MAX_TEXT_SIZE: Final = 1024 * 1024
"""Bytes. Other text beyond this is listed, its text not searched: lock files, data dumps, minified bundles."""
DECODING: Final = "1"
"""To be raised when the same bytes give another text: results that are kept of a text have it in their key."""
_SNIFFED: Final = 8000
"""Bytes at the beginning that say whether a file is text, as git has it."""

_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/v1\n"
_LFS_POINTER_SIZE: Final = 1024
"""Bytes: a pointer has fewer (Git LFS, *Specification*)."""

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16 LE, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_LANGUAGES: Final = {
    "csharp": ".cs .csx",
    "razor": ".razor .cshtml",
    "visualbasic": ".vb",
    "fsharp": ".fs .fsi .fsx",
    "xml": ".xml .csproj .vbproj .fsproj .vcxproj .props .targets .proj .projitems .shproj .sqlproj .slnx .config .resx"
    " .xaml .axaml .nuspec .ruleset .runsettings .xsd .xslt .xsl .wxs .plist .svg .edmx .manifest .pubxml .dtproj",
    "solution": ".sln",
    "json": ".json .slnf .jsonc .json5 .webmanifest .ipynb",
    "yaml": ".yml .yaml",
    "toml": ".toml",
    "ini": ".ini .editorconfig .globalconfig .gitconfig .cfg .properties",
    "markdown": ".md .markdown .mdx",
    "restructuredtext": ".rst",
    "html": ".html .htm",
    "css": ".css .scss .sass .less",
    "javascript": ".js .mjs .cjs .jsx",
    "typescript": ".ts .tsx .mts .cts",
    "sql": ".sql",
    "protobuf": ".proto",
    "graphql": ".graphql .gql",
    "powershell": ".ps1 .psm1 .psd1",
    "shell": ".sh .bash .zsh",
    "batch": ".bat .cmd",
    "python": ".py .pyi",
    "go": ".go",
    "rust": ".rs",
    "java": ".java .kt .kts",
    "c": ".c .h",
    "cpp": ".cpp .cc .cxx .hpp .hh .hxx",
    "t4": ".tt .ttinclude",
    "bicep": ".bicep",
    "terraform": ".tf .tfvars",
    "http": ".http .rest",
}
_BY_SUFFIX: Final = {suffix: language for language, suffixes in _LANGUAGES.items() for suffix in suffixes.split()}
_BY_NAME: Final = {
    "dockerfile": "dockerfile",
    "makefile": "makefile",
    "jenkinsfile": "groovy",
    ".editorconfig": "ini",
    ".gitconfig": "ini",
    ".globalconfig": "ini",
    "packages.config": "xml",
}


def language_of(path: str) -> str:
    """The language by name alone; ``text`` when it is none we know."""
    name = path.rpartition("/")[2].lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name.startswith("dockerfile."):
        return "dockerfile"
    _, dot, suffix = name.rpartition(".")
    return _BY_SUFFIX.get(dot + suffix, "text")


class DecodedText(Struct, frozen=True):
    """What a file says, without its byte order mark. ``source``: the same in UTF-8, which byte offsets count. Both are empty for a binary
    file. No lone surrogate occurs."""

    text: str
    source: bytes
    problems: tuple[Problem, ...] = ()
    is_binary: bool = False


def decode_text(content: bytes) -> DecodedText:
    """The one place where the bytes of a file become text. A byte order mark decides; without one it is UTF-8, UTF-16 where every other
    byte is zero, and else Windows-1252, which old .NET sources are in. Never fails."""
    if _is_lfs_pointer(content):
        problem = Problem("lfs_pointer", "a pointer of Git LFS: what the file holds is not in git")
        return DecodedText("", b"", (problem,), is_binary=True)
    if is_binary(content):
        return DecodedText("", b"", (Problem("binary", "not text: it contains NUL bytes"),), is_binary=True)
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _decoded(content[len(mark) :], encoding)
    if b"\0" in content[:_SNIFFED]:
        encoding = _utf16_without_mark(content)
        return _decoded(content, encoding, Problem("encoding", f"no byte order mark; read as {encoding.upper()}"))
    try:
        return DecodedText(content.decode(), content)
    except UnicodeDecodeError as error:
        text = content.decode("cp1252", "replace")
        line = content.count(b"\n", 0, error.start) + 1
        problem = Problem("encoding", f"not UTF-8 at byte {error.start}; read as Windows-1252", line)
        return DecodedText(text, text.encode(), (problem,))


def is_binary(content: bytes) -> bool:
    """A NUL near the beginning, unless the file is UTF-16 or UTF-32: git's own rule, with that exception. A pointer of Git LFS, which says
    nothing of what it stands for, is taken for binary too."""
    if _is_lfs_pointer(content):
        return True
    if b"\0" not in content[:_SNIFFED]:
        return False
    return not any(content.startswith(mark) for mark, _ in _MARKS[1:]) and not _utf16_without_mark(content)


def _is_lfs_pointer(content: bytes) -> bool:
    return content.startswith(_LFS_POINTER) and len(content) < _LFS_POINTER_SIZE


def _decoded(content: bytes, encoding: str, *problems: Problem) -> DecodedText:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        text = content.decode(encoding, "replace")
        problems = (*problems, Problem("encoding", f"not {encoding.upper()} at byte {error.start}; replaced"))
    return DecodedText(text, text.encode(), problems)


def _utf16_without_mark(content: bytes) -> str:
    """The encoding of what looks like UTF-16 of mostly ASCII text, where one of each two bytes is zero and the other hardly ever is; else
    nothing."""
    sample = content[:_SNIFFED]
    pairs = len(sample) // 2
    if len(content) % 2 or pairs < 2:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if even < pairs * 0.1 and odd > pairs * 0.6:
        return "utf-16-le"
    if odd < pairs * 0.1 and even > pairs * 0.6:
        return "utf-16-be"
    return ""
