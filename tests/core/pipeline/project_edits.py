"""Random edits of what projects, the files they import and solutions say."""

from __future__ import annotations

import re
from typing import Final

from tests.core.pipeline.editor import Edit, Editor, is_type

_VERSION: Final = re.compile(r'(<Package(?:Reference|Version) [^>]*?\bVersion=")[^"$]+')
"""Of a package, in a project or in central package management."""


def _projects(editor: Editor) -> list[str]:
    return sorted(path for path in editor.files if path.endswith(".csproj"))


def _in_project(editor: Editor, line: str) -> str | None:
    paths = _projects(editor)
    return _added(editor, editor.choose.choice(paths), line) if paths else None


def _added(editor: Editor, path: str, line: str) -> str | None:
    """A line at the end of a file of MSBuild, which may be a new one."""
    head, closing, tail = editor.files.get(path, "<Project></Project>").rpartition("</Project>")
    if not closing:
        return None
    editor.files[path] = f"{head}{line}\n{closing}{tail}"
    return f"{path}: {line}"


def _define(editor: Editor) -> str | None:
    symbol = editor.choose.choice(["DEBUG", "TRACE", "EXTRA", "NET48"])
    return _in_project(
        editor, f"<PropertyGroup><DefineConstants>$(DefineConstants);{symbol}</DefineConstants></PropertyGroup>"
    )


def _framework(editor: Editor) -> str | None:
    paths = [path for path in _projects(editor) if "<TargetFramework>" in editor.files[path]]
    if not paths:
        return _in_project(editor, "<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>")
    path = editor.choose.choice(paths)
    new = editor.choose.choice(["net8.0", "net10.0", "netstandard2.0"])
    editor.files[path] = re.sub(r"<TargetFramework>[^<]*<", f"<TargetFramework>{new}<", editor.files[path], count=1)
    return f"{path}: {new}"


def _reference(editor: Editor) -> str | None:
    paths = _projects(editor)
    if len(paths) < 2:
        return None
    path, other = editor.choose.sample(paths, 2)
    up = "../" * path.count("/")
    found = list(re.finditer(r"<(?:Project|Package)Reference [^>]*?/>", editor.files[path]))
    if found and editor.choose.random() < 0.6:
        gone = editor.choose.choice(found)
        editor.files[path] = editor.files[path][: gone.start()] + editor.files[path][gone.end() :]
        return f"{path}: without {gone[0]}"
    line = f'<ItemGroup><ProjectReference Include="{up}{other}" /></ItemGroup>'
    return _added(editor, path, line)


def _project_item(editor: Editor) -> str | None:
    found = editor.type(is_type)
    if found is None:
        return None
    lines = [
        f'<Using Include="{found[3] or "System"}" />',
        f'<Using Include="{found[3]}.{found[2].name}" Static="true" />',
        f'<Using Include="{found[3]}.{found[2].name}" Alias="{editor.some_name()}" />',
        f'<InternalsVisibleTo Include="{editor.some_name()}" />',
        '<PackageReference Include="Newtonsoft.Json" Version="13.0.3" />',
        f'<Compile Remove="{found[0].rpartition("/")[2]}" />',
    ]
    return _in_project(editor, f"<ItemGroup>{editor.choose.choice(lines)}</ItemGroup>")


def _conditional_file(editor: Editor) -> str | None:
    """A file is compiled on a condition alone."""
    name = editor.source().rpartition("/")[2]
    held = editor.choose.choice(["'$(OS)' != 'Windows_NT'", "'$(OS)' == 'Windows_NT'"])
    operation = editor.choose.choice([f'Remove="**/{name}"', f'Include="**/{name}"'])
    before = f'<ItemGroup><Compile Remove="**/{name}" /></ItemGroup>' if operation.startswith("Include") else ""
    return _in_project(editor, f'{before}<ItemGroup Condition="{held}"><Compile {operation} /></ItemGroup>')


def _shared_conditional_file(editor: Editor) -> str | None:
    """Every project compiles a further file on a condition alone."""
    source, path = editor.source(), "Directory.Build.props"
    copy = f"Legacy{editor.step}/{source.rpartition('/')[2]}"
    editor.files[copy] = editor.files[source]
    item = f'<Compile Include="$(MSBuildThisFileDirectory){copy}" />'
    group = f"<ItemGroup Condition=\"'$(OS)' == 'Windows_NT'\">{item}</ItemGroup>"
    before = editor.files.get(path, "<Project>\n</Project>\n")
    editor.files[path] = before.replace("</Project>", f"{group}\n</Project>")
    return copy


def _package_version(editor: Editor) -> str | None:
    """Other versions than any that a machine is likely to have."""
    paths = [path for path, text in editor.files.items() if not path.endswith(".cs") and _VERSION.search(text)]
    if not paths:
        return None
    path = editor.choose.choice(sorted(paths))
    new = f"{editor.choose.randrange(90, 99)}.0.0"
    editor.files[path] = _VERSION.sub(rf"\g<1>{new}", editor.files[path])
    return f"{path}: every package in {new}"


