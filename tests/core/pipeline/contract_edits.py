"""Random edits of protocol buffers, of the projects that name them, and of services."""

from __future__ import annotations

import re
from typing import Final

from tests.core.pipeline.editor import Edit, Editor

CONTRACTS: Final = (".proto",)
_BLOCK: Final = re.compile(r"\b(message|service|enum|oneof)\s+(\w+)\s*\{")
_SAID: Final = re.compile(r"^[ \t]*(?:package|option csharp_namespace|import)\b[^\n]*\n?", re.MULTILINE)
_ITEM: Final = re.compile(r"<Protobuf\b[^>]*?/?>")
_STATEMENT: Final = re.compile(r"[ \t]*[^\n{}]*;[^\n]*\n")


def _word(editor: Editor) -> str | None:
    return editor.replace_word(editor.file(CONTRACTS))


def _block(editor: Editor) -> tuple[str, re.Match[str]] | None:
    path = editor.file(CONTRACTS)
    found = list(_BLOCK.finditer(editor.files[path]))
    return (path, editor.choose.choice(found)) if found else None


def _names(editor: Editor, path: str) -> list[str]:
    """What types of a file are called, and one of some other file."""
    other = editor.file(CONTRACTS)
    return [name for each in (path, other) for _, name in _BLOCK.findall(editor.files[each])] or ["Nothing"]


def _statement(editor: Editor) -> str | None:
    """A statement more, at the beginning of a block."""
    found = _block(editor)
    if found is None:
        return None
    path, block = found
    names = _names(editor, path)
    first, second, number = editor.choose.choice(names), editor.choose.choice(names), 1000 + editor.step
    said = {
        "message": [
            f"{first} {editor.some_name()} = {number};",
            f"repeated {first} r{number} = {number};",
            f"map<string, {first}> m{number} = {number};",
            f"optional int32 {editor.some_name()} = {number};",
            f"message {second}{number} {{ {first} a = 1; }}",
            f"oneof o{number} {{ {first} b{number} = {number}; }}",
        ],
        "service": [
            f"rpc {editor.some_name()} ({first}) returns ({second});",
            f"rpc R{number} (stream {first}) returns (stream {second}) {{ }}",
        ],
        "enum": [f"V{number} = {number};", f"{editor.some_name()} = -1;"],
        "oneof": [f"{first} c{number} = {number};"],
    }
    statement = editor.choose.choice(said[block[1]])
    text = editor.files[path]
    editor.files[path] = f"{text[: block.end()]} {statement}{text[block.end() :]}"
    return f"{path}: {statement}"


def _line(editor: Editor) -> str | None:
    """A statement less."""
    path = editor.file(CONTRACTS)
    found = list(_STATEMENT.finditer(editor.files[path]))
    if not found:
        return None
    line = editor.choose.choice(found)
    editor.files[path] = editor.files[path][: line.start()] + editor.files[path][line.end() :]
    return f"{path}: without {line[0].strip()}"


def _head(editor: Editor) -> str | None:
    """Another package or namespace."""
    path = editor.file(CONTRACTS)
    text = editor.files[path]
    found = list(_SAID.finditer(text))
    namespaces = editor.namespaces() or ["Other"]
    said = editor.choose.choice(
        [
            "",
            f"package p{editor.choose.randrange(3)};\n",
            f'option csharp_namespace = "{editor.choose.choice(namespaces)}";\n',
        ]
    )
    start, end = editor.choose.choice(found).span() if found else (0, 0)
    editor.files[path] = text[:start] + said + text[end:]
    return f"{path}: {text[start:end].strip()} -> {said.strip()}"


def _broken(editor: Editor) -> str | None:
    path = editor.file(CONTRACTS)
    text = editor.files[path]
    at = editor.choose.randrange(len(text) + 1)
    editor.files[path] = text[:at] + editor.choose.choice(["{", "}", ";", '"', "/*", "rpc"]) + text[at:]
    return f"{path}: broken at {at}"


def _service(editor: Editor) -> str | None:
    """A class that answers."""
    found = _block(editor)
    if found is None or found[1][1] != "service":
        return None
    path, service = found
    name = service[2]
    other = editor.choose.choice(sorted(each for each in editor.files if each.endswith(".cs")))
    file = f"{other.rpartition('/')[0]}/Answers{editor.step}.cs".lstrip("/")
    method = editor.choose.choice(re.findall(r"\brpc\s+(\w+)", editor.files[path]) or ["Nothing"])
    editor.files[file] = (
        f"class Answers{editor.step} : {name}.{name}Base {{ public override System.Threading.Tasks.Task<int> "
        f"{method}({editor.some_name()} request, ServerCallContext context) => null; }}\n"
    )
    return f"{file}: {name}.{method}"


def _item(editor: Editor) -> str | None:
    """A project names other files."""
    projects = [path for path in editor.files if path.endswith(".csproj")]
    if not projects:
        return None
    path = editor.choose.choice(sorted(projects))
    text = editor.files[path]
    found = list(_ITEM.finditer(text))
    if found:
        item = editor.choose.choice(found)
        new = editor.choose.choice(["", item[0].replace("<Protobuf", '<Protobuf CompileOutputs="false"', 1)])
        if not item[0].endswith("/>") and not new:
            return None
        editor.files[path] = text[: item.start()] + new + text[item.end() :]
        return f"{path}: {item[0]} -> {new}"
    at = text.rfind("</Project>")
    if at < 0:
        return None
    new = '<ItemGroup><Protobuf Include="**/*.proto" /></ItemGroup>'
    editor.files[path] = f"{text[:at]}{new}{text[at:]}"
    return f"{path}: {new}"


def _delete(editor: Editor) -> str | None:
    return editor.delete(CONTRACTS)


def _restore(editor: Editor) -> str | None:
    return editor.restore(lambda path: path.endswith(CONTRACTS))


CONTRACT_EDITS: Final[dict[str, Edit]] = {
    "word of a contract": _word,
    "statement of a contract": _statement,
    "statement of a contract removed": _line,
    "package or namespace of a contract": _head,
    "contract broken": _broken,
    "service": _service,
    "contracts of a project": _item,
    "contract deleted": _delete,
    "contract restored": _restore,
}
