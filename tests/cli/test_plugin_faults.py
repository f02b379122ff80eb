"""What the shell says of plug-ins that print and fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

PRINTING = """
import os
print("printed while it was imported")
os.write(1, b"written while it was imported\\n")
from codemap_core.hooks import hookimpl
from codemap_core.hooks.contracts import AnalysedDocument, FrontEnd
from codemap_core.hooks.interests import Interests
from codemap_core.model import DocumentStatus, FactRow, ProjectGraph


def loud():
    print("printed")
    os.write(1, b"written\\n")


class Loud(FrontEnd):
    name = "loud"
    dialects = {".loud": "loud"}
    kinds = ("loud",)
    language = ""
    interests = Interests(files=("*.loud",))

    def analyse(self, content, settings):
        loud()
        return AnalysedDocument(unit=b"x", text=content.decode(), line_count=1, status=DocumentStatus.CLEAN)

    def declare(self, universe):
        loud()

    def load(self, files, solution):
        loud()
        return ProjectGraph()

    def extract(self, seen):
        loud()
        raise ValueError("and broken")


@hookimpl
def codemap_register_languages(registry):
    loud()
    registry.add(Loud())


@hookimpl
def codemap_register_project_loaders(registry):
    registry.add(Loud())


@hookimpl
def codemap_register_fact_extractors(registry):
    registry.add(Loud())
"""


def test_what_plugins_print_is_not_in_the_output(codemap: Shell, tmp_path: Path) -> None:
    """And what failed is named, with the plug-in it is of, when it is indexed and when it is asked again."""
    distribution = tmp_path / "site" / "codemap_loud-2.0.0.dist-info"
    distribution.mkdir(parents=True)
    (distribution.parent / "loud_plugin.py").write_text(PRINTING, encoding="utf-8")
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: codemap-loud\nVersion: 2.0.0\n")
    (distribution / "entry_points.txt").write_text("[codemap]\nloud = loud_plugin\n")
    clone = Clone(tmp_path / "repository")
    clone.commit({"a.loud": "x\n", "b.cs": "class B { }\n"})
    path = os.pathsep.join([str(distribution.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    built = codemap("index", clone.root, "--json", PYTHONPATH=path)
    (failure,) = json.loads(built.stdout)["failures"]
    assert failure == {
        "extractor": "loud",
        "plugin": "codemap-loud 2.0.0",
        "file_path": "a.loud",
        "message": "ValueError: and broken",
    }
    again = codemap("index", clone.root, PYTHONPATH=path)
    assert "a.loud: loud (codemap-loud 2.0.0): ValueError: and broken." in again.stderr
    assert "codemap index --retry tries again" in again.stderr
    rebuilt = codemap("index", clone.root, "--rebuild", PYTHONPATH=path)
    assert "warning: loud (codemap-loud 2.0.0) failed for a.loud: ValueError: and broken." in rebuilt.stderr
    retried = codemap("index", clone.root, "--retry", PYTHONPATH=path)
    assert "warning: loud (codemap-loud 2.0.0) failed for a.loud: ValueError: and broken." in retried.stderr
    assert "1 bound again" in retried.stdout
    status = codemap("status", "--repo", clone.root, PYTHONPATH=path)
    assert "codemap index --retry tries again" in status.stdout
    assert "loud (codemap-loud 2.0.0): ValueError: and broken" in " ".join(status.stdout.split())
    for each in (built, again, rebuilt, status):
        assert "printed" not in each.stdout
        assert "written" not in each.stdout
    assert "printed" in built.stderr
    assert "written" in built.stderr


LEFT = """
import atexit, threading, time
{left}
from codemap_server.cli import main
main()
"""


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ("threading.Thread(target=time.sleep, args=(600,), name='left').start()", "the thread left"),
        ("atexit.register(time.sleep, 600)", "a function for its end"),
    ],
)
def test_what_plugins_leave_behind_does_not_keep_a_command(left: str, said: str) -> None:
    program = [sys.executable, "-c", LEFT.format(left=left), "--version"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0
    assert done.stdout.startswith("codemap ")
    assert done.stderr == f"warning: A plug-in kept this command from ending: {said}.\n"