def _add_project(editor: Editor) -> str | None:
    """It references another one and declares what another one may name."""
    folder = f"src/Added{editor.step}"
    paths = _projects(editor)
    reference = (
        f'<ItemGroup><ProjectReference Include="../../{editor.choose.choice(paths)}" /></ItemGroup>' if paths else ""
    )
    editor.files[f"{folder}/Added{editor.step}.csproj"] = (
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>'
        f"{reference}</Project>\n"
    )
    editor.files[f"{folder}/{editor.choose.choice(['A', 'Z'])}.cs"] = editor.files[editor.source()]
    return folder


def _remove_project(editor: Editor) -> str | None:
    paths = _projects(editor)
    if not paths:
        return None
    path = editor.choose.choice(paths)
    del editor.files[path]
    return path


def _move_project(editor: Editor) -> str | None:
    """Under another name, into a folder below, or above; what references it stays as it is."""
    paths = _projects(editor)
    if not paths:
        return None
    path = editor.choose.choice(paths)
    folder, _, name = path.rpartition("/")
    above = folder.rpartition("/")[0]
    new = editor.choose.choice([f"{folder}/Renamed{name}", f"{folder}/Sub/{name}", f"{above}/{name}"]).lstrip("/")
    if new in editor.files:
        return None
    editor.files[new] = editor.files.pop(path)
    return f"{path} -> {new}"


def _move_folder(editor: Editor) -> str | None:
    """A project with all its files; what references it stays as it is."""
    paths = [path for path in _projects(editor) if "/" in path]
    if not paths:
        return None
    folder = editor.choose.choice(paths).rpartition("/")[0]
    new = f"{folder}Moved{editor.step}"
    for path in [each for each in editor.files if each.startswith(f"{folder}/")]:
        editor.files[new + path.removeprefix(folder)] = editor.files.pop(path)
    return f"{folder} -> {new}"


def _imported(editor: Editor) -> str | None:
    """A file that the projects of a folder import without naming it: written, added to, or deleted."""
    folders = {path.rpartition("/")[0] for path in _projects(editor)}
    folder = editor.choose.choice(["", *sorted(folders | {each.rpartition("/")[0] for each in folders})])
    name = editor.choose.choice(["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
    path = f"{folder}/{name}".lstrip("/")
    if path in editor.files and editor.choose.random() < 0.3:
        del editor.files[path]
        return f"{path}: deleted"
    line = editor.choose.choice(
        [
            "<PropertyGroup><DefineConstants>$(DefineConstants);EXTRA</DefineConstants></PropertyGroup>",
            "<PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>",
            "<PropertyGroup><ImplicitUsings>disable</ImplicitUsings></PropertyGroup>",
            "<PropertyGroup><EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup>",
            "<PropertyGroup><TargetFramework>netstandard2.0</TargetFramework></PropertyGroup>",
            f'<ItemGroup><Using Include="System.{editor.choose.choice(["Text", "Linq", "IO"])}" /></ItemGroup>',
            '<ItemGroup><PackageReference Include="Newtonsoft.Json" Version="13.0.3" /></ItemGroup>',
            f'<Import Project="{editor.choose.choice(["more.props", "../Directory.Build.props"])}" />',
        ]
    )
    return _added(editor, path, line)


def _language(editor: Editor) -> str | None:
    version = editor.choose.choice(["7.3", "9", "10", "12", "latest", "preview"])
    return _in_project(editor, f"<PropertyGroup><LangVersion>{version}</LangVersion></PropertyGroup>")


def _solution(editor: Editor) -> str | None:
    """A project less in it; or the solution deleted, or one more beside it."""
    paths = sorted(path for path in editor.files if path.endswith((".sln", ".slnx")))
    projects = _projects(editor)
    if not paths or (projects and editor.choose.random() < 0.2):
        new = f"More{editor.step}.slnx"
        lines = [f'  <Project Path="{each}" />' for each in projects if editor.choose.random() < 0.7]
        editor.files[new] = "\n".join(["<Solution>", *lines, "</Solution>", ""])
        return new
    path = editor.choose.choice(paths)
    named = [line for line in editor.files[path].splitlines(keepends=True) if ".csproj" in line]
    if not named or editor.choose.random() < 0.2:
        del editor.files[path]
        return f"{path}: deleted"
    gone = editor.choose.choice(named)
    editor.files[path] = editor.files[path].replace(gone, "", 1)
    return f"{path}: without {gone.strip()}"


def _restore_project(editor: Editor) -> str | None:
    """A project, or another file of those that only projects read."""
    return editor.restore(lambda path: not path.endswith(".cs"))


PROJECT_EDITS: Final[dict[str, Edit]] = {
    "define": _define,
    "framework": _framework,
    "reference": _reference,
    "project item": _project_item,
    "conditional file": _conditional_file,
    "shared conditional file": _shared_conditional_file,
    "package version": _package_version,
    "add project": _add_project,
    "remove project": _remove_project,
    "move project": _move_project,
    "move folder": _move_folder,
    "imported file": _imported,
    "language": _language,
    "solution": _solution,
    "restore project": _restore_project,
}
