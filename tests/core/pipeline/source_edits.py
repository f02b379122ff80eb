"""Random edits of what C# files declare."""

from __future__ import annotations

import re
from typing import Final

from codemap_plugins.csharp.unit import DeclarationKind, TypeDeclaration
from tests.core.pipeline.conditional_edits import CONDITIONAL_EDITS
from tests.core.pipeline.editor import Edit, Editor, is_type

_ADDRESS: Final = re.compile(r"\"(/?[a-z][\w{}-]*/[\w/{}:-]*)\"")


def _after_brace(editor: Editor, path: str, content: bytes, declaration: TypeDeclaration, text: str) -> str | None:
    brace = content.find(b"{", declaration.name_offset, declaration.span[1])
    if brace < 0:
        return None
    editor.put(path, content, brace + 1, brace + 1, f" {text} ")
    return f"{path}: {text}"


def _at_the_beginning(editor: Editor, text: str) -> str | None:
    """``text`` before the other statements of a method."""
    found = editor.member(lambda each: each.kind is DeclarationKind.METHOD and each.body >= 0)
    if found is None:
        return None
    path, content, member = found
    brace = content.find(b"{", member.name_offset, member.span[1])
    if brace < 0:
        return None
    editor.put(path, content, brace + 1, brace + 1, text)
    return f"{path}: {member.name}: {text.strip()}"


def _body(editor: Editor) -> str | None:
    return _at_the_beginning(editor, f"\n var edited{editor.step} = {editor.some_name()};")


def _address(editor: Editor) -> str:
    """One that a route has somewhere, or nearly."""
    found = sorted({each for text in editor.files.values() for each in _ADDRESS.findall(text)})
    known: str = editor.choose.choice([*found, f"edited/{editor.step % 3}"])
    nearly = [known, f"{known}/{editor.step % 3}", re.sub(r"\{[^{}]*\}", "{id}", known)]
    return nearly[editor.choose.randrange(len(nearly))]


def _request(editor: Editor) -> str | None:
    """A request over HTTP."""
    verb, address = editor.choose.choice(["Get", "Post", "Delete"]), _address(editor).strip("/")
    return _at_the_beginning(editor, f' var id = 1; new System.Net.Http.HttpClient().{verb}Async($"/{address}"); ')


def _route(editor: Editor) -> str | None:
    """A route of an action."""
    found = editor.member(lambda each: each.kind is DeclarationKind.METHOD and each.body >= 0)
    if found is None:
        return None
    path, content, member = found
    verb = editor.choose.choice(["Get", "Post", "Delete"])
    text = f'[Microsoft.AspNetCore.Mvc.Http{verb}("/{_address(editor).strip("/")}")]'
    editor.put(path, content, member.span[0], member.span[0], f"{text} ")
    return f"{path}: {member.name}: {text}"


def _rename_member(editor: Editor) -> str | None:
    found = editor.member(lambda each: each.kind in (DeclarationKind.METHOD, DeclarationKind.PROPERTY))
    if found is None:
        return None
    path, content, member = found
    name = member.name.encode()
    if content[member.name_offset : member.name_offset + len(name)] != name:
        return None
    new = editor.choose.choice([editor.some_name(), f"{member.name}{editor.step}"])
    editor.put(path, content, member.name_offset, member.name_offset + len(name), new)
    return f"{path}: {member.name} -> {new}"


def _parameter(editor: Editor) -> str | None:
    found = editor.member(
        lambda each: each.kind in (DeclarationKind.METHOD, DeclarationKind.CONSTRUCTOR) and not each.explicit_interface
    )
    if found is None:
        return None
    path, content, member = found
    at = content.find(b"(", member.name_offset, member.span[1])
    if at < 0:
        return None
    text = "int added" + (", " if content[at + 1 : at + 2] != b")" else "")
    editor.put(path, content, at + 1, at + 1, text)
    return f"{path}: {member.name}"


def _overload(editor: Editor) -> str | None:
    found = editor.member(lambda each: each.kind is DeclarationKind.METHOD)
    if found is None:
        return None
    path, content, member = found
    start, end = member.span
    copy = content[start:end].decode("utf-8", "replace").replace("(", f"(string also{editor.step}, ", 1)
    copy = copy.replace(", )", ")", 1)
    editor.put(path, content, end, end, f"\n{copy}\n")
    return f"{path}: {member.name}"


def _remove_member(editor: Editor) -> str | None:
    found = editor.member(lambda each: True)
    if found is None:
        return None
    path, content, member = found
    editor.put(path, content, *member.span, "")
    return f"{path}: {member.name}"


def _result_type(editor: Editor) -> str | None:
    found = editor.member(lambda each: each.type is not None and bool(each.type.offsets))
    if found is None or found[2].type is None:
        return None
    path, content, member = found
    assert member.type is not None
    offset = member.type.offsets[0]
    old = re.match(rb"\w+", content[offset:])
    if old is None:
        return None
    new = editor.choose.choice(["string", "object", "System.Collections.Generic.List<int>", editor.some_name()])
    editor.put(path, content, offset, offset + len(old[0]), new)
    return f"{path}: {member.name} gives {new}"


