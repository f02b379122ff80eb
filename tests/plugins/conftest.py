"""CodeMap's wheel in a fresh environment, as a user has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from codemap_core.hooks.manager import BLOCK_VARIABLE
from codemap_core.testing.plugin_host import built_in_extractors
from tests.clone import GIT_ENVIRONMENT

ROOT: Final = Path(__file__).parents[2]


class Installation:
    """The console script of a fresh environment, with a data directory of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self.python: Final = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CODEMAP_", "PYTHON"))}
        self.environment: dict[str, str] = {
            **kept,
            **GIT_ENVIRONMENT,
            "CODEMAP_HOME": str(folder / "home"),
            BLOCK_VARIABLE: ",".join(built_in_extractors()),  # the rows are those of the plug-in
        }

    def with_environment(self, environment: Mapping[str, str]) -> Installation:
        """The same program with other variables."""
        other = Installation(self._folder)
        other.environment |= environment
        return other

    def complete(self, *command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*map(str, command)],
            cwd=cwd or self._folder,
            env=self.environment | {"CODEMAP_PURE": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done

    def run(self, *command: str | Path, cwd: Path | None = None) -> str:
        return self.complete(*command, cwd=cwd).stdout

    def install(self, project: Path) -> None:
        """Builds a wheel of a project with what this environment has, and installs it without its dependencies, whether or not the
        environment that the dependencies come from has it too."""
        wheels = self._folder / f"wheels-{project.name}"
        self.run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels, cwd=project)
        (wheel,) = wheels.glob("*.whl")
        self.run(self.python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--ignore-installed", wheel)

    def codemap(self, *arguments: str | Path) -> str:
        return self.run(self.python.with_name("codemap"), *arguments)

    def dump(self, kind: str, repository: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.codemap("dump", kind, repository).splitlines()]


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "environment", with_pip=True)
    made = Installation(folder)
    # What CodeMap depends on comes from this environment; CodeMap itself comes first from the fresh one.
    packages = made.run(made.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(packages) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    made.install(ROOT)
    return made
