"""What ``codemap plugins new`` writes: a typed distribution with one item of one extension point, and its test.

The files are in ``skeletons``, a folder for each form, and as they are written except for ``@name@``, as the distribution is called, and
``@word@``, as a module is. The names of items begin with that word, so that two new plug-ins do not claim the same one.
"""

from __future__ import annotations

import re
from enum import StrEnum
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from codemap_core.distributions import installed_entries
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.markers import ENTRY_POINT_GROUP

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LONGEST: Final = 25
"""Characters of a name, so that the tool of a skeleton, ``@word@.interfaces``, is not longer than a tool's name may be."""
_ENDING: Final = ".txt"


class Form(StrEnum):
    """What a new plug-in provides."""

    FACT = "fact"
    """Facts from code."""
    REFERENCE = "reference"
    """References that code does not spell."""
    SYMBOL = "symbol"
    """Symbols from files that are not code."""
    LANGUAGE = "language"
    TOOLS = "tools"


def write_skeleton(name: str, parent: Path, form: Form = Form.FACT) -> Path:
    """The new folder. Raises: InvalidArgumentError for a name that no distribution can have or that is taken, or a folder that exists."""
    name = name.removeprefix("codemap-")
    if not _NAME.fullmatch(name):
        raise InvalidArgumentError(
            f"{name!r} cannot name a plug-in: write lower-case letters, digits and hyphens, beginning with a letter."
        )
    if len(name) > _LONGEST:
        raise InvalidArgumentError(f"{name!r} cannot name a plug-in: it is longer than {_LONGEST} characters.")
    folder = parent / f"codemap-{name}"
    word = name.replace("-", "_")
    if any(each.name == word for each in installed_entries(ENTRY_POINT_GROUP)):
        raise InvalidArgumentError(f"A plug-in named {word} is installed already. Choose another name.")
    if find_spec(f"codemap_{word}") is not None:
        raise InvalidArgumentError(f"A package named codemap_{word} is installed already. Choose another name.")
    try:
        folder.mkdir()
        for path, text in _files(form, word).items():
            target = folder / path
            target.parent.mkdir(exist_ok=True)
            target.write_text(text.replace("@name@", name).replace("@word@", word), encoding="utf-8")
    except FileExistsError:
        raise InvalidArgumentError(f"The folder {folder} exists already. Choose another name.") from None
    except OSError as error:
        raise InvalidArgumentError(f"The folder {folder} cannot be written ({error.strerror}).") from error
    return folder


def _files(form: Form, word: str) -> dict[str, str]:
    """By path in the new folder."""
    skeletons = files("codemap_server.cli") / "skeletons"
    project = (skeletons / f"pyproject.toml{_ENDING}").read_text(encoding="utf-8")
    found = {"pyproject.toml": project, f"codemap_{word}/__init__.py": "", f"codemap_{word}/py.typed": ""}
    for each in (skeletons / form.value).iterdir():
        name = each.name.removesuffix(_ENDING)
        path = f"tests/test_{word}.py" if name == "test.py" else f"codemap_{word}/{name}"
        found[path] = each.read_text(encoding="utf-8")
    return found
