"""Random edits of Razor components, views, what they import, and the classes behind components."""

from __future__ import annotations

import re
from typing import Final

from tests.core.pipeline.editor import Edit, Editor

PAGES: Final = (".razor", ".cshtml")
_IMPORTS: Final = ("_Imports.razor", "_ViewImports.cshtml")
_CODE: Final = re.compile(r"@(?:code|functions)\s*\{")


def _expression(editor: Editor) -> str | None:
    path = editor.file(PAGES)
    lines = editor.files[path].split("\n")
    at = editor.choose.randrange(len(lines) + 1)
    text = editor.choose.choice(
        [f"<p>@{editor.some_name()}</p>", f'<{editor.some_name()} Value="@{editor.some_name()}" />']
    )
    lines.insert(at, text)
    editor.files[path] = "\n".join(lines)
    return f"{path}: {text}"


def _named(editor: Editor) -> str | None:
    """A text that names an action, a page, a view or a view component."""
    if not any(path.endswith(".cshtml") for path in editor.files):
        return None
    path, other = editor.file((".cshtml",)), editor.file((".cshtml",))
    view, name = other.rpartition("/")[2].removesuffix(".cshtml"), editor.some_name()
    folder = other.rpartition("/")[0].rpartition("/")[2]
    tags = [
        f'<a asp-action="{name}"></a>',
        f'<a asp-controller="{folder}" asp-action="{view}"></a>',
        f'<a asp-page="/{folder}/{view}"></a>',
        f'<partial name="{view}" />',
        f'@await Component.InvokeAsync("{name}")',
        f'@Url.Action("{view}", "{folder}")',
        f'<a href="/{folder}/{view}"></a>',
    ]
    text = editor.choose.choice(tags)
    editor.files[path] = f"{editor.files[path]}\n{text}\n"
    return f"{path}: {text}"


def _word(editor: Editor) -> str | None:
    return editor.replace_word(editor.file(PAGES))


def _member(editor: Editor) -> str | None:
    path = editor.file(PAGES)
    text = editor.files[path]
    member = f"\n    public {editor.choose.choice(['int', 'string', editor.some_name()])} Added{editor.step} {{ get; set; }}\n"
    code = _CODE.search(text)
    if code is None:
        editor.files[path] = f"{text}\n@code {{{member}}}\n"
    else:
        editor.files[path] = text[: code.end()] + member + text[code.end() :]
    return f"{path}: {member.strip()}"


def _directive(editor: Editor) -> str | None:
    namespaces = editor.namespaces()
    if not namespaces:
        return None
    path, name = editor.file(PAGES), editor.choose.choice(namespaces)
    if editor.choose.random() < 0.5:
        folder = path.rpartition("/")[0]
        imports = _IMPORTS[path.endswith(".cshtml")]
        path = f"{folder}/{imports}" if folder else imports
    kinds = [f"@using {name}", f"@namespace {name}", f"@inject {editor.some_name()} Given{editor.step}"]
    kinds += [f"@inherits {editor.some_name()}", f"@model {editor.some_name()}", f"@implements {editor.some_name()}"]
    directive = editor.choose.choice(kinds)
    editor.files[path] = f"{directive}\n{editor.files.get(path, '')}"
    return f"{path}: {directive}"


def _imports(editor: Editor) -> str | None:
    """A line of imports is gone."""
    paths = sorted(path for path in editor.files if path.endswith(_IMPORTS))
    if not paths:
        return None
    path = editor.choose.choice(paths)
    lines = editor.files[path].split("\n")
    gone = lines.pop(editor.choose.randrange(len(lines)))
    editor.files[path] = "\n".join(lines)
    return f"{path}: without {gone}"


def _behind(editor: Editor) -> str | None:
    """A class behind a component, or its namespace."""
    path = editor.file((".razor",)) if any(each.endswith(".razor") for each in editor.files) else None
    if path is None:
        return None
    name = path.rpartition("/")[2].removesuffix(".razor")
    folder = path.rpartition("/")[0].rpartition("/")[2]
    text = f"namespace App.{folder or 'Root'};\npartial class {name} {{ int Behind{editor.step}; }}\n"
    editor.files[f"{path}.cs"] = text
    return f"{path}.cs"


def _move(editor: Editor) -> str | None:
    path, other = editor.file(PAGES), editor.file(PAGES)
    folder = other.rpartition("/")[0]
    name, _, suffix = path.rpartition("/")[2].rpartition(".")
    name = editor.choose.choice([name, f"{name}{editor.step}", editor.some_name()])
    target = f"{folder}/{name}.{suffix}" if folder else f"{name}.{suffix}"
    if target in editor.files:
        return None
    editor.files[target] = editor.files.pop(path)
    return f"{path} -> {target}"


def _delete(editor: Editor) -> str | None:
    return editor.delete(PAGES, fewest=3)


def _restore(editor: Editor) -> str | None:
    return editor.restore(lambda path: path.endswith((*PAGES, ".razor.cs")))


PAGE_EDITS: Final[dict[str, Edit]] = {
    "expression of a page": _expression,
    "text that names something": _named,
    "word of a page": _word,
    "member of a page": _member,
    "directive of a page": _directive,
    "imports": _imports,
    "class behind a component": _behind,
    "page moved": _move,
    "page deleted": _delete,
    "page restored": _restore,
}
