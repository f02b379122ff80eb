"""Random edits of the form of files, not of what they say: line ends, byte order marks, the case of names; and of files that many others
are read by: settings, the editor's rules, the SDK's version, TypeScript and its configuration."""

from __future__ import annotations

import re
from typing import Final

from tests.core.pipeline.editor import Edit, Editor, is_type
from tests.core.pipeline.markup_edits import MARKUP
from tests.core.pipeline.page_edits import PAGES

_MARK: Final = "\ufeff"
_READ: Final = (".cs", ".csproj", ".props", ".targets", ".json", ".proto", ".ts", ".tsx", *PAGES, *MARKUP)
_SCRIPTS: Final = (".ts", ".tsx")
_IMPORT: Final = re.compile(r"""(?<=from )(['"])[^'"\n]+\1""")
_EXPORTED: Final = re.compile(r"\bexport (?:default )?(?=\w)")
_PROPERTY: Final = re.compile(r'"([\w:.-]+)"(?=\s*:)')


def _line_ends(editor: Editor) -> str | None:
    """All of a file's, or those of its first lines alone."""
    path = editor.file(_READ)
    text = editor.files[path]
    plain = text.replace("\r\n", "\n")
    lines = plain.split("\n")
    middle = editor.choose.choice([0, len(lines) // 2, len(lines)])
    new = "\r\n".join(lines[:middle]) + ("\r\n" if middle < len(lines) and middle else "") + "\n".join(lines[middle:])
    if new == text:
        new = plain.replace("\n", "\r\n") if text == plain else plain
    editor.files[path] = new
    return f"{path}: {new.count(chr(13))} returns" if new != text else None


def _byte_order_mark(editor: Editor) -> str | None:
    path = editor.file(_READ)
    text = editor.files[path]
    editor.files[path] = text.removeprefix(_MARK) if text.startswith(_MARK) else _MARK + text
    return path


def _case_of_name(editor: Editor) -> str | None:
    """Of a file, or of the folder that it is in with all that this holds."""
    path = editor.file(_READ)
    folder, _, name = path.rpartition("/")
    if folder and editor.choose.random() < 0.3:
        above, _, last = folder.rpartition("/")
        new = f"{above}/{last.swapcase()}".lstrip("/")
        moved = [each for each in editor.files if each.startswith(f"{folder}/")]
        if new == folder or any(each.startswith(f"{new}/") for each in editor.files):
            return None
        for each in moved:
            editor.files[new + each.removeprefix(folder)] = editor.files.pop(each)
        return f"{folder} -> {new}"
    stem, dot, suffix = name.partition(".")
    new = f"{folder}/{stem.swapcase()}{dot}{suffix}".lstrip("/")
    if new in editor.files:
        return None
    editor.files[new] = editor.files.pop(path)
    return f"{path} -> {new}"


def _visible(editor: Editor) -> str | None:
    """An attribute lets another assembly see internal members, or no longer does."""
    path = editor.source()
    text = editor.files[path]
    if "InternalsVisibleTo(" in text:
        editor.files[path] = re.sub(r"\[assembly: ?[\w.]*InternalsVisibleTo\([^\n]*\n", "", text)
        return f"{path}: not visible" if editor.files[path] != text else None
    names = [each.rpartition("/")[2].removesuffix(".csproj") for each in editor.files if each.endswith(".csproj")]
    if not names:
        return None
    name, folder = editor.choose.choice(sorted(names)), path.rpartition("/")[0]
    new = f"{folder}/Visible{editor.choose.randrange(2)}.cs".lstrip("/")
    attribute = f'[assembly: System.Runtime.CompilerServices.InternalsVisibleTo("{name}")]'
    editor.files[new] = f"{attribute}\n"
    return f"{new}: {attribute}"


def _internal(editor: Editor) -> str | None:
    """A public type becomes internal."""
    found = editor.type(lambda each: is_type(each) and each.parent < 0)
    if found is None:
        return None
    path, content, declaration, _ = found
    text = content[slice(*declaration.span)].decode("utf-8", "replace")
    new = re.sub(r"\bpublic\b", "internal", text, count=1)
    editor.put(path, content, *declaration.span, new)
    return f"{path}: {declaration.name}" if new != text else None


def _settings(editor: Editor) -> str | None:
    """A key more, one that is called otherwise, or a file of settings more."""
    paths = sorted(path for path in editor.files if "appsettings" in path.rpartition("/")[2])
    if not paths or editor.choose.random() < 0.2:
        folder = editor.source().rpartition("/")[0]
        name = editor.choose.choice(["appsettings.json", "appsettings.Development.json"])
        paths = [f"{folder}/{name}".lstrip("/")]
    path = editor.choose.choice(paths)
    text = editor.files.get(path, "{\n}\n")
    keys = list(_PROPERTY.finditer(text))
    key = editor.some_name()
    if keys and editor.choose.random() < 0.4:
        place = editor.choose.choice(keys)
        editor.files[path] = f'{text[: place.start()]}"{key}"{text[place.end() :]}'
        return f"{path}: {place[1]} -> {key}"
    start = text.find("{")
    if start < 0:
        return None
    more = editor.choose.choice([f'"{key}": "x"', f'"{key}": {{ "{editor.some_name()}": 1 }}', f'// "{key}"'])
    comma = "," if keys and not more.startswith("//") else ""
    editor.files[path] = f"{text[: start + 1]}\n{more}{comma}\n{text[start + 1 :]}"
    return f"{path}: {more}"


def _tool_version(editor: Editor) -> str | None:
    """What the nearest global.json says of an SDK of projects, and the rules of the editor."""
    folder = editor.source().rpartition("/")[0]
    name, text = editor.choose.choice(
        [
            ("global.json", '{ "msbuild-sdks": { "Some.Sdk": "1.0.0" } }\n'),
            ("global.json", '{ "sdk": { "version": "8.0.100" } }\n'),
            ("global.json", "{ broken\n"),
            (".editorconfig", "[*.cs]\ngenerated_code = true\n"),
            (".editorconfig", "root = true\n[*.cs]\ndotnet_diagnostic.CS8618.severity = none\n"),
        ]
    )
    path = f"{editor.choose.choice(['', folder])}/{name}".lstrip("/")
    if editor.files.get(path) == text:
        del editor.files[path]
        return f"{path}: deleted"
    editor.files[path] = text
    return f"{path}: {text.strip()}"


def _script(editor: Editor) -> str | None:
    """What a file of TypeScript imports, from where, exports, or a word of it."""
    if not any(path.endswith(_SCRIPTS) for path in editor.files):
        return None
    path = editor.file(_SCRIPTS)
    text = editor.files[path]
    imports, exports = list(_IMPORT.finditer(text)), list(_EXPORTED.finditer(text))
    way = editor.choose.randrange(5)
    if way == 0 and imports:
        place, other = editor.choose.choice(imports), editor.file(_SCRIPTS).rpartition("/")[2].rpartition(".")[0]
        editor.files[path] = f"{text[: place.start()]}'./{other}'{text[place.end() :]}"
        return f"{path}: from {place[0]} to {other}"
    if way == 1 and exports:
        place = editor.choose.choice(exports)
        editor.files[path] = text[: place.start()] + text[place.end() :]
        return f"{path}: no longer exported at {place.start()}"
    if way == 2:
        other = editor.file(_SCRIPTS).rpartition("/")[2].rpartition(".")[0]
        editor.files[path] = f"export * from './{other}';\n{text}"
        return f"{path}: exports again {other}"
    if way == 3:
        folder, _, name = path.rpartition("/")
        stem, _, suffix = name.partition(".")
        new = f"{folder}/{editor.choose.choice([f'{stem}/index', f'{stem}{editor.step}'])}.{suffix}".lstrip("/")
        if new in editor.files:
            return None
        editor.files[new] = editor.files.pop(path)
        return f"{path} -> {new}"
    return editor.replace_word(path)


def _script_configuration(editor: Editor) -> str | None:
    """Where names that are not paths are mapped to, or a package more."""
    if not any(path.endswith(_SCRIPTS) for path in editor.files):
        return None
    folder = editor.file(_SCRIPTS).rpartition("/")[0]
    name, text = editor.choose.choice(
        [
            ("tsconfig.json", '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./*"] } } }\n'),
            ("tsconfig.json", '{ "extends": "../tsconfig.json" }\n'),
            ("package.json", f'{{ "name": "more{editor.step}" }}\n'),
        ]
    )
    path = f"{folder}/{name}".lstrip("/")
    if path in editor.files and editor.choose.random() < 0.5:
        del editor.files[path]
        return f"{path}: deleted"
    editor.files[path] = text
    return f"{path}: {text.strip()}"


FORM_EDITS: Final[dict[str, Edit]] = {
    "line ends": _line_ends,
    "byte order mark": _byte_order_mark,
    "case of a name": _case_of_name,
    "internals visible": _visible,
    "internal type": _internal,
    "settings": _settings,
    "version of tools": _tool_version,
    "script": _script,
    "configuration of scripts": _script_configuration,
}
