"""Running git so that nothing of the repository can run anything else.

A repository's own configuration may name commands (fsmonitor, clean filters, hooks, ssh, textconv). Every call made
here overrides those through the environment, which git ranks above the repository's files; allows no transport, so a
partial clone cannot fetch on its own; takes no optional locks and never prompts. Variables that would point git at
another repository (``GIT_DIR`` and the like, set while a hook runs) are not handed on; the user's own global and system
configuration is, for ``safe.directory`` lives there. A program called git that lies in the working folder is not run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, cast

from codemap_core.errors import CodeMapError, InvalidArgumentError, NotFoundError

if sys.platform == "linux":
    import fcntl

if os.name == "nt":  # Windows looks for programs in the working folder first, which may be the repository
    os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")

GIT: Final = "git"
"""The program, as PATH leads to it."""
_KEPT_VARIABLES: Final = frozenset(
    {
        "GIT_EXEC_PATH",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    }
)
_OVERRIDES: Final = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.sshCommand", "false"),
    ("core.quotePath", "false"),
    ("core.commitGraph", "true"),
    ("submodule.recurse", "false"),
    ("protocol.allow", "never"),
)
_REQUESTS_IN_FLIGHT: Final = 64
"""How many requests are sent ahead of their answers. Small enough that writing them never fills the pipe, so nobody can
deadlock."""

_WIDE: Final = 1 << 20
"""Bytes that a pipe may hold; as many as the system allows everybody."""

_NO_GIT: Final = "git is not installed, or not on PATH. Install git 2.31 or newer and try again."


class GitCommandError(CodeMapError):
    """git refused or failed; the message is git's own, with what to do next where that is known."""


class GitMissingError(CodeMapError):
    """There is no git executable."""


def git_environment(overrides: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """The environment every git process gets. ``overrides``: further configuration, in git's ``section.key`` form."""
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith("GIT_") or k in _KEPT_VARIABLES or k.startswith("GIT_CONFIG_")
    }
    count = _config_count(environment)
    for key, value in (*_OVERRIDES, *overrides):
        environment[f"GIT_CONFIG_KEY_{count}"] = key
        environment[f"GIT_CONFIG_VALUE_{count}"] = value
        count += 1
    environment.update(
        GIT_CONFIG_COUNT=str(count),
        GIT_ALLOW_PROTOCOL="none",
        GIT_NO_LAZY_FETCH="1",
        GIT_OPTIONAL_LOCKS="0",
        GIT_TERMINAL_PROMPT="0",
        GIT_ASKPASS="",
        GIT_PAGER="cat",
        LC_ALL="C",
        LANGUAGE="C",
    )
    return environment


def _config_count(environment: Mapping[str, str]) -> int:
    text = environment.get("GIT_CONFIG_COUNT", "")
    return int(text) if text.isdecimal() else 0


def run_git(
    folder: Path,
    *arguments: str,
    overrides: Iterable[tuple[str, str]] = (),
    accept: frozenset[int] = frozenset({0}),
    given: bytes = b"",
) -> tuple[int, bytes]:
    """Runs git in ``folder`` and gives (exit code, standard output). ``given``: its standard input.

    Raises: GitMissingError; InvalidArgumentError (ownership git does not trust, an unreadable folder); GitCommandError
    (any exit code not in ``accept``)."""
    with _explained(folder):
        done = subprocess.run(
            [GIT, "--no-pager", "--no-replace-objects", *arguments],
            cwd=folder,
            env=git_environment(overrides),
            input=given,
            capture_output=True,
            check=False,
        )
    if done.returncode not in accept:
        raise _failure(folder, arguments, done.returncode, done.stderr)
    return done.returncode, done.stdout


