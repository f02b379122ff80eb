"""Random edits of what C# files leave out by conditional directives."""

from __future__ import annotations

import re
from typing import Final

from codemap_plugins.csharp.unit import DeclarationKind
from tests.core.pipeline.editor import Edit, Editor, is_type

_DIRECTIVE: Final = re.compile(r"^[ \t]*#(?:if|elif|else|endif)\b[^\n]*\n", re.MULTILINE)
_SYMBOLS: Final = ("LEFT", "OTHER", "NET10_0", "!DEBUG")


def _symbol(editor: Editor) -> str:
    return editor.choose.choice(_SYMBOLS)


def _member(editor: Editor) -> str | None:
    """A member in one branch, and nothing, another one of its name or itself in the other."""
    found = editor.member(lambda each: each.kind is not DeclarationKind.PRIMARY_CONSTRUCTOR)
    if found is None:
        return None
    path, content, member = found
    text = content[slice(*member.span)].decode("utf-8", "replace")
    other = editor.choose.choice(["", text.replace("(", f"(int left{editor.step}, ", 1).replace(", )", ")", 1), text])
    branch = f"#else\n{other}\n" if other else ""
    editor.put(path, content, *member.span, f"\n#if {_symbol(editor)}\n{text}\n{branch}#endif\n")
    return f"{path}: {member.name}"


def _statement(editor: Editor) -> str | None:
    found = editor.member(lambda each: each.kind is DeclarationKind.METHOD and each.body >= 0)
    used = editor.member(lambda each: each.kind in (DeclarationKind.METHOD, DeclarationKind.PROPERTY))
    if found is None or used is None:
        return None
    path, content, member = found
    brace = content.find(b"{", member.name_offset, member.span[1])
    if brace < 0:
        return None
    statement = editor.choose.choice([f"{used[2].name}();", f"var left = {editor.some_name()}.{used[2].name};"])
    editor.put(path, content, brace + 1, brace + 1, f"\n#if {_symbol(editor)}\n{statement}\n#endif\n")
    return f"{path}: {member.name}: {statement}"


def _using(editor: Editor) -> str | None:
    found = editor.type(is_type)
    if found is None:
        return None
    path = editor.source()
    text = editor.files[path]
    line = editor.choose.choice(
        [f"using {found[3] or 'System'};", f"using {editor.some_name()} = {found[3] or 'System'}.{found[2].name};"]
    )
    line = f"{editor.choose.choice(['', 'global '])}{line}"
    editor.files[path] = f"#if {_symbol(editor)}\n{line}\n#endif\n{text}"
    return f"{path}: {line}"


def _type(editor: Editor) -> str | None:
    found = editor.type(lambda each: is_type(each) and each.parent < 0)
    if found is None:
        return None
    path, content, declaration, _ = found
    text = content[slice(*declaration.span)].decode("utf-8", "replace")
    editor.put(path, content, *declaration.span, f"\n#if {_symbol(editor)}\n{text}\n#endif\n")
    return f"{path}: {declaration.name}"


def _directive(editor: Editor) -> str | None:
    """A directive goes, or says something else."""
    path = editor.source()
    text = editor.files[path]
    places = list(_DIRECTIVE.finditer(text))
    if not places:
        return None
    place = editor.choose.choice(places)
    new = editor.choose.choice(["", f"#if {_symbol(editor)}\n"]) if "if " in place[0] else ""
    editor.files[path] = text[: place.start()] + new + text[place.end() :]
    return f"{path}: {place[0].strip()} -> {new.strip()}"


CONDITIONAL_EDITS: Final[dict[str, Edit]] = {
    "conditional member": _member,
    "conditional statement": _statement,
    "conditional using": _using,
    "conditional type": _type,
    "conditional directive": _directive,
}
