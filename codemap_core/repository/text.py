"""Classifies a file's bytes: binary or text, the encoding, the language. Pure functions; no IO."""

from __future__ import annotations

import codecs
from typing import Final

from codemap_core.model import Problem

MAX_SOURCE_SIZE: Final = 4 * 1024 * 1024
"""Bytes. A larger source file is listed, not analysed: hand-written files of that size do not occur, generated tables
do."""
MAX_TEXT_SIZE: Final = 1024 * 1024
"""Bytes. Other text beyond this is listed, its text not searched: lock files, data dumps, minified bundles."""
_SNIFFED: Final = 8192

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16 LE, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
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


def is_binary(content: bytes) -> bool:
    """A NUL in the first 8 KB, unless a byte-order mark says that it is UTF-16 or UTF-32: git's own rule, with that
    exception."""
    if b"\0" not in content[:_SNIFFED]:
        return False
    return not any(content.startswith(bom) for bom, encoding in _BOMS if encoding != "utf-8-sig")


def decode_text(content: bytes) -> tuple[str, str, tuple[Problem, ...]]:
    """(text without its byte-order mark, name of the encoding, what was wrong). A mark decides; without one it is
    UTF-8; bytes that are not are read as Windows-1252, which old .NET sources are in. Never fails, and no lone
    surrogate comes out."""
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            try:
                return content.decode(encoding), encoding.removesuffix("-sig"), ()
            except UnicodeDecodeError as error:
                problem = Problem(
                    code="invalid_encoding", message=f"not valid {encoding} at byte {error.start}; replaced"
                )
                return content.decode(encoding, "replace"), encoding.removesuffix("-sig"), (problem,)
    try:
        return content.decode("utf-8"), "utf-8", ()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = Problem(code="not_utf8", message=f"not UTF-8 at byte {error.start}; read as Windows-1252", line=line)
        return content.decode("cp1252", "replace"), "cp1252", (problem,)
