"""Trouble around the repository: every message says what is wrong and what to do, with no traceback."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone


@pytest.fixture
def shop(clone: Clone) -> Clone:
    clone.commit({"Order.cs": "namespace Shop; class Order { int Total() => 1; }"})
    return clone


def the_index(codemap: Shell) -> Path:
    (path,) = codemap.home.glob("baselines/*/*.db")
    return path


def refuses(codemap: Shell, *arguments: str | Path, says: tuple[str, ...], **options: Any) -> None:
    err = codemap(*arguments, fails=2, **options).stderr
    assert err.splitlines()[-1].startswith("error: "), err
    for word in says:
        assert word in err


def test_not_a_git_repository(codemap: Shell, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    refuses(codemap, "index", tmp_path / "plain", says=("not in a git repository", "--repo PATH", "git init"))
    refuses(codemap, "index", tmp_path / "nowhere", says=("does not exist",))
    (tmp_path / "file.cs").write_text("")
    refuses(codemap, "index", tmp_path / "file.cs", says=("is a file", f"(codemap index {tmp_path})"))


def test_the_folder_of_a_file_is_not_read_as_the_one_above(codemap: Shell, clone: Clone) -> None:
    (clone.root / "README.md").write_text("")
    assert "(codemap index .)" in codemap("index", "README.md", cwd=clone.root, fails=2).stderr


def test_no_commit_yet(codemap: Shell, clone: Clone) -> None:
    refuses(codemap, "index", clone.root, says=("has no commit yet",))


def test_an_unknown_commit(codemap: Shell, shop: Clone) -> None:
    shop.git("branch", "feature")
    refuses(codemap, "index", shop.root, "--commit", "featur", says=("no commit 'featur'", "Did you mean feature?"))
    refuses(codemap, "index", shop.root, "--commit", "0" * 40, says=("no commit",))
    refuses(codemap, "index", shop.root, "--commit=--output=x", says=("is not a revision",))
    refuses(codemap, "index", shop.root, "--commit", "HEAD:Order.cs", says=("no commit",))


def test_nothing_indexed_yet(codemap: Shell, shop: Clone) -> None:
    for command in (("dump", "symbols", shop.root), ("search", "Order", "--repo", shop.root)):
        refuses(codemap, *command, says=("codemap index",))


def test_an_object_that_is_gone(codemap: Shell, shop: Clone) -> None:
    """The repository is damaged, or a partial clone."""
    shop.commit({"Gone.cs": "class Gone { }"})
    blob = shop.git("rev-parse", "HEAD:Gone.cs")
    (shop.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    codemap("index", shop.root)
    assert codemap.ids(shop.root) == ["M:Shop.Order.Total", "T:Shop.Order"]


def test_a_commit_whose_tree_is_gone(codemap: Shell, shop: Clone) -> None:
    tree = shop.git("rev-parse", "HEAD^{tree}")
    (shop.root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    codemap("index", shop.root, fails=2)
    assert not list(codemap.home.glob("baselines/*/*.db"))


@pytest.mark.parametrize("damage", ["truncated", "garbage", "emptied", "page", "text"])
def test_a_corrupt_index_is_built_again(codemap: Shell, shop: Clone, damage: str) -> None:
    codemap("index", shop.root)
    expected = codemap("dump", "symbols", shop.root).stdout
    path = the_index(codemap)
    content = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(
        {
            "truncated": content[: len(content) // 2],
            "garbage": os.urandom(len(content)),
            "emptied": b"",
            "page": content[:4096] + b"\xff" * 4096 + content[8192:],
            "text": b"this is no database\n",
        }[damage]
    )
    if damage == "page":
        refuses(codemap, "dump", "symbols", shop.root, says=("is damaged", "'codemap index'"))
    again = codemap.index(shop.root)
    assert again["already_existed"] is False
    assert codemap("dump", "symbols", shop.root).stdout == expected


def test_an_index_of_a_newer_release_is_refused(codemap: Shell, shop: Clone) -> None:
    codemap("index", shop.root)
    path = the_index(codemap)
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE baseline_schema_version SET version_num = 'b9999_future'")
        connection.commit()
    before = path.read_bytes()
    refuses(codemap, "dump", "symbols", shop.root, says=("newer", "pip install -U"))
    refuses(codemap, "index", shop.root, says=("newer", "codemap index --rebuild"))
    assert path.read_bytes() == before
    codemap("index", shop.root, "--rebuild")
    assert codemap.ids(shop.root) == ["M:Shop.Order.Total", "T:Shop.Order"]


def test_a_damaged_unit_cache_is_replaced(codemap: Shell, shop: Clone) -> None:
    codemap("index", shop.root)
    expected = codemap("dump", "symbols", shop.root).stdout
    for cache in codemap.home.glob("cache/*.db"):
        cache.write_bytes(b"no database at all" * 1000)
    codemap("index", shop.root, "--rebuild")
    assert codemap("dump", "symbols", shop.root).stdout == expected


@pytest.mark.parametrize(
    "content", ["{", '{"log_level": "loud"}', '{"unknown": 1}', '{"budget_overrides": {"max_results": -1}}', "\xff"]
)
def test_an_invalid_configuration(codemap: Shell, shop: Clone, content: str) -> None:
    codemap.home.mkdir()
    (codemap.home / "config.json").write_bytes(content.encode("latin-1"))
    refuses(codemap, "index", shop.root, says=("config.json",))


def test_a_data_directory_that_cannot_be_written(codemap: Shell, shop: Clone, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refuses(codemap, "index", shop.root, says=("CODEMAP_HOME",), CODEMAP_HOME=str(tmp_path / "file" / "data"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is unreadable to this user")
def test_a_read_only_data_directory(codemap: Shell, shop: Clone) -> None:
    codemap.home.mkdir()
    codemap.home.chmod(0o555)
    refuses(codemap, "index", shop.root, says=("CODEMAP_HOME",))


@pytest.mark.skipif(os.name == "nt", reason="limits are those of POSIX")
@pytest.mark.parametrize("blocks", [0, 8, 64])
def test_a_full_disk(codemap: Shell, clone: Clone, blocks: int) -> None:
    """Files may not grow beyond so many blocks: what was there stays, and the message says what to do."""
    import subprocess

    from tests.cli.conftest import PROGRAM

    clone.commit({f"C{i}.cs": f"class C{i} {{ int x; /* {'padding ' * 400} */ }}" for i in range(200)})
    command = " ".join(["ulimit", "-f", str(blocks), ";", "exec", *map(_quoted, [*PROGRAM, "index", str(clone.root)])])
    done = subprocess.run(
        ["bash", "-c", command], env=codemap.environment, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert not list(codemap.home.glob("baselines/*/*.db"))
    codemap("index", clone.root)
    assert len(codemap.ids(clone.root)) == 400


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)


def test_paths_and_arguments_like_options(codemap: Shell, tmp_path: Path) -> None:
    made = Clone(tmp_path / "with space" / "--json" / "größe 日本")
    made.commit({"--help.cs": "class A { }"})
    codemap("index", made.root)
    assert codemap.ids(made.root) == ["T:A"]
    codemap("index", "--", made.root.name, cwd=made.root.parent)
    refuses(codemap, "index", made.root, "--solution", "--help.sln", says=("--help.sln",))


def test_variables_of_a_hook_do_not_mislead(codemap: Shell, shop: Clone, tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    other.commit({"B.cs": "class B { }"})
    environment: dict[str, Any] = {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_INDEX_FILE": "nowhere",
        "GIT_WORK_TREE": str(other.root),
    }
    codemap("index", shop.root, **environment)
    assert codemap.ids(shop.root) == ["M:Shop.Order.Total", "T:Shop.Order"]


@pytest.mark.parametrize(
    "arguments", [("index", "--jobs", "-1"), ("dump", "nothing"), ("indx",), ("index", "--commit")]
)
def test_wrong_usage_exits_with_two(codemap: Shell, arguments: tuple[str, ...]) -> None:
    assert codemap(*arguments, fails=2).stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("setup", "emacs"),
            "Invalid value for 'CLIENT': 'emacs' is not one of 'claude', 'cursor', 'vscode', 'codex'.",
        ),
        (("search", "X", "--format", "xml"), "Invalid value for '--format': 'xml' is not one of 'text',"),
        (("search", "X", "--limit", "0"), "0 is less than 1."),
        (("search", "X", "--limit", "foo"), "Invalid value for '--limit' / '-l': 'foo' is not a valid int"),
        (("index", "--jobs", "-2"), "-2 is less than 0."),
        (("serve", "--port", "99999"), "99999 is more than 65535."),
    ],
)
def test_a_value_that_is_refused_is_told_in_the_words_of_the_check(
    codemap: Shell, arguments: tuple[str, ...], says: str
) -> None:
    said = codemap(*arguments, fails=2).stderr
    assert says in said
    assert "Value error" not in said
    assert "Input should be" not in said


def test_no_terminal_and_a_closed_pipe(codemap: Shell, shop: Clone) -> None:
    import subprocess

    from tests.cli.conftest import PROGRAM

    codemap("index", shop.root)
    command = " ".join(map(_quoted, [*PROGRAM, "dump", "symbols", str(shop.root)])) + " | head -c 1 > /dev/null"
    done = subprocess.run(["bash", "-c", command], env=codemap.environment, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr


def test_output_is_in_utf_8_whatever_the_language_of_the_machine(codemap: Shell, clone: Clone) -> None:
    """With PEP 538 and 540 switched off it is as on Windows, whose pipes have an encoding of the country."""
    clone.commit({"Order.cs": "class Café漢字 { }"})
    codemap("index", clone.root)
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    listed = "search", "--kind", "class", "--repo", clone.root
    assert codemap(*listed, cwd=None, fails=0, **plain).stdout.startswith("Order.cs:1  class  Café漢字")
    assert codemap(*listed, cwd=None, fails=0, **plain, PYTHONIOENCODING="ascii").stdout.startswith(
        r"Order.cs:1  class  Caf\xe9\u6f22\u5b57"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no database of users")
def test_a_user_of_whom_no_home_is_known(codemap: Shell, shop: Clone) -> None:
    """As in a container that runs under an id of its own. The data directory is named."""
    program = "import pwd; pwd.getpwuid = {}.__getitem__; from codemap_server.cli import main; main()"
    environment = {name: value for name, value in codemap.environment.items() if name not in ("HOME", "CODEX_HOME")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, cwd=shop.root, env=environment, capture_output=True, text=True, check=False)

    assert run("index").returncode == 0
    assert run("search", "Total").stdout.startswith("Order.cs:1  method")
    refused = run("setup", "codex")
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: The home directory is unknown: set CODEX_HOME ")


def test_files_that_are_not_read_are_counted_and_named(codemap: Shell, clone: Clone) -> None:
    clone.commit(
        {
            "Big.cs": "//" + "x" * 5_000_000,
            "Kept.cs": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n",
            "Nul.cs": "class Nul { }\0",
            "Order.cs": "class Order { }",
            "a.json": " " * 1_100_000,
        }
    )
    assert "Skipped as too large or binary: 4 files. codemap status names some." in codemap("index", clone.root).stderr
    said = codemap("status", clone.root).stdout
    assert "skipped         4 files\n                Big.cs: 5,000,002 bytes: listed, not analysed\n" in said
    assert "                Kept.cs: a pointer of Git LFS: what the file holds is not in git\n" in said
    assert "                Nul.cs: not text: it contains NUL bytes\n" in said
    outline = codemap("outline", "Big.cs", "--repo", clone.root, fails=1).stderr
    assert "'Big.cs' is too large or binary, and was not analysed." in outline
