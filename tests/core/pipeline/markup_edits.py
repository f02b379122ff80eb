"""Random edits of XAML, and of the classes that it is a part of."""

from __future__ import annotations

import re
from typing import Final

from tests.core.pipeline.editor import Edit, Editor

MARKUP: Final = (".xaml", ".axaml")
_TAG_END: Final = re.compile(r"(?<=[\w\"'])\s*/?>")
_CLASS: Final = re.compile(r"x:Class=\"([\w.]+)\"")
_URI: Final = re.compile(r"xmlns(?::\w+)?=\"(http[^\"]+)\"")
_OF_CODE: Final = re.compile(r"xmlns:(\w+)=\"(?:clr-namespace|using):")


def _word(editor: Editor) -> str | None:
    return editor.replace_word(editor.file(MARKUP))


def _attribute(editor: Editor) -> str | None:
    """An attribute more."""
    path = editor.file(MARKUP)
    text = editor.files[path]
    ends = list(_TAG_END.finditer(text))
    if not ends:
        return None
    prefixes = _OF_CODE.findall(text) or ["local"]
    name, other, prefix = editor.some_name(), editor.some_name(), editor.choose.choice(prefixes)
    attribute = editor.choose.choice(
        [
            f'Click="{name}"',
            f'x:Name="{name}{editor.step}"',
            f'{name}="{{Binding {other}}}"',
            f'Tag="{{x:Static {prefix}:{name}.{other}}}"',
            f'x:DataType="{prefix}:{name}"',
            f'DataContext="{{Binding {name}}}"',
            f'{prefix}:{name}.{other}="1"',
        ]
    )
    at = editor.choose.choice(ends).start()
    editor.files[path] = f"{text[:at]} {attribute}{text[at:]}"
    return f"{path}: {attribute}"


def _element(editor: Editor) -> str | None:
    """An element more, at the end of the root."""
    path = editor.file(MARKUP)
    text = editor.files[path]
    at = text.rfind("</")
    if at < 0:
        return None
    prefix = editor.choose.choice(_OF_CODE.findall(text) or ["local"])
    element = f'<{prefix}:{editor.some_name()} {editor.some_name()}="{editor.some_name()}" />'
    editor.files[path] = f"{text[:at]}{element}\n{text[at:]}"
    return f"{path}: {element}"


def _class(editor: Editor) -> str | None:
    """A page is part of another class, or of none."""
    path = editor.file(MARKUP)
    found = _CLASS.search(editor.files[path])
    if found is None:
        return None
    name = editor.choose.choice(["", f'x:Class="{found[1]}{editor.step}"', f'x:Class="{editor.some_name()}"'])
    editor.files[path] = editor.files[path][: found.start()] + name + editor.files[path][found.end() :]
    return f"{path}: {found[0]} -> {name}"


def _behind(editor: Editor) -> str | None:
    """A part of the class of a page, with what it shows."""
    path = editor.file(MARKUP)
    found = _CLASS.search(editor.files[path])
    if found is None:
        return None
    namespace, _, name = found[1].rpartition(".")
    shown = editor.some_name()
    member = editor.choose.choice(
        [
            f"public {shown} ViewModel {{ get; }}",
            f"public {name}({shown} shown) {{ }}",
            f"void {editor.some_name()}(object sender, System.EventArgs e) {{ }}",
        ]
    )
    head = f"namespace {namespace};\n" if namespace else ""
    editor.files[f"{path}.{editor.step}.cs"] = f"{head}partial class {name} {{ {member} }}\n"
    return f"{path}.{editor.step}.cs: {member}"


def _model(editor: Editor) -> str | None:
    """A type that is called like what a page shows."""
    path = editor.file(MARKUP)
    name = path.rpartition("/")[2].partition(".")[0]
    for ending in ("View", "Page", "Window"):
        name = name.removesuffix(ending)
    folder = path.rpartition("/")[0]
    file = f"{folder}/{name}ViewModel{editor.step}.cs".lstrip("/")
    made = editor.choose.choice(["public int", "[ObservableProperty] private int", f"public {editor.some_name()}"])
    editor.files[file] = f"namespace Models;\npublic partial class {name}ViewModel {{ {made} {editor.some_name()}; }}\n"
    return f"{file}: {made}"


def _definition(editor: Editor) -> str | None:
    """What an XML namespace of a page holds."""
    path = editor.file(MARKUP)
    uris = _URI.findall(editor.files[path])
    namespaces = editor.namespaces()
    if not uris or not namespaces:
        return None
    other = editor.choose.choice(sorted(each for each in editor.files if each.endswith(".cs")))
    definition = f'[assembly: XmlnsDefinition("{editor.choose.choice(uris)}", "{editor.choose.choice(namespaces)}")]'
    file = f"{other.rpartition('/')[0]}/Xmlns{editor.choose.randrange(3)}.cs".lstrip("/")
    editor.files[file] = f"{definition}\n"
    return f"{file}: {definition}"


def _delete(editor: Editor) -> str | None:
    return editor.delete(MARKUP)


def _restore(editor: Editor) -> str | None:
    return editor.restore(lambda path: path.endswith(MARKUP))


MARKUP_EDITS: Final[dict[str, Edit]] = {
    "word of XAML": _word,
    "attribute of XAML": _attribute,
    "element of XAML": _element,
    "class of XAML": _class,
    "class behind XAML": _behind,
    "what XAML shows": _model,
    "XML namespace": _definition,
    "XAML deleted": _delete,
    "XAML restored": _restore,
}
