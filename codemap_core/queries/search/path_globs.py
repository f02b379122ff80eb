"""Globs of paths, as ``.gitignore`` has them, as regular expressions that any process can match."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec import GitIgnoreSpec

from codemap_core.errors import InvalidArgumentError

_CHOICE = re.compile(r"\{([^{}]*,[^{}]*)\}")


def path_expressions(globs: Iterable[str]) -> list[str]:
    """One expression for each glob, for ``re.match`` against a path with ``/``. A glob without ``/`` matches at any depth; one that matches
    a folder matches all that is in it; ``{a,b}`` stands for either. Raises: InvalidArgumentError for what is not a glob."""
    written = [text.strip().replace("\\", "/").removeprefix("./") for text in globs]
    expanded = [each for text in written if text for each in _expanded(text)]
    for text in expanded:
        if text.startswith(("!", "#")):
            raise InvalidArgumentError(f"{text!r} is not a glob: name what to leave out in exclude.", glob=text)
    try:
        patterns = GitIgnoreSpec.from_lines(expanded).patterns
    except ValueError as error:
        raise InvalidArgumentError(f"A glob cannot be understood: {error}", globs=expanded) from error
    return [each.regex.pattern for each in patterns if each.regex is not None]


def _expanded(glob: str) -> list[str]:
    choice = _CHOICE.search(glob)
    if choice is None:
        return [glob]
    head, tail = glob[: choice.start()], glob[choice.end() :]
    return [each for part in choice[1].split(",") for each in _expanded(f"{head}{part}{tail}")]
