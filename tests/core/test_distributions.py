"""What is installed, as it is read from folders: what ``importlib.metadata`` says, without loading it."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from codemap_core.distributions import InstalledEntry, installed_entries, installed_version


def distribution(site: Path, folder: str, name: str, version: str, entries: str = "") -> None:
    (site / folder).mkdir(parents=True)
    (site / folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nVersion: 9\n")
    if entries:
        (site / folder / "entry_points.txt").write_text(entries)


@pytest.mark.parametrize("group", ["console_scripts", "codemap", "pytest11", "no.such.group"])
def test_entry_points_are_those_of_the_library(group: str) -> None:
    theirs = {InstalledEntry.of(entry) for entry in importlib.metadata.entry_points(group=group)}
    assert set(installed_entries(group)) == theirs


def test_versions_are_those_of_the_library() -> None:
    for name in ("tree-sitter-c-sharp", "Tree_Sitter", "msgspec"):
        assert installed_version(name) == importlib.metadata.version(name)
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        installed_version("no-such-distribution")


def test_the_first_distribution_of_a_name_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = "# ours\n[other]\na = b\n\n[grp]\n one = json : dumps [fast]\ntwo=json.decoder\n"
    distribution(tmp_path / "first", "Some_Thing-1.0.dist-info", "Some.Thing", "1.0", entries)
    distribution(tmp_path / "second", "some_thing-2.0.dist-info", "some-thing", "2.0", "[grp]\nthree = json\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "gone"), str(tmp_path / "second")])
    found = installed_entries("grp")
    assert {(each.name, each.distribution, each.version) for each in found} == {
        ("one", "Some.Thing", "1.0"),
        ("two", "Some.Thing", "1.0"),
    }
    assert set(found) == {InstalledEntry.of(each) for each in importlib.metadata.entry_points(group="grp")}
    assert [each.load() for each in sorted(found, key=lambda each: each.name)] == [
        *(each.load() for each in sorted(importlib.metadata.entry_points(group="grp"), key=lambda each: each.name)),
    ]
    assert installed_version("some-thing") == "1.0"


def test_an_archive_on_the_path_is_read_by_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("packed-3.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\nVersion: 3.0\n")
        file.writestr("packed-3.0.dist-info/entry_points.txt", "[grp]\none = json\n")
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert installed_entries("grp") == [InstalledEntry("one", "json", "packed", "3.0")]
    assert installed_version("packed") == "3.0"


def test_plug_ins_are_loaded_without_the_library() -> None:
    code = (
        "import sys; from codemap_core.hooks.manager import load_plugins; load_plugins(blocked=()).fingerprints(); "
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
