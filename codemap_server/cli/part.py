"""The part of a repository that a command's PATH and ``--solution`` mean: a folder, a solution, or all of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codemap_core.errors import InvalidArgumentError

if TYPE_CHECKING:
    from codemap_core.repository import Repository


def open_part(command: str, path: Path, solution: str) -> tuple[Repository, str]:
    """The repository that ``path`` lies in, opened at it, and the solution's path relative to the git root, empty for all projects. A
    solution as ``path`` means itself. ``command``: as typed after ``codemap``, for messages. Raises: InvalidArgumentError, and what opening
    a repository raises."""
    from codemap_core.repository import Repository

    if path.is_file() or (not path.exists() and _is_a_solution(path)):
        path, solution = _of_a_file(command, path, solution)
    repository = Repository.open(path)
    return repository, _within_repository(repository, path, solution)


def _is_a_solution(path: Path) -> bool:
    """By its name: of one that is not there, what reads the commit says so, and which there are."""
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline.discover import solution_suffixes

    return path.suffix.lower() in solution_suffixes(load_plugins())


def _of_a_file(command: str, path: Path, solution: str) -> tuple[Path, str]:
    from codemap_core.repository import Repository

    if _is_a_solution(path) and not solution:
        root = Repository.open(path.parent).root
        return root, path.resolve().relative_to(root).as_posix()
    raise InvalidArgumentError(
        f"{path} is a file. Name the folder it lies in (codemap {command} {path.parent}), "
        "or choose a solution with --solution FILE.",
        path=str(path),
    )


def _within_repository(repository: Repository, path: Path, solution: str) -> str:
    """A solution's path relative to the git root; given so, relative to PATH or to the current folder."""
    if not solution or repository.is_bare:
        return solution.replace("\\", "/")
    for base in (path, Path()):
        candidate = (base / solution).resolve()
        if candidate.is_file() and candidate.is_relative_to(repository.root):
            return candidate.relative_to(repository.root).as_posix()
    return solution.replace("\\", "/")
