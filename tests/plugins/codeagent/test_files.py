"""``list_directory``, ``read_file`` and ``get_directory_tree`` over standard input and output."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemap_core.errors import BudgetExceededError
from codemap_core.repository import Repository
from codemap_plugins.codeagent.descriptor_checkout import DescriptorCheckout
from codemap_plugins.codeagent.failures import BinaryFileError
from codemap_plugins.codeagent.file_text import MAX_FILE, read_lines
from codemap_plugins.codeagent.listing import Lister, TreeNode
from tests.plugins.codeagent import auth_app
from tests.plugins.codeagent.conftest import Ask
from tests.server.raw_client import RawClient
from tests.server.shop import git


def error_of(ask: Ask, tool: str, **arguments: object) -> str:
    found = ask(tool, **arguments)
    assert set(found) == {"error"}, found
    assert set(found["error"]) == {"code", "message"}
    code = found["error"]["code"]
    assert isinstance(code, str)
    return code


def test_a_directory_is_listed(ask: Ask) -> None:
    assert ask("list_directory", path="src") == [
        {"name": ".gitignore", "type": "file", "size": 13},
        {"name": "Auth", "type": "directory"},
        {"name": "Controllers", "type": "directory"},
    ]


def test_the_root_is_listed_without_what_is_ignored_or_leads_outside(ask: Ask) -> None:
    names = [entry["name"] for entry in ask("list_directory")]
    assert names == [".codeagent", ".gitignore", "kept.log", "links", "logo.png", "notes.txt", "src"]
    assert ask("list_directory", path=".") == ask("list_directory", path="") == ask("list_directory", path="src/..")
    links = ask("list_directory", path="links")
    assert [(each["name"], each["type"]) for each in links] == [
        ("home", "file"),
        ("inside", "directory"),
        ("note", "file"),
        ("up", "directory"),
    ]


def test_a_deeper_ignore_file_decides(ask: Ask) -> None:
    names = {entry["name"] for entry in ask("list_directory", path="src/Auth")}
    assert "debug.log" in names
    assert "bin" not in names


def test_an_ignored_directory_says_why_it_is_empty(server: RawClient) -> None:
    answer, note = server.call("list_directory", {"path": "src/Auth/bin"})["content"]
    assert answer["text"] == "[]"
    assert "is ignored" in note["text"]


def test_what_git_tracks_is_listed_although_a_pattern_matches(environment: dict[str, str], tmp_path: Path) -> None:
    """gitignore(5): files that are tracked are not affected. Patterns of the configuration hide them all the same."""
    folder = tmp_path / "app"
    for name in (".devcontainer/tracked.json", ".devcontainer/other.json", "out/tracked.txt", ".codeagent/config.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('{"exclude": ["out/"]}', encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".devcontainer/tracked.json", "out")
    (folder / ".gitignore").write_text(".devcontainer\nout\n", encoding="utf-8")
    with RawClient(environment, 'toolsets=("codeagent",)', str(folder)) as server:
        server.initialize()
        root, _ = server.call_json("list_directory")
        assert [entry["name"] for entry in root] == [".codeagent", ".devcontainer", ".gitignore"]
        inside, _ = server.call_json("list_directory", {"path": ".devcontainer"})
        assert [entry["name"] for entry in inside] == ["tracked.json"]
        assert server.call("list_directory", {"path": "out"})["content"][0]["text"] == "[]"
        tree, _ = server.call_json("get_directory_tree", {"path": ".devcontainer"})
        assert [child["name"] for child in tree["children"]] == ["tracked.json"]


def test_lines_of_a_file_are_read(ask: Ask) -> None:
    assert ask("read_file", path="notes.txt") == {"content": "one\ntwo\nthree", "total_lines": 3, "truncated": False}
    assert ask("read_file", path="notes.txt", line_start=2)["content"] == "two\nthree"
    assert ask("read_file", path="notes.txt", line_end=2)["content"] == "one\ntwo\n"
    assert ask("read_file", path="notes.txt", line_start=2, line_end=2)["content"] == "two\n"
    assert ask("read_file", path="notes.txt", line_start=3, line_end=9)["content"] == "three"
    assert ask("read_file", path="links/note")["content"] == "one\ntwo\nthree"
    assert ask("read_file", path="links/inside/AuthService.cs", line_start=42, line_end=42)["content"] == (
        "    public async Task<AuthResult> Authenticate(string username, string password)\n"
    )


def test_lines_that_are_not_there_are_refused(ask: Ask) -> None:
    assert error_of(ask, "read_file", path="notes.txt", line_start=4) == "invalid_parameter"
    assert error_of(ask, "read_file", path="notes.txt", line_start=3, line_end=2) == "invalid_parameter"
    assert error_of(ask, "read_file", path="notes.txt", line_start=0) == "invalid_parameter"
    assert error_of(ask, "read_file", path="notes.txt", lines=3) == "invalid_parameter"
    assert error_of(ask, "read_file") == "invalid_parameter"
    assert error_of(ask, "read_file", path="absent.txt") == "not_found"
    assert error_of(ask, "read_file", path="src") == "invalid_parameter"
    assert error_of(ask, "list_directory", path="notes.txt") == "invalid_parameter"


def test_a_binary_file_is_refused_with_its_type(ask: Ask) -> None:
    found = ask("read_file", path="logo.png")
    assert found == {"error": {"code": "binary_file", "message": "'logo.png' is a binary file of type image/png."}}


def test_of_a_file_that_is_too_large_its_type_is_told_all_the_same(tmp_path: Path) -> None:
    checkout = DescriptorCheckout(tmp_path)
    for name, beginning, error in (
        ("film.mp4", b"\0\0\0\x18ftypmp42", BinaryFileError),
        ("log.txt", b"begun\n" * 2000, BudgetExceededError),
    ):
        with (tmp_path / name).open("wb") as file:
            file.write(beginning)
            file.truncate(MAX_FILE + 1)  # takes no room on the disk
        with pytest.raises(error):
            read_lines(checkout, name, 0, 0)


@pytest.mark.parametrize(
    ("text", "lines", "size"),
    [
        ("x\n" * 10_001, 10_000, 20_000),
        ("x\n" * 10_000, 10_000, 20_000),
        ("é" * 1023 + "\n", 1, 2047),
        ("y" * 99 + "\n", 1, 100),
        (("y" * 99 + "\n") * 6_000, 5_120, 512_000),
        ("z" * 600_000, 1, 512_000),
    ],
)
def test_what_is_read_is_capped(ask: Ask, app_folder: Path, text: str, lines: int, size: int) -> None:
    path = app_folder / "long.txt"
    path.write_text(text, encoding="utf-8")
    try:
        found = ask("read_file", path="long.txt")
    finally:
        path.unlink()
    content = found["content"]
    assert text.startswith(content)
    assert len(content.split("\n")) - content.endswith("\n") == lines
    assert size - 2 <= len(content.encode()) <= size
    assert found["truncated"] == (len(content.rstrip("\n")) < len(text.rstrip("\n")))
    assert found["total_lines"] == text.count("\n") + (not text.endswith("\n"))


def test_an_empty_file_has_no_lines(ask: Ask, app_folder: Path) -> None:
    (app_folder / "empty.txt").touch()
    try:
        assert ask("read_file", path="empty.txt") == {"content": "", "total_lines": 0, "truncated": False}
        assert ask("read_file", path="empty.txt", line_start=1)["content"] == ""
    finally:
        (app_folder / "empty.txt").unlink()


def test_a_tree_has_the_depth_that_was_asked_for(ask: Ask) -> None:
    assert ask("get_directory_tree", path="src", depth=1) == {
        "name": "src",
        "type": "directory",
        "children": [
            {"name": ".gitignore", "type": "file"},
            {"name": "Auth", "type": "directory"},
            {"name": "Controllers", "type": "directory"},
        ],
    }
    inner = ask("get_directory_tree", path="src", depth=2)["children"][2]
    assert [each["name"] for each in inner["children"]] == ["Controllers.csproj", "LoginController.cs"]
    whole = ask("get_directory_tree", depth=10)
    links = next(each for each in whole["children"] if each["name"] == "links")
    assert {"name": "up", "type": "directory"} in links["children"]  # a way back up is not gone
    for depth in (0, 11):
        assert error_of(ask, "get_directory_tree", depth=depth) == "invalid_parameter"


def test_a_crowded_directory_is_cut_in_a_tree(ask: Ask, app_folder: Path) -> None:
    crowd = app_folder / "crowd"
    crowd.mkdir()
    for number in range(1_001):
        (crowd / f"{number:04}.txt").touch()
    tree = ask("get_directory_tree", path="crowd")
    assert tree["truncated"] is True
    assert [each["name"] for each in tree["children"]] == [f"{number:04}.txt" for number in range(1_000)]
    (crowd / "1000.txt").unlink()
    assert "truncated" not in ask("get_directory_tree", path="crowd")
    assert len(ask("list_directory", path="crowd")) == 1_000
    for path in crowd.iterdir():
        path.unlink()
    crowd.rmdir()


def test_a_configuration_that_is_no_json_is_reported(server: RawClient, app_folder: Path) -> None:
    path = app_folder / ".codeagent/config.json"
    text = path.read_text(encoding="utf-8")
    path.write_text('{"exclude": "all"', encoding="utf-8")
    try:
        answer, note = server.call("list_directory", {})["content"]
    finally:
        path.write_text(text, encoding="utf-8")
    assert "node_modules" in answer["text"]
    assert note["text"].startswith(".codeagent/config.json is not used:")


def test_nothing_that_a_configuration_names_is_run(ask: Ask, app_folder: Path) -> None:
    ask("list_directory")
    assert not (app_folder / "started").exists()


PATTERNS = st.sampled_from(
    [
        "*.a",
        "!x.a",
        "/d/",
        "d",
        "e/",
        "!d/x.a",
        "**/x.b",
        "d/**",
        "!d/e/",
        "# d",
        "",
        "*.[ab]",
        "x.?",
        "!*",
        "/*",
        "\\!x",
        "d/*",
        "x.a ",
    ]
)
NAMES = ("x.a", "x.b", "y.a", "d/x.a", "d/y.b", "d/e/x.a", "d/e/x.b", "e/x.a", "e/d/y.a", "!x")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(PATTERNS, max_size=5),
    st.lists(PATTERNS, max_size=4),
    st.lists(PATTERNS, max_size=3),
    st.sets(st.sampled_from(NAMES), max_size=3),
)
def test_what_is_ignored_is_what_git_ignores(
    tmp_path_factory: pytest.TempPathFactory, root: list[str], inner: list[str], own: list[str], tracked: set[str]
) -> None:
    folder = tmp_path_factory.mktemp("ignored")
    git(folder, "init", "--quiet")
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    git(folder, "add", "--", *(f":(literal){name}" for name in sorted(tracked)))
    (folder / ".gitignore").write_text("\n".join(root), encoding="utf-8")
    (folder / "d/.gitignore").write_text("\n".join(inner), encoding="utf-8")
    (folder / ".git/info/exclude").write_text("\n".join(own), encoding="utf-8")
    expected = subprocess.run(
        ["git", "-C", str(folder), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    ).stdout.decode()
    asked = Repository.open(folder).tracked_despite_ignore
    tree, _ = Lister(DescriptorCheckout(folder), folder / ".git/info/exclude", asked).tree("", 10)
    assert sorted(_files(tree, "")) == sorted(filter(None, expected.split("\0")))


def _files(node: TreeNode, inside: str) -> list[str]:
    if node.type == "file":
        return [f"{inside}{node.name}"]
    below = inside if node.name == "." else f"{inside}{node.name}/"
    return [path for child in node.children or () for path in _files(child, below)]


def test_the_app_is_as_the_contract_has_it() -> None:
    lines = auth_app.FILES["src/Auth/AuthService.cs"].split("\n")
    assert "Authenticate(string username" in lines[41]
    assert lines[57] == "    }"