def _base(editor: Editor) -> str | None:
    found = editor.type(lambda each: is_type(each) and bool(each.bases))
    if found is None:
        return None
    path, content, declaration, _ = found
    base = editor.choose.choice(declaration.bases)
    if not base.offsets:
        return None
    old = re.match(rb"\w+", content[base.offsets[0] :])
    if old is None:
        return None
    new = editor.choose.choice(["System.IDisposable", editor.some_name()])
    editor.put(path, content, base.offsets[0], base.offsets[0] + len(old[0]), new)
    return f"{path}: {declaration.name} : {new}"


def _rename_type(editor: Editor) -> str | None:
    found = editor.type(is_type)
    if found is None:
        return None
    path, content, declaration, _ = found
    new = editor.choose.choice([f"{declaration.name}{editor.step}", editor.some_name()])
    at = declaration.name_offset
    editor.put(path, content, at, at + len(declaration.name.encode()), new)
    return f"{path}: {declaration.name} -> {new}"


def _namespace(editor: Editor) -> str | None:
    path = editor.source()
    found = re.search(r"^namespace\s+([\w.]+)", editor.files[path], re.MULTILINE)
    if found is None:
        return None
    new = editor.choose.choice([f"{found[1]}.Deeper{editor.step}", found[1].rpartition(".")[0] or "Other", "System"])
    editor.files[path] = editor.files[path][: found.start(1)] + new + editor.files[path][found.end(1) :]
    return f"{path}: {found[1]} -> {new}"


def _using(editor: Editor) -> str | None:
    path = editor.source()
    text = editor.files[path]
    usings = list(re.finditer(r"^using\s+[\w.]+;", text, re.MULTILINE))
    kind = editor.choose.choice(["add", "remove", "global", "static", "alias"])
    if kind == "remove" and usings:
        gone = editor.choose.choice(usings)
        editor.files[path] = text[: gone.start()] + text[gone.end() :]
    elif kind == "global" and usings:
        moved = editor.choose.choice(usings)
        editor.files[path] = "global " + moved[0] + "\n" + text[: moved.start()] + text[moved.end() :]
    else:
        found = editor.type(is_type)
        if found is None:
            return None
        full = f"{found[3]}.{found[2].name}" if found[3] else found[2].name
        line = {"static": f"using static {full};", "alias": f"using {editor.some_name()} = {full};"}
        editor.files[path] = line.get(kind, f"using {found[3] or 'System'};") + "\n" + text
    return f"{path}: {kind}"


def _modifier(editor: Editor) -> str | None:
    path = editor.source()
    words = [("public", "internal"), ("internal", "public"), ("public", "private"), ("static", ""), ("sealed", "")]
    words += [("virtual", ""), ("override", "new"), ("abstract", ""), ("readonly", ""), ("private", "protected")]
    words += [("public static class", "file static class"), ("internal static class", "file static class")]
    words += [("class", "struct"), ("record", "class"), ("async", ""), ("const", "static readonly"), ("this ", "")]
    old, new = editor.choose.choice(words)
    places = [found.start() for found in re.finditer(rf"\b{old}", editor.files[path])]
    if not places:
        return None
    at = editor.choose.choice(places)
    editor.files[path] = editor.files[path][:at] + new + editor.files[path][at + len(old) :]
    return f"{path}: {old} -> {new}"


def _constant(editor: Editor) -> str | None:
    found = editor.member(
        lambda each: each.kind in (DeclarationKind.CONSTANT, DeclarationKind.FIELD, DeclarationKind.ENUM_MEMBER)
    )
    if found is None:
        return None
    path, content, member = found
    text = content[member.span[0] : member.span[1]].decode("utf-8", "replace")
    value = f" = {editor.choose.choice([str(editor.step), chr(34) + 'x' + chr(34), editor.some_name()])}"
    if "=" in text:
        new = re.sub(r"\s*=[^;,]*", value, text, count=1)
    else:
        new = re.sub(r"(;|$)", value + r"\1", text, count=1)
    editor.put(path, content, *member.span, new)
    return f"{path}: {member.name}{value}"


def _special_member(editor: Editor) -> str | None:
    found = editor.type(lambda each: each.kind in (DeclarationKind.CLASS, DeclarationKind.STRUCT))
    if found is None:
        return None
    path, content, declaration, _ = found
    name = declaration.name
    members = [
        f"public static implicit operator {name}(string text) => default;",
        f"public static implicit operator string({name} each) => null;",
        f"public static {name} operator +({name} left, {name} right) => left;",
        f"public System.Collections.Generic.IEnumerator<{name}> GetEnumerator() => null;",
        "public void Deconstruct(out int first, out string second) { first = 0; second = null; }",
        "public void Dispose() { }",
        f"public void Add({name} each) {{ }}",
        "public int this[string key] => 0;",
        f"public {name}(int number, string text) {{ }}",
        f"public static string {editor.some_name()} => nameof({name});",
        f"public {editor.some_name()} {editor.some_name()}({editor.some_name()} given) => default;",
    ]
    return _after_brace(editor, path, content, declaration, editor.choose.choice(members))