class StartedGit:
    """git at work in ``folder``, whose answer is taken later; it gets no input. ``finish`` or ``end`` it. Raises: as ``run_git``."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._folder: Final = folder
        self._arguments: Final = arguments
        with _explained(folder):
            self._process: Final = subprocess.Popen(
                [GIT, "--no-pager", "--no-replace-objects", *arguments],
                cwd=folder,
                env=git_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        self._owner: Final = os.getpid()
        if sys.platform == "linux" and self._process.stdout is not None:
            with suppress(OSError):  # git would wait, once the pipe is full, until somebody reads
                fcntl.fcntl(self._process.stdout, fcntl.F_SETPIPE_SZ, _WIDE)

    def finish(self) -> bytes:
        """What it wrote. Raises: as ``run_git``."""
        out, said = self._process.communicate()
        if self._process.returncode:
            raise _failure(self._folder, self._arguments, self._process.returncode, said)
        return out

    def end(self) -> None:
        """Whether it is done or not."""
        if self._owner == os.getpid() and self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Raises what it means that git could not be started."""
    try:
        yield
    except FileNotFoundError as error:
        if not folder.exists():
            raise NotFoundError(f"The folder {folder} does not exist. Check the path.") from error
        raise GitMissingError(_NO_GIT) from error
    except PermissionError as error:
        raise InvalidArgumentError(f"No permission to enter {folder}. Run as a user that may read it.") from error


def _failure(folder: Path, arguments: tuple[str, ...], code: int, said: bytes) -> CodeMapError:
    ended = f"signal {-code} ended it" if code < 0 else f"it ended with code {code}"
    message = said.decode("utf-8", "replace").strip() or ended
    if "dubious ownership" in message:
        return InvalidArgumentError(
            f"git does not trust {folder}: another user owns it. If you do, run: "
            f"git config --global --add safe.directory {folder}",
            path=str(folder),
        )
    return GitCommandError(f"git {arguments[0]} failed in {folder}: {message}", path=str(folder))


class ObjectReader:
    """Blobs by object id through one ``git cat-file --batch`` process. Not shared between threads; ``close`` ends the
    process."""

    def __init__(self, folder: Path) -> None:
        try:
            self._process = subprocess.Popen(
                [GIT, "--no-pager", "--no-replace-objects", "cat-file", "--batch"],
                cwd=folder,
                env=git_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except FileNotFoundError as error:
            raise GitMissingError(_NO_GIT) from error
        self._requests = cast(IO[bytes], self._process.stdin)
        self._answers = cast(IO[bytes], self._process.stdout)
        self.owner = os.getpid()
        """The process that may use and close this reader: a forked child shares the pipes and must not."""

    def read(self, object_id: str) -> bytes | None:
        """The bytes of a blob, or null when the repository does not hold it (shallow and partial clones)."""
        self._requests.write(object_id.encode("ascii") + b"\n")
        self._requests.flush()
        return self._answer()

    def read_many(self, object_ids: Iterable[str]) -> Iterator[bytes | None]:
        """As ``read``, in the order asked for. An abandoned iteration leaves answers in the pipe: close the reader
        then."""
        pending = 0
        ids = iter(object_ids)
        while True:
            batch = [object_id for _, object_id in zip(range(_REQUESTS_IN_FLIGHT - pending), ids, strict=False)]
            if batch:
                self._requests.write("".join(f"{object_id}\n" for object_id in batch).encode("ascii"))
                self._requests.flush()
                pending += len(batch)
            if not pending:
                return
            for _ in range(max(1, pending - _REQUESTS_IN_FLIGHT // 2)):
                pending -= 1
                yield self._answer()

    def _answer(self) -> bytes | None:
        header = self._answers.readline().split()
        if len(header) != 3:
            if header and header[-1] in (b"missing", b"ambiguous"):
                return None
            raise GitCommandError("git cat-file ended early: the object store may be damaged. Run: git fsck")
        size = int(header[2])
        content = self._answers.read(size + 1)
        if len(content) != size + 1:
            raise GitCommandError("git cat-file ended early: the object store may be damaged. Run: git fsck")
        return content[:-1]

    def close(self) -> None:
        if self.owner != os.getpid():
            return
        self._requests.close()
        self._answers.close()
        self._process.terminate()
        self._process.wait()
