"""What ``codemap plugins new`` writes, in every form. That it installs is held by tests/plugins/test_installed_plugin.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.plugin_skeleton import Form, write_skeleton


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of all forms side by side, and their tests."""
    parent = tmp_path_factory.mktemp("skeletons")
    for form in Form:
        folder = write_skeleton(f"my-{form}", parent, form)
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        assert project["project"]["name"] == folder.name == f"codemap-my-{form}"
        (value,) = project["project"]["entry-points"]["codemap"].values()
        assert (folder / f"{value.replace('.', '/')}.py").is_file()
        for part in folder.iterdir():
            if part.is_dir():
                shutil.copytree(part, parent / part.name, dirs_exist_ok=True)
    return parent


def run(folder: Path, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout[-4000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def test_the_tests_of_all_forms_pass(written: Path) -> None:
    assert f"{len(Form)} passed" in run(written, "pytest", "-q", "-p", "no:cacheprovider", "tests")


def test_all_forms_are_strictly_typed(written: Path) -> None:
    pytest.importorskip("mypy")
    packages = [f"codemap_my_{form}" for form in Form]
    run(written, "mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull, *packages, "tests")


@pytest.mark.parametrize("name", ["", "Gates", "a--b", "../gates", "1st"])
def test_a_name_that_no_distribution_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="cannot name a plug-in"):
        write_skeleton(name, tmp_path)


@pytest.mark.parametrize("name", ["csharp", "index-tools", "core", "plugins", "server"])
def test_a_name_that_is_taken_is_refused(name: str, tmp_path: Path) -> None:
    """Of two plug-ins of one name only one is loaded, and of two packages only one is found."""
    with pytest.raises(InvalidArgumentError, match="is installed already"):
        write_skeleton(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_tool_of_the_longest_name_can_be_registered(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="longer than 25 characters"):
        write_skeleton("a" * 26, tmp_path, Form.TOOLS)
    folder = write_skeleton("a" * 25, tmp_path, Form.TOOLS)
    assert "1 passed" in run(folder, "pytest", "-q", "-p", "no:cacheprovider", "tests")


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    write_skeleton("gates", tmp_path)
    with pytest.raises(InvalidArgumentError, match="exists already"):
        write_skeleton("codemap-gates", tmp_path, Form.TOOLS)