def _extension(editor: Editor) -> str | None:
    found = editor.type(is_type)
    member = editor.member(lambda each: each.kind is DeclarationKind.METHOD)
    if found is None or member is None:
        return None
    path, _, declaration, namespace = found
    name = editor.choose.choice([member[2].name, "GetEnumerator", "Deconstruct", "Select", "Add"])
    arity = f"<{', '.join(each.name for each in declaration.type_parameters)}>" if declaration.type_parameters else ""
    folder = path.rpartition("/")[0]
    new = f"{folder}/Extensions{editor.step}.cs".lstrip("/")
    editor.files[new] = (
        f"namespace {namespace or 'Extending'};\npublic static class Extensions{editor.step}\n{{\n"
        f"    public static int {name}{arity}(this {declaration.name}{arity} each) => 0;\n"
        f"    public static string {name}(this object each, int number) => null;\n}}\n"
    )
    return f"{new}: {name}"


def _partial(editor: Editor) -> str | None:
    found = editor.type(lambda each: each.kind is DeclarationKind.CLASS and each.parent < 0)
    if found is None:
        return None
    path, content, declaration, namespace = found
    head = content[: declaration.name_offset]
    at = head.rfind(b"class")
    if at < 0:
        return None
    arity = f"<{', '.join(each.name for each in declaration.type_parameters)}>" if declaration.type_parameters else ""
    part = (
        f"/// <summary>More.</summary>\npublic partial class {declaration.name}{arity}\n"
        f"{{\n    public int {editor.some_name()} {{ get; }} = {editor.step};\n}}\n"
    )
    first, end = editor.choose.choice(["A", "Z", ""]), declaration.span[1]
    both = f"partial {content[at:end].decode('utf-8', 'replace')}\n{'' if first else part}"
    editor.put(path, content, at, end, both)
    if first:  # the other part is in a file of its own
        new = f"{path.rpartition('/')[0]}/{first}Part{editor.step}.cs".lstrip("/")
        editor.files[new] = f"namespace {namespace};\n{part}" if namespace else part
    return f"{path}: {declaration.name}"


def _move(editor: Editor) -> str | None:
    path = editor.source()
    folder, _, name = path.rpartition("/")
    new = f"{folder}/{editor.choose.choice(['A', 'Z', 'Sub/'])}{name}".lstrip("/")
    if new in editor.files:
        return None
    editor.files[new] = editor.files.pop(path)
    return f"{path} -> {new}"


def _delete(editor: Editor) -> str | None:
    path = editor.source()
    del editor.files[path]
    return path


def _copy(editor: Editor) -> str | None:
    path, other = editor.source(), editor.source()
    new = f"{other.rpartition('/')[0]}/Copy{editor.step}.cs".lstrip("/")
    editor.files[new] = editor.files[path]
    return f"{path} -> {new}"


def _lines(editor: Editor) -> str | None:
    path = editor.source()
    editor.files[path] = f"// {editor.step}\n" * editor.choose.randint(1, 3) + editor.files[path]
    return path


def _break(editor: Editor) -> str | None:
    path = editor.source()
    places = [at for at, char in enumerate(editor.files[path]) if char in "{}();"]
    if not places:
        return None
    at = editor.choose.choice(places)
    editor.files[path] = editor.files[path][:at] + editor.files[path][at + 1 :]
    return f"{path}: at {at}"


def _binary(editor: Editor) -> str | None:
    path = editor.source()
    editor.files[path] = (
        editor.files[path].removeprefix("\0") if "\0" in editor.files[path] else "\0" + editor.files[path]
    )
    return path


def _restore(editor: Editor) -> str | None:
    return editor.restore(lambda path: True)


SOURCE_EDITS: Final[dict[str, Edit]] = {
    "body": _body,
    "request": _request,
    "route": _route,
    "rename member": _rename_member,
    "parameter": _parameter,
    "overload": _overload,
    "remove member": _remove_member,
    "result type": _result_type,
    "base": _base,
    "rename type": _rename_type,
    "namespace": _namespace,
    "using": _using,
    "modifier": _modifier,
    "constant": _constant,
    "special member": _special_member,
    "extension": _extension,
    "partial": _partial,
    "move": _move,
    "delete": _delete,
    "copy": _copy,
    "lines": _lines,
    "break": _break,
    "binary": _binary,
    "restore": _restore,
    **CONDITIONAL_EDITS,
}
