"""Runs of ``codemap`` as processes of their own that need not import it: a process that has imported everything once forks for each run.

A run has the arguments, folder, environment and streams of one that a user starts, and ends with an exit code or a signal. What the
interpreter itself reads from the environment when it starts (``PYTHON…``, the locale) it has from the process that forks, so that runs for
which that matters are started anew (``is_like``).
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_OWN: Final = ("PYTHON", "LC_", "LANG", "COVERAGE", "LD_")
_LENGTH: Final = 4
_STREAMS: Final = ("r", "w", "w")


class Preforked:
    """One for a test session; ``close`` ends it. POSIX only."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._environment: Final = dict(os.environ)
        self._wire: Final = ours
        self._lock: Final = threading.Lock()
        self._process: Final = subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"import runpy; runpy.run_path({__file__!r}, run_name='__main__')",
                str(theirs.fileno()),
            ],
            pass_fds=(theirs.fileno(),),
        )
        theirs.close()

    def close(self) -> None:
        self._wire.close()
        self._process.wait()

    def is_like(self, environment: Mapping[str, str]) -> bool:
        """Whether a run in ``environment`` may come from here."""
        names = {name for name in (*environment, *self._environment) if name.startswith(_OWN)}
        return all(environment.get(name) == self._environment.get(name) for name in names)

    def run(
        self, arguments: Sequence[str], cwd: Path | None, environment: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """As ``subprocess.run`` with captured text. Raises: TimeoutExpired."""
        request = json.dumps([list(arguments), str(cwd or Path.cwd()), dict(environment)]).encode()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as nothing:
            with self._lock:
                socket.send_fds(
                    self._wire,
                    [len(request).to_bytes(_LENGTH, "big")],
                    [nothing.fileno(), out.fileno(), err.fileno()],
                )
                self._wire.sendall(request)
                self._wire.settimeout(timeout)
                try:
                    answer = _received(self._wire, _LENGTH)
                except TimeoutError:
                    self._process.kill()
                    raise subprocess.TimeoutExpired(list(arguments), timeout) from None
            texts = []
            for each in (out, err):
                each.seek(0)
                texts.append(each.read().decode("utf-8").replace("\r\n", "\n"))
        return subprocess.CompletedProcess(list(arguments), int.from_bytes(answer, "big", signed=True), *texts)


def _received(wire: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = wire.recv(size - len(data))
        if not part:
            raise ConnectionError("the process that forks has ended")
        data += part
    return data


def _serve(wire: socket.socket) -> None:
    """Until the other end is closed."""
    import codemap_core
    import codemap_plugins
    import codemap_server

    for package in (codemap_core, codemap_plugins, codemap_server):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(("codemap_core.testing", "codemap_core._migrations")):
                importlib.import_module(module.name)
    for library in ("sqlalchemy.dialects.sqlite", "alembic", "rapidfuzz", "rich.table", "rich.tree"):
        importlib.import_module(library)
    while True:
        header, streams, _, _ = socket.recv_fds(wire, _LENGTH, len(_STREAMS))
        if not header:
            return
        arguments, folder, environment = json.loads(_received(wire, int.from_bytes(header, "big")))
        child = os.fork()
        if child == 0:
            wire.close()
            _be(arguments, folder, environment, streams)
        for each in streams:
            os.close(each)
        _, status = os.waitpid(child, 0)
        wire.sendall(os.waitstatus_to_exitcode(status).to_bytes(_LENGTH, "big", signed=True))


def _be(arguments: list[str], folder: str, environment: dict[str, str], streams: Sequence[int]) -> None:
    """Is the program, and ends as one."""
    code = 1
    try:
        for number, each in enumerate(streams):
            os.dup2(each, number)
            os.close(each)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", errors="backslashreplace" if number == 2 else "strict")
            for number, mode in enumerate(_STREAMS)
        )
        os.environ.clear()
        os.environ.update(environment)
        if "TZ" in environment:
            time.tzset()
        os.chdir(folder)
        sys.argv = ["-c", *arguments]
        from codemap_server.cli import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            for thread in threading.enumerate():
                if thread is not threading.main_thread() and not thread.daemon:
                    thread.join()
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _serve(socket.socket(fileno=int(sys.argv[1])))
