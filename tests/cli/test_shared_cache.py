"""Indexes shared between machines: each machine is a data directory of its own, the cache a folder or what fsspec reaches by a URL."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

KINDS: Final = ("symbols", "refs", "relations", "facts", "files", "projects")
FILES: Final = {
    "src/A.cs": "public class A { public int One() => 1; }\n",
    "src/B.cs": "public class B { int Two(A a) => a.One(); }\n",
    "src/C.cs": "public class C { }\n",
    "src/P.csproj": '<Project Sdk="Microsoft.NET.Sdk" />\n',
}


class Team:
    """Machines that share a cache and look at one clone."""

    def __init__(self, folder: Path, location: str) -> None:
        self._folder: Final = folder
        self.location: Final = location

    def machine(self, name: str, **environment: str) -> Shell:
        user = self._folder / f"user-{name}"
        user.mkdir(exist_ok=True)
        shell = Shell(self._folder / name, user)
        shell.environment |= {"CODEMAP_MACHINE_LIBRARIES": "0", "CODEMAP_CACHE_DIR": self.location, **environment}
        return shell


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return tmp_path / "shared"


@pytest.fixture(params=["{}", "local://{}"], ids=["folder", "fsspec"])
def team(tmp_path: Path, shared: Path, request: pytest.FixtureRequest) -> Team:
    shared.mkdir()
    return Team(tmp_path, str(request.param).format(shared))


@pytest.fixture
def in_a_folder(tmp_path: Path, shared: Path) -> Team:
    return Team(tmp_path, str(shared))


@pytest.fixture
def commit(clone: Clone) -> str:
    return clone.commit(FILES)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Clone, Path, Shell]:
    """A clone, a cache that has its index, and the machine that built it."""
    folder = tmp_path_factory.mktemp("original")
    clone = Clone(folder / "repository")
    clone.commit(FILES)
    builder = Team(folder, f"file://{folder / 'shared'}").machine("builder")
    builder.index(clone.root)
    return clone, folder / "shared", builder


@pytest.fixture
def copied(original: tuple[Clone, Path, Shell], shared: Path) -> Clone:
    """The clone of ``original``; its cache is copied to ``shared``."""
    shutil.copytree(original[1], shared)
    return original[0]


def stored(shared: Path, ending: str) -> list[Path]:
    return sorted(shared.rglob(f"*{ending}"))


def listed(shell: Shell, clone: Clone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(shell("cache", "list", clone.root, "--json").stdout)["indexes"]
    return found


def test_what_one_machine_built_another_takes(team: Team, clone: Clone, commit: str) -> None:
    one, other = team.machine("one"), team.machine("other")
    built = one.index(clone.root)
    assert not built["already_existed"]
    assert not built.get("from_cache")
    taken = other.index(clone.root)
    assert taken["already_existed"]
    assert taken["from_cache"]
    assert "stats" not in taken
    assert all(one.dump(kind, clone.root) == other.dump(kind, clone.root) for kind in KINDS)
    again = other.index(clone.root)
    assert again["already_existed"]
    assert not again.get("from_cache")
    assert "Taken from the shared cache" in team.machine("third")("index", clone.root).stdout


def test_the_next_commit_goes_on_from_a_shared_one(team: Team, clone: Clone, commit: str) -> None:
    one, other, alone = team.machine("one"), team.machine("other"), team.machine("alone", CODEMAP_CACHE_DIR="")
    one.index(clone.root)
    clone.commit({"README.md": "x"})
    clone.commit({"src/C.cs": "public class C { public int Three; }\n"})
    stats = other.index(clone.root)["stats"]
    assert (stats["analysed_files"], stats["bound_files"]) == (1, 1)
    alone.index(clone.root)
    assert all(other.dump(kind, clone.root) == alone.dump(kind, clone.root) for kind in KINDS)


def test_parts_of_a_commit_are_shared_apart(in_a_folder: Team, clone: Clone, commit: str) -> None:
    one, other = in_a_folder.machine("one"), in_a_folder.machine("other")
    one.index(clone.root / "src")
    assert not other.index(clone.root).get("from_cache")
    third = in_a_folder.machine("third")
    assert third.index(clone.root / "src")["from_cache"]
    assert third.ids(clone.root / "src") == one.ids(clone.root / "src")
    assert sorted(each["subtree"] for each in listed(third, clone)) == ["", "src"]


def test_a_solution_and_a_folder_are_shared_and_taken_by_hand(in_a_folder: Team, clone: Clone) -> None:
    solution = '<Solution><Project Path="src/P.csproj" /></Solution>'
    clone.commit(FILES | {"P.slnx": solution, "other/D.cs": "class D { }", "other/O.csproj": FILES["src/P.csproj"]})
    one = in_a_folder.machine("one", CODEMAP_CACHE_READ_ONLY="1")
    one("index", "--solution", "P.slnx", cwd=clone.root)
    one("index", "src", cwd=clone.root)
    sharing, other = in_a_folder.machine("one"), in_a_folder.machine("other")
    assert "no index that could be shared" in sharing("cache", "push", cwd=clone.root, fails=2).stderr
    missing = sharing("cache", "push", "other", "--solution", "P.slnx", cwd=clone.root, fails=2).stderr
    assert "codemap index other --solution P.slnx" in missing
    assert "P.slnx" in other("cache", "pull", "--solution", "P.slnx", cwd=clone.root, fails=1).stderr
    assert "Shared: " in sharing("cache", "push", "--solution", "P.slnx", cwd=clone.root).stdout
    assert "Shared: " in sharing("cache", "push", "src", cwd=clone.root).stdout
    assert {each["solution"] or each["subtree"] for each in listed(other, clone)} == {"P.slnx", "src"}
    assert "Taken" in other("cache", "pull", "P.slnx", cwd=clone.root).stdout
    assert "Taken" in other("cache", "pull", "src", cwd=clone.root).stdout
    assert other.index(clone.root / "src")["already_existed"]


def test_what_this_machine_would_build_otherwise_stays(
    in_a_folder: Team, clone: Clone, commit: str, tmp_path: Path
) -> None:
    in_a_folder.machine("one").index(clone.root)
    (tmp_path / "references").mkdir()
    other = in_a_folder.machine("other", CODEMAP_REFERENCES=str(tmp_path / "references"))
    (entry,) = listed(other, clone)
    assert not entry["usable"]
    assert "assemblies" in entry["problem"]
    assert "codemap cache list" in other("cache", "pull", clone.root, fails=1).stderr
    assert not other.index(clone.root).get("from_cache")
    assert sorted(each["usable"] for each in listed(other, clone)) == [False, True]


def damage_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_one_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def damage_all(path: Path) -> None:
    path.write_bytes(b"not a gzip file")


def bomb(path: Path) -> None:
    path.write_bytes(gzip.compress(bytes(1 << 26)))


@pytest.mark.parametrize("damage", [damage_half, damage_one_byte, damage_all, bomb, Path.unlink])
def test_what_is_damaged_is_not_taken(
    in_a_folder: Team, copied: Clone, shared: Path, damage: Callable[[Path], None]
) -> None:
    for path in stored(shared, ".gz"):
        damage(path)
    reader = in_a_folder.machine("reader", CODEMAP_CACHE_READ_ONLY="1")
    assert "is not used" in reader("cache", "pull", copied.root, fails=2).stderr
    assert len(stored(shared, ".json")) == 1


def test_what_is_damaged_is_built_and_replaced(
    in_a_folder: Team, copied: Clone, shared: Path, original: tuple[Clone, Path, Shell]
) -> None:
    for path in stored(shared, ".gz"):
        damage_one_byte(path)
    built = in_a_folder.machine("other")("index", copied.root)
    assert "warning: The shared index of commit" in built.stderr
    assert "Indexed commit" in built.stdout
    healed = in_a_folder.machine("third")
    assert healed.index(copied.root)["from_cache"]
    assert healed.dump("refs", copied.root) == original[2].dump("refs", copied.root)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff" * 100])
def test_an_entry_that_is_none_is_not_seen(in_a_folder: Team, copied: Clone, shared: Path, content: bytes) -> None:
    (entry,) = stored(shared, ".json")
    entry.write_bytes(content)
    other = in_a_folder.machine("other")
    assert listed(other, copied) == []
    assert "has no index of commit" in other("cache", "pull", copied.root, fails=1).stderr


def forge(shared: Path, change: Callable[[sqlite3.Connection], object], **fields: object) -> None:
    """Changes a shared index, and its entry so that every digest is right."""
    (entry_path,) = stored(shared, ".json")
    entry = json.loads(entry_path.read_bytes())
    file = entry_path.with_name(f"{entry['index']['sha256']}.gz")
    database = shared / "forged"
    database.write_bytes(gzip.decompress(file.read_bytes()))
    connection = sqlite3.connect(database)
    change(connection)
    connection.commit()
    connection.close()
    content = database.read_bytes()
    database.unlink()
    packed = gzip.compress(content)
    digest = hashlib.sha256(content).hexdigest()
    entry_path.with_name(f"{digest}.gz").write_bytes(packed)
    entry["index"] = {"sha256": digest, "size": len(content), "stored": len(packed)}
    entry_path.write_text(json.dumps({**entry, **fields}), encoding="utf-8")


FORGERIES: Final[dict[str, Callable[[sqlite3.Connection], object]]] = {
    "a view": lambda c: c.executescript(
        "ALTER TABLE facts RENAME TO f; CREATE VIEW facts AS SELECT *, load_extension('x') FROM f"
    ),
    "a trigger": lambda c: c.execute("CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM files; END"),
    "a computed column": lambda c: c.execute("ALTER TABLE files ADD COLUMN more GENERATED ALWAYS AS (abs(-1))"),
    "a table less": lambda c: c.execute("DROP TABLE facts"),
    "another commit": lambda c: c.execute("UPDATE info SET commit_sha = ?", ("0" * 40,)),
    "another repository": lambda c: c.execute("UPDATE info SET repo_id = 'local-0'"),
    "a file more": lambda c: c.execute("UPDATE files SET path = 'src/Other.cs' WHERE path = 'src/A.cs'"),
    "another content": lambda c: c.execute("UPDATE files SET blob_id = ? WHERE path = 'src/A.cs'", ("0" * 40,)),
    "never completed": lambda c: c.execute("UPDATE info SET state = 'incomplete'"),
    "another schema": lambda c: c.execute("UPDATE baseline_schema_version SET version_num = 'b9999'"),
    "information that cannot be read": lambda c: c.execute("UPDATE info SET project_diagnostics = 'no JSON'"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_right_digests_make_nothing_right(in_a_folder: Team, copied: Clone, shared: Path, name: str) -> None:
    forge(shared, FORGERIES[name])
    other = in_a_folder.machine("other")
    assert "is not used, as it is not what it says" in other("cache", "pull", copied.root, fails=2).stderr
    assert not list(other.home.rglob("*.db")), "what is not used is not kept"
    assert not stored(shared, ".json"), "nor offered any more"


def test_a_change_that_keeps_the_schema_shows_that_forging_works(
    in_a_folder: Team, copied: Clone, shared: Path
) -> None:
    forge(shared, lambda c: c.execute("UPDATE info SET created_at = '2020-01-01T00:00:00+00:00'"))
    assert "Taken from" in in_a_folder.machine("other")("cache", "pull", copied.root).stdout


@pytest.mark.parametrize("units", [b"x" * 36, b"k" * 32 + b"\0\0\0\4none"])
def test_analysed_files_that_cannot_be_read_are_analysed_again(
    in_a_folder: Team, clone: Clone, commit: str, shared: Path, units: bytes
) -> None:
    in_a_folder.machine("one").index(clone.root)
    (entry_path,) = stored(shared, ".json")
    entry = json.loads(entry_path.read_bytes())
    digest = hashlib.sha256(units).hexdigest()
    entry_path.with_name(f"{digest}.gz").write_bytes(gzip.compress(units))
    entry["units"] = {"sha256": digest, "size": len(units), "stored": 1}
    entry_path.write_text(json.dumps(entry), encoding="utf-8")
    other, alone = in_a_folder.machine("other"), in_a_folder.machine("alone", CODEMAP_CACHE_DIR="")
    assert other.index(clone.root)["from_cache"]
    clone.commit({"src/C.cs": "public class C { public int Three; }\n"})
    assert other.index(clone.root)["stats"]["bound_files"] == 1
    alone.index(clone.root)
    assert other.dump("refs", clone.root) == alone.dump("refs", clone.root)


def test_units_of_one_repository_serve_no_other(in_a_folder: Team, copied: Clone, tmp_path: Path) -> None:
    other = in_a_folder.machine("other")
    assert other.index(copied.root)["from_cache"]
    second = Clone(tmp_path / "second")
    second.commit(FILES)
    assert other.index(second.root)["stats"]["analysed_files"] == 3


def test_a_cache_can_be_for_reading_only(in_a_folder: Team, copied: Clone, shared: Path) -> None:
    before = {path: path.read_bytes() for path in shared.rglob("*") if path.is_file()}
    reader = in_a_folder.machine("reader", CODEMAP_CACHE_READ_ONLY="1")
    assert reader.index(copied.root)["from_cache"]
    assert "cache_problem" not in reader.index(copied.root, "--rebuild")
    assert "CODEMAP_CACHE_READ_ONLY" in reader("cache", "push", copied.root, fails=2).stderr
    assert {path: path.read_bytes() for path in shared.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("location", "said"),
    [("{}/a-file", "cannot be used"), ("nosuch://x/y", "nosuch"), ("local://{}/a-file/x", "cannot be used")],
)
def test_a_cache_that_cannot_be_used_costs_a_remark(
    tmp_path: Path, clone: Clone, commit: str, location: str, said: str
) -> None:
    (tmp_path / "a-file").write_text("x", encoding="utf-8")
    shell = Team(tmp_path, location.format(tmp_path)).machine("one")
    done = shell("index", clone.root)
    assert "Indexed commit" in done.stdout
    assert said in done.stderr
    assert said in shell("cache", "push", clone.root, fails=2).stderr


def test_passwords_in_a_url_are_not_shown(tmp_path: Path, clone: Clone, commit: str) -> None:
    done = Team(tmp_path, "nosuch://me:secret@host/x?token=secret").machine("one")("index", clone.root)
    assert "nosuch://host/x" in done.stderr
    assert "secret" not in done.stdout + done.stderr


def test_push_and_pull_say_what_they_did(in_a_folder: Team, clone: Clone, commit: str) -> None:
    one, other = in_a_folder.machine("one"), in_a_folder.machine("other")
    assert "codemap index" in one("cache", "push", clone.root, fails=2).stderr
    assert "has no index of commit" in one("cache", "pull", clone.root, fails=1).stderr
    one.index(clone.root, CODEMAP_CACHE_DIR="")
    assert "0 shared indexes" in one("cache", "list", clone.root).stderr
    assert f"Shared: commit {commit[:12]}" in one("cache", "push", clone.root).stdout
    assert "Already shared" in one("cache", "push", clone.root).stdout
    assert commit[:12] in other("cache", "list", clone.root).stdout
    assert "Taken from the shared cache" in other("cache", "pull", clone.root).stdout
    assert "Already indexed" in other("cache", "pull", clone.root).stdout
    assert other.ids(clone.root) == one.ids(clone.root)
    assert json.loads(other("cache", "pull", clone.root, "--json").stdout)["already_existed"]
    for command in ("list", "push", "pull"):
        assert "CODEMAP_CACHE_DIR" in one("cache", command, clone.root, fails=2, CODEMAP_CACHE_DIR="").stderr
        assert "Examples:" in one("cache", command, "--help").stdout


def test_the_cache_may_be_named_in_the_configuration(in_a_folder: Team, copied: Clone) -> None:
    other = in_a_folder.machine("other", CODEMAP_CACHE_DIR="")
    other.home.mkdir()
    (other.home / "config.json").write_text(
        json.dumps({"shared_cache_dir": in_a_folder.location, "shared_cache_read_only": True}), encoding="utf-8"
    )
    assert other.index(copied.root)["from_cache"]


def test_rebuilding_replaces_what_is_shared(in_a_folder: Team, clone: Clone, commit: str, shared: Path) -> None:
    one = in_a_folder.machine("one")
    one.index(clone.root)
    forge(shared, lambda c: c.execute("DROP TABLE facts"))
    assert not one.index(clone.root, "--rebuild").get("from_cache")
    assert in_a_folder.machine("other").index(clone.root)["from_cache"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes")
def test_a_killed_run_leaves_nothing_that_is_seen(in_a_folder: Team, clone: Clone, commit: str) -> None:
    one = in_a_folder.machine("one")
    one.index(clone.root, CODEMAP_CACHE_DIR="")
    for delay in (0.3, 0.5, 0.7, 0.9):
        process = one.start("cache", "push", clone.root)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        other = in_a_folder.machine(f"other{delay}", CODEMAP_CACHE_READ_ONLY="1")
        done = other("cache", "pull", clone.root, fails=None)
        assert done.returncode in (0, 1), done.stderr
    one("cache", "push", clone.root)
    assert in_a_folder.machine("last").index(clone.root)["from_cache"]
