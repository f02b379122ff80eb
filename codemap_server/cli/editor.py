"""Opens a place in the user's editor, by the form of command line that the editor understands."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from codemap_core.errors import InvalidArgumentError, NotFoundError

_Form = Callable[[str, int, int], list[str]]


def _plus_line(file: str, line: int, _: int) -> list[str]:
    return [f"+{line}", file]


def _goto(file: str, line: int, column: int) -> list[str]:
    return ["--goto", f"{file}:{line}:{column}"]


def _with_colons(file: str, line: int, column: int) -> list[str]:
    return [f"{file}:{line}:{column}"]


_FORMS: Final[Mapping[str, _Form]] = {
    **dict.fromkeys(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"), _goto),
    **dict.fromkeys(("subl", "sublime_text", "zed", "hx", "helix", "lapce", "mate"), _with_colons),
    **dict.fromkeys(("emacs", "emacsclient", "kak"), lambda file, line, column: [f"+{line}:{column}", file]),
    "nano": lambda file, line, column: [f"+{line},{column}", file],
    "micro": lambda file, line, column: [f"+{line}:{column}", file],
    **dict.fromkeys(("idea", "rider", "fleet"), lambda file, line, _: ["--line", str(line), file]),
}


def command_line(editor: str, file: str, line: int, column: int) -> list[str]:
    """The command that shows a place; ``+LINE FILE``, as vi has it, for editors that are not known."""
    words = shlex.split(editor)
    name = Path(words[0]).stem.lower()
    return [*words, *_FORMS.get(name, _plus_line)(file, line, max(1, column))]


def open_in_editor(root: Path, file_path: str, line: int, column: int = 1) -> None:
    """Waits for the editor. Raises: InvalidArgumentError when none is set or it cannot be started; NotFoundError when the file is not
    on disk."""
    editor = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    if not editor:
        raise InvalidArgumentError("No editor is set: set VISUAL or EDITOR, for example EDITOR=vim.")
    file = root / file_path
    if not file.is_file():
        raise NotFoundError(f"{file} is not on disk: it is in the indexed commit only.", path=str(file))
    try:
        done = subprocess.run(command_line(editor, str(file), line, column), check=False)
    except OSError as error:
        raise InvalidArgumentError(f"The editor {editor!r} cannot be started: {error.strerror}.") from error
    if done.returncode:
        raise InvalidArgumentError(f"The editor {editor!r} ended with exit code {done.returncode}.")
