"""One git repository: where it is, who it is, and which commits it has. Files of a commit or of the working tree:
``commit_files``, ``edited_files``.

Invariants: every path given out is absolute and resolved; object ids are full, lower-case hex.
"""

from __future__ import annotations

import copy
import difflib
import hashlib
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

from codemap_core.errors import AmbiguousError, InvalidArgumentError, NotFoundError, OutsideRepositoryError
from codemap_core.repository.git_process import GitCommandError, run_git

DETACHED: Final = "HEAD"
"""``branch_name`` when no branch is checked out, as ``git rev-parse --abbrev-ref HEAD`` says it."""


_REMOTE: Final = re.compile(r"(?:https?|ssh|git|file):/|[\w.-]+@[\w.-]+:")
"""A repository's address as it is given to ``git clone``; of ``//`` a path keeps one slash."""
_ONE_SLASH: Final = re.compile(r":/(?!/)")


class Submodule(Struct, frozen=True):
    """A submodule of a commit. ``url`` as .gitmodules has it; null when only the tree knows it."""

    path: str
    commit: str
    url: str | None = None


class Repository:
    """A repository opened at a path in it. Cheap to keep: it holds no process and no file open."""

    def __init__(self, root: Path, git_dir: Path, common_dir: Path, *, is_bare: bool, subtree: str) -> None:
        self.root = root
        """Root of the work tree, or the git directory of a bare repository."""
        self.git_dir = git_dir
        self.common_dir = common_dir
        """The git directory that all worktrees of the clone share: objects, branches, configuration."""
        self.is_bare = is_bare
        self.subtree = subtree
        """The folder that was asked for, below the root; empty for all of it."""
        self.repo_id = _repo_id(root, common_dir)
        """First 16 hex digits of the normalised remote URL's digest; ``local-…`` of the clone's place when it has no
        remote."""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Repository:
        """Opens the repository that ``path``, a folder, lies in: a work tree or a folder of one, a linked worktree, a
        submodule, a bare repository.

        Raises: NotFoundError (no such folder); InvalidArgumentError (a file, the file system's root, no git repository,
        one that git does not trust); GitMissingError."""
        folder = Path(path).expanduser()
        try:
            folder = folder.resolve(strict=True)
        except FileNotFoundError as error:
            if _REMOTE.match(os.fspath(path)):
                address = _ONE_SLASH.sub("://", os.fspath(path), count=1)
                raise InvalidArgumentError(
                    f"{address} is the address of a remote repository, and CodeMap reads local ones: "
                    "git clone it, then name the folder of the clone.",
                    path=os.fspath(path),
                ) from error
            raise NotFoundError(f"The folder {folder} does not exist. Check the path.", path=str(folder)) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise InvalidArgumentError(f"The path {folder} cannot be used: {error}", path=str(folder)) from error
        if not folder.is_dir():
            raise InvalidArgumentError(f"{folder} is a file. Name the folder it lies in.", path=str(folder))
        if folder == Path(folder.anchor):
            raise InvalidArgumentError(
                "The root of the file system is not indexed. Name a repository, or a folder in one.", path=str(folder)
            )
        try:
            _, out = run_git(
                folder,
                "rev-parse",
                "--is-bare-repository",
                "--is-inside-work-tree",
                "--absolute-git-dir",
                "--git-common-dir",
            )
        except GitCommandError as error:
            if "not a git repository" in error.message:
                raise OutsideRepositoryError(
                    f"{folder} is not in a git repository. Name a folder inside one, "
                    "or create it: git init, git add, git commit.",
                    path=str(folder),
                ) from error
            raise
        bare, inside, git_dir_text, common_text = _lines(folder, out, 4)
        git_dir = Path(git_dir_text)
        common_dir = (folder / common_text).resolve()
        if bare == "true":
            return cls(git_dir, git_dir, common_dir, is_bare=True, subtree="")
        if inside != "true":
            if not folder.is_relative_to(git_dir):
                raise _elsewhere(folder, git_dir)
            if git_dir.name == ".git" and git_dir.parent.is_dir():
                return cls.open(git_dir.parent)
            raise InvalidArgumentError(
                f"{folder} lies inside a git directory. Name the work tree instead.", path=str(folder)
            )
        _, out = run_git(folder, "rev-parse", "--show-toplevel", "--show-prefix")
        top, prefix = _lines(folder, out, 2)
        if git_dir != Path(top, ".git") and not _leads_to(Path(top), git_dir):
            raise _elsewhere(folder, git_dir)
        return cls(Path(top), git_dir, common_dir, is_bare=False, subtree=prefix.rstrip("/"))

    def whole(self) -> Repository:
        """The same repository, opened at its root."""
        if not self.subtree:
            return self
        opened = copy.copy(self)
        opened.subtree = ""
        return opened

    @cached_property
    def object_hash(self) -> str:
        """The algorithm that names objects here, as ``hashlib`` calls it; a repository keeps the one it began with."""
        _, out = run_git(self.root, "rev-parse", "--show-object-format")
        return out.decode("ascii").strip()

    @property
    def branch_name(self) -> str:
        """The branch that is checked out, also before its first commit; ``HEAD`` when detached."""
        code, out = run_git(self.root, "symbolic-ref", "--quiet", "--short", "HEAD", accept=frozenset({0, 1}))
        return out.decode("utf-8", "replace").strip() if code == 0 else DETACHED

    def head_commit(self) -> str:
        """Raises: NotFoundError when the repository has no commit yet."""
        code, out = run_git(self.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", accept=frozenset({0, 1}))
        if code:
            raise NotFoundError(
                f"The repository {self.root} has no commit yet. Commit something, then index it.", path=str(self.root)
            )
        return out.decode("ascii").strip()

    def head_state(self) -> bytes | None:
        """A mark of HEAD from git's files alone, without a process: equal bytes mean the same commit.
        Null if it cannot be read this cheaply (reftables)."""
        if (self.common_dir / "reftable").exists():
            return None
        try:
            head = (self.git_dir / "HEAD").read_bytes()
            if not head.startswith(b"ref:"):
                return head
            reference = os.fsdecode(head[4:].strip())
            for folder in (self.git_dir, self.common_dir):
                if (folder / reference).is_file():
                    return head + (folder / reference).read_bytes()
            packed = (self.common_dir / "packed-refs").stat()
        except (OSError, ValueError):
            return None
        return head + f"{packed.st_ino} {packed.st_size} {packed.st_mtime_ns}".encode()

    def is_head(self, commit: str) -> bool:
        """Whether git's files alone say, without a process, that HEAD is at this full commit id."""
        return commit.encode() in (self.head_state() or b"").split()

    def resolve_commit(self, rev: str) -> str:
        """The full id of the commit that ``rev`` names: an id or its beginning, a branch, a tag, ``HEAD~1``. Empty:
        HEAD. ``A...B``: the best common ancestor of both, as ``git switch`` has it.

        Raises: NotFoundError, with names that are close; AmbiguousError for the beginning of several ids;
        InvalidArgumentError."""
        rev = rev.strip()
        if not rev or rev == "HEAD":
            return self.head_commit()
        if rev.startswith("-") or "\0" in rev or "\n" in rev:
            raise InvalidArgumentError(
                f"{rev!r} is not a revision. Give a commit id, a branch, a tag, or HEAD~1.", commit=rev
            )
        if "..." in rev:
            return self._common_ancestor(*rev.split("...", 1))
        code, out = run_git(
            self.root, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}", accept=frozenset({0, 1, 128})
        )
        if code == 0:
            return out.decode("ascii").strip()
        if re.fullmatch(r"[0-9a-fA-F]{4,63}", rev):
            candidates = self._commits_beginning(rev)
            if len(candidates) > 1:
                raise AmbiguousError(
                    f"{rev} is the beginning of {len(candidates)} commit ids. Give more digits.",
                    commit=rev,
                    candidates=candidates[:10],
                )
        self.head_commit()
        close = difflib.get_close_matches(rev, self.refs(), n=5, cutoff=0.5)
        hint = (
            f" Did you mean {', '.join(close)}?"
            if close
            else " See `git log --oneline`, `git branch -a` and `git tag` for what exists."
        )
        raise NotFoundError(f"There is no commit {rev!r} in {self.root}.{hint}", commit=rev, suggestions=close)

    def _common_ancestor(self, one: str, other: str) -> str:
        commits = self.resolve_commit(one), self.resolve_commit(other)
        code, out = run_git(self.root, "merge-base", *commits, accept=frozenset({0, 1}))
        if code:
            raise NotFoundError(
                f"{one or 'HEAD'} and {other or 'HEAD'} have no common ancestor in {self.root}. A shallow clone may lack it: "
                "git fetch --unshallow. Or name a commit.",
                commit=f"{one}...{other}",
            )
        return out.decode("ascii").strip()

    def _commits_beginning(self, start: str) -> list[str]:
        _, listed = run_git(self.root, "rev-parse", f"--disambiguate={start}", accept=frozenset({0, 128}))
        objects = listed.decode("ascii").split()[:1000]
        if len(objects) < 2:
            return []
        _, types = run_git(self.root, "cat-file", "--batch-check", given="\n".join(objects).encode("ascii"))
        rows = (row.split() for row in types.decode("ascii").splitlines())
        return [row[0] for row in rows if row[1] == "commit"]

    def ancestors(self, commit: str, limit: int) -> tuple[str, ...]:
        """A full commit id and the commits before it, the newest first, ``limit`` of them."""
        _, out = run_git(self.root, "rev-list", f"--max-count={limit}", commit)
        return tuple(out.decode("ascii").split())

    def refs(self) -> list[str]:
        """Short names of branches, remote branches and tags."""
        _, out = run_git(
            self.root, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"
        )
        return out.decode("utf-8", "replace").split("\n")[:-1]

    def is_clean(self) -> bool:
        """Nothing staged, changed or untracked (ignored files apart); a bare repository is clean."""
        return not self.changed_files()

    def changed_files(self) -> tuple[str, ...]:
        """Paths of files that are not as committed, staged or not, and of untracked ones (ignored files apart; a folder without a
        tracked file as ``folder/``), sorted; none of a bare repository. Clean filters are not run: a file that one would rewrite and
        whose timestamp changed counts as changed."""
        if self.is_bare:
            return ()
        status = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=dirty")
        others = ("ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory")
        from concurrent.futures import ThreadPoolExecutor  # no index needs it: it loads what logs, too

        with ThreadPoolExecutor(max_workers=1) as beside:  # the two take about as long
            untracked = beside.submit(run_git, self.root, *others)
            _, edited = run_git(self.root, *status, overrides=self.disabled_filters())
            _, unknown = untracked.result()
        paths = {row[3:] for row in edited.split(b"\0") if row} | {row for row in unknown.split(b"\0") if row}
        return tuple(sorted(map(os.fsdecode, paths)))

    def tracked_despite_ignore(self) -> tuple[str, ...]:
        """Paths of files that match a pattern of what git ignores and are tracked all the same, so that the pattern says nothing of them
        (gitignore(5)). None of a bare repository."""
        if self.is_bare:
            return ()
        _, out = run_git(self.root, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
        return tuple(os.fsdecode(row) for row in out.split(b"\0") if row)

    def folders(self) -> tuple[str, ...]:
        """Paths of the folders that HEAD has, the root as an empty one; submodules are among them."""
        _, out = run_git(self.root, "ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", "HEAD")
        return ("", *map(os.fsdecode, filter(None, out.split(b"\0"))))

    def disabled_filters(self) -> tuple[tuple[str, str], ...]:
        """Configuration that turns every filter of the repository's configuration into a no-op."""
        pattern = r"^filter\..*\.(clean|smudge|process|required)$"
        _, out = run_git(self.root, "config", "-z", "--name-only", "--get-regexp", pattern, accept=frozenset({0, 1}))
        names = sorted({key.rpartition(".")[0] for key in os.fsdecode(out).split("\0") if key})
        disabled = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        return tuple((f"{name}.{key}", value) for name in names for key, value in disabled)

    def submodules(self, commit: str) -> tuple[Submodule, ...]:
        """The submodules a commit has, by path. Their content belongs to their own repository and is not part of the
        commit's files."""
        _, out = run_git(self.root, "ls-tree", "-r", "-z", "--full-tree", commit)
        entries = [entry.split(b"\t", 1) for entry in out.split(b"\0") if entry.startswith(b"160000 ")]
        if not entries:
            return ()
        urls = self._submodule_urls(commit)
        found = []
        for header, raw_path in entries:
            path = raw_path.decode("utf-8", "replace")
            found.append(Submodule(path, header.split()[2].decode("ascii"), urls.get(path)))
        return tuple(found)

    def _submodule_urls(self, commit: str) -> dict[str, str]:
        blob = f"--blob={commit}:.gitmodules"
        try:
            _, out = run_git(
                self.root,
                "config",
                blob,
                "-z",
                "--get-regexp",
                r"^submodule\..*\.(path|url)$",
                accept=frozenset({0, 1}),
            )
        except GitCommandError:
            return {}  # no .gitmodules, or a broken one
        values: dict[str, dict[str, str]] = {}
        for row in out.decode("utf-8", "replace").split("\0"):
            key, _, value = row.partition("\n")
            name, _, field = key.rpartition(".")
            values.setdefault(name, {})[field] = value
        return {both["path"]: both["url"] for both in values.values() if "path" in both and "url" in both}


def _lines(folder: Path, out: bytes, count: int) -> list[str]:
    """The lines that git has printed. Raises: InvalidArgumentError where a path has line breaks, so that they are more."""
    lines = os.fsdecode(out).removesuffix("\n").split("\n")
    if len(lines) != count:
        raise InvalidArgumentError(f"The path {folder} has a line break in it. Rename the folder.", path=str(folder))
    return lines


def _leads_to(top: Path, git_dir: Path) -> bool:
    """Whether git, asked at ``top``, finds ``git_dir``: so of a linked worktree and a submodule, whose ``.git`` is a file."""
    code, out = run_git(top, "rev-parse", "--absolute-git-dir", accept=frozenset({0, 128}))
    return code == 0 and Path(os.fsdecode(out).removesuffix("\n")) == git_dir


def _elsewhere(folder: Path, git_dir: Path) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"The configuration of {git_dir} (core.worktree) puts its work tree where no .git leads back to it, so that files of another "
        f"folder would be shown as the repository's. Take the setting out, or name the work tree. Folder: {folder}",
        path=str(folder),
    )


def _repo_id(root: Path, common_dir: Path) -> str:
    url = _remote_url(root)
    if url:
        return hashlib.sha256(normalised_url(url).encode()).hexdigest()[:16]
    home = common_dir.parent if common_dir.name == ".git" else common_dir
    return "local-" + hashlib.sha256(os.fsencode(str(home).lower())).hexdigest()[:16]


def normalised_url(url: str) -> str:
    """A remote's URL as the repository's identity has it: trimmed, lower-case, no trailing slash, no ``.git``."""
    return url.strip().lower().rstrip("/").removesuffix(".git").rstrip("/")


def _remote_url(root: Path) -> str | None:
    """URL of ``origin``, else of the first remote by name."""
    try:
        _, out = run_git(root, "config", "-z", "--get-regexp", r"^remote\..*\.url$", accept=frozenset({0, 1}))
    except GitCommandError:
        return None  # a configuration git itself could read a moment ago: identify the clone by its place
    rows = (row.partition("\n") for row in out.decode("utf-8", "replace").split("\0"))
    named = {key.removeprefix("remote.").removesuffix(".url"): url for key, _, url in rows if url}
    if "origin" in named:
        return named["origin"]
    return named[min(named)] if named else None
