"""Hostile paths on every tool that takes one, and files that change while they are opened. Nothing outside the repository is read."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from codemap_core.errors import CodeMapError
from codemap_plugins.codeagent.checkout import Checkout, components, is_of_git
from codemap_plugins.codeagent.descriptor_checkout import DescriptorCheckout
from codemap_plugins.codeagent.failures import PathEscapeError, failure_code
from codemap_plugins.codeagent.path_checkout import PathCheckout
from tests.plugins.codeagent import auth_app
from tests.server.raw_client import RawClient

MARKS = (auth_app.SECRET, "root:x:0", "repositoryformatversion", "ref: refs/heads", "CODEMAP_HOME")
"""What only a file outside of the repository's own says."""
TOOLS: dict[str, dict[str, object]] = {
    "read_file": {},
    "list_directory": {},
    "get_directory_tree": {"depth": 1},
    "get_file_outline": {},
}
"""Each with what it is given beside a path."""


def hostile(folder: Path) -> Iterator[str]:
    """Paths that lead out of a repository, into git's own folder, or to what is not a file, in any spelling."""
    outside = folder.parent / "outside"
    targets = ["outside/secret.txt", "outside", "etc/passwd", "outside/deeper/../secret.txt"]
    for ups, target in itertools.product(range(1, 9), targets):
        yield "../" * ups + target
        yield "src/" + "../" * (ups + 1) + target
        yield "./" * ups + "../" + target
        yield "..\\" * ups + target.replace("/", "\\")
        yield "src/Auth/./" + "../" * (ups + 2) + target
    for target in (
        "/etc/passwd",
        str(outside / "secret.txt"),
        str(folder / "notes.txt"),
        "/dev/zero",
        "/proc/self/environ",
    ):
        yield from (target, f"/{target}", f"//{target}", f"./{target}".replace("./", "/./"), target.replace("/", "\\"))
        yield from (
            f"file://{target}",
            f"C:{target}",
            f"c:\\{target[1:]}",
            f"\\\\?\\{target[1:]}",
            f"\\\\localhost{target}",
        )
    git = [
        ".git",
        ".GIT",
        ".Git",
        ".git.",
        ".git ",
        ".git...",
        ".git::$INDEX_ALLOCATION",
        ".git:config",
        "git~1",
        "GIT~1",
    ]
    git += [".g\u200cit", ".git\u200d", "\ufeff.git", ".\u202egit"]
    for name, rest in itertools.product(git, ("", "/config", "/HEAD", "/../.git/config", "\\config", "/hooks")):
        yield from (f"{name}{rest}", f"src/../{name}{rest}")
    for link in (*auth_app.LINKS, "links/absolute", "links/pipe", "links/socket"):
        if link in ("links/inside", "links/note"):
            continue
        yield from (
            f"{link}/secret.txt",
            f"{link}/../outside/secret.txt",
            f"{link}/deeper/secret.txt",
            f"{link}/.git/config",
        )
        if link != "links/up":
            yield from (link, f"{link}/", f"{link}/.", f"src/../{link}")
    for text in ("../outside/secret.txt", "/etc/passwd", ".git/config"):
        yield from (quote(text, safe=""), quote(quote(text, safe=""), safe=""), text.replace("/", "\u2215"))
        yield from (text.replace("/", "%c0%af"), text.replace(".", "%2e"), text.replace("/", "\uff0f"), f"{text}\0.txt")
        yield from (
            f"{text}\n",
            f" {text}",
            f"~/{text}",
            f"$HOME/{text}",
            f"`cat {text}`",
            f"{text};ls",
            f"*{text}",
            "\0" + text,
        )
    yield from (
        "..",
        "../",
        "src/../..",
        "....//....//outside/secret.txt",
        "..;/outside",
        "\u2024\u2024/outside",
        "a" * 5000,
    )
    yield from (
        "a/" * 2000,
        "../" * 1000,
        "/",
        "//",
        "\\",
        "C:",
        "C:\\",
        "\\\\server\\share",
        "~",
        "~root",
        "CON",
        "NUL",
        "nul.txt",
    )


def test_there_are_enough_hostile_paths(app_folder: Path) -> None:
    assert len(set(hostile(app_folder))) >= 300


@pytest.mark.parametrize("tool", TOOLS)
def test_no_hostile_path_gets_anything(server: RawClient, app_folder: Path, tool: str) -> None:
    for path in dict.fromkeys(hostile(app_folder)):
        result = server.call(tool, {"path": path, **TOOLS[tool]})
        text = result["content"][0]["text"]
        assert result.get("isError"), (path, text[:200])
        assert json.loads(text)["error"]["code"] in ("path_escape", "not_found", "invalid_parameter"), (path, text)
        assert not [mark for mark in MARKS if mark in text], path
        assert str(app_folder.parent) not in text.replace(json.dumps(path)[1:-1], "").replace(path, ""), path


def test_no_hostile_path_is_indexed(server: RawClient, app_folder: Path) -> None:
    for path in dict.fromkeys(hostile(app_folder)):
        result = server.call("index_files", {"paths": [path]})
        found = json.loads(result["content"][0]["text"])
        assert not [mark for mark in MARKS if mark in str(found)], path
        if result.get("isError"):
            assert found["error"]["code"] in ("path_escape", "invalid_parameter"), (path, found)
        else:
            assert found["indexed"] == 0, path
            assert found["errors"][0]["code"] in ("not_found", "invalid_parameter"), (path, found)


OTHERS: dict[str, Callable[[str], dict[str, object]]] = {
    "code.get_span": lambda path: {"file_path": path, "start_line": 1, "end_line": 9},
    "code.explain": lambda path: {"file_path": path, "line": 1},
    "code.search_text": lambda path: {"file_path": path, "pattern": "."},
    "symbols.outline": lambda path: {"file_path": path},
    "symbols.search": lambda path: {"file_path": path, "query": "*"},
    "symbols.unreferenced": lambda path: {"file_path": path},
    "symbols.get_card": lambda path: {
        "symbol": "AuthService",
        "virtual_files": [{"file_path": path, "content": "class Virtual { }"}],
        "consistency": "ephemeral",
    },
    "refs.find": lambda path: {"file_path": path, "symbol": "AuthService"},
    "surfaces.list_endpoints": lambda path: {"file_path": path},
    "surfaces.list_config_keys": lambda path: {"file_path": path},
    "surfaces.list_db_tables": lambda path: {"file_path": path},
    "surfaces.list_facts": lambda path: {"file_path": path},
    "index.diff": lambda path: {"file_path": path, "from_commit": "HEAD"},
    "index.ensure_baseline": lambda path: {"solution_path": path},
    "index.refresh_overlay": lambda path: {"workspace_id": "hostile", "file_paths": [path]},
    "mcp__coderef__query": lambda path: {"query": f"@*/{path}", "include_source": True},
    "mcp__coderef__analyze": lambda path: {"reference": f"@F/{path}"},
    "mcp__coderef__validate": lambda path: {"reference": f"@F/{path}", "validate_existence": True},
}
"""The tools of other families that take a path inside the repository, and what they are given with one."""
SLOW = {"index.ensure_baseline"}
"""Each call starts a process, so it is given every tenth path."""


@pytest.mark.long
@pytest.mark.parametrize("tool", OTHERS)
def test_no_hostile_path_gets_anything_from_another_family(server: RawClient, app_folder: Path, tool: str) -> None:
    if tool == "index.refresh_overlay":
        made, is_error = server.call_json("workspace.create", {"workspace_id": "hostile"})
        assert not is_error, made
    for path in itertools.islice(dict.fromkeys(hostile(app_folder)), 0, None, 10 if tool in SLOW else 1):
        answer = server.ask("tools/call", {"name": tool, "arguments": OTHERS[tool](path)})
        text = json.dumps(answer.get("result", answer), ensure_ascii=False)
        assert not [mark for mark in MARKS if mark in text], path


BOTH = pytest.mark.parametrize("opening", [DescriptorCheckout, PathCheckout])
Opening = Callable[[Path], Checkout]


@BOTH
def test_refusals_say_that_the_path_escapes(app_folder: Path, opening: Opening) -> None:
    checkout = opening(app_folder)
    for path in (
        "../x",
        "/etc/passwd",
        ".git",
        "links/out",
        "links/file",
        "links/git",
        "links/chain/secret.txt",
        "links/far",
    ):
        with pytest.raises(PathEscapeError), checkout.file(path):
            pass


@BOTH
def test_what_leads_inside_is_followed(app_folder: Path, opening: Opening) -> None:
    checkout = opening(app_folder)
    for path in ("links/home", "links/note", "links/up/notes.txt", "links/inside/../../notes.txt", "src/../notes.txt"):
        with checkout.file(path) as descriptor:
            assert os.read(descriptor, 3) == b"one"


@pytest.mark.parametrize("name", [".gitignore", ".github", "git", ".gitattributes", "x.git", "git~2", ".gi"])
def test_names_that_only_resemble_gits_folder_are_names(name: str) -> None:
    assert not is_of_git(name)
    assert components(f"a/{name}/./b//c/..") == ["a", name, "b"]


@BOTH
def test_both_ways_of_opening_refuse_and_show_the_same(app_folder: Path, opening: Opening) -> None:
    checkout = opening(app_folder)
    for path in dict.fromkeys(hostile(app_folder)):
        for opened in (checkout.file, checkout.folder):
            with pytest.raises(CodeMapError) as refused, opened(path):
                pass
            code = failure_code(refused.value)
            assert code in ("path_escape", "not_found", "invalid_parameter"), path
            assert str(app_folder.parent) not in str(refused.value).replace(path, "")
    expected = DescriptorCheckout(app_folder)
    for path in ("", "src", "src/Auth", "links", "links/inside"):
        with checkout.folder(path) as folder, expected.folder(path) as other:
            assert folder.entries() == other.entries()
            assert folder.read(".gitignore", 1000) == other.read(".gitignore", 1000)
            assert folder.read("note", 1000) == b"", "a link"
            with folder.inner("nothing") as inner:
                assert inner is None


@BOTH
def test_no_descriptor_stays_open(app_folder: Path, opening: Opening) -> None:
    checkout = opening(app_folder)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for path in dict.fromkeys(hostile(app_folder)):
        for opened in (checkout.file, checkout.folder):
            try:
                with opened(path):
                    pass
            except CodeMapError as error:
                assert failure_code(error)
    with checkout.folder("links") as folder:
        folder.entries()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


EXCHANGE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
one, other = map(os.fsencode, sys.argv[1:])
print("begun", flush=True)
while True:
    libc.renameat2(-100, one, -100, other, 2)  # AT_FDCWD, RENAME_EXCHANGE: there is always one of the two
"""


@BOTH
@pytest.mark.parametrize("swapped", ["folder", "folder/file.txt"])
def test_a_file_that_becomes_a_link_while_it_is_opened_is_not_followed(
    tmp_path: Path, swapped: str, opening: Opening
) -> None:
    """Another process exchanges a folder, or a file, for a link that leads outside, as fast as it can."""
    outside = tmp_path / "outside"
    inside = tmp_path / "repository"
    for place, text in ((outside, auth_app.SECRET), (inside, "inside")):
        (place / "folder").mkdir(parents=True)
        (place / "folder/file.txt").write_text(text, encoding="utf-8")
    link = inside / "link"
    link.symlink_to(outside / swapped)
    checkout = opening(inside)
    outcomes: Counter[str] = Counter()
    command = [sys.executable, "-c", EXCHANGE, str(inside / swapped), str(link)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as swapping:
        assert swapping.stdout is not None
        assert swapping.stdout.readline() == b"begun\n"
        try:
            while min(outcomes["inside"], outcomes.total() - outcomes["inside"]) < 1_000 and outcomes.total() < 100_000:
                outcomes[_read(checkout)] += 1
        finally:
            swapping.kill()
    assert auth_app.SECRET not in outcomes
    assert outcomes["inside"] >= 1_000
    assert outcomes["path_escape"] > 0
    assert set(outcomes) <= {"inside", "path_escape", "not_found"}


def _read(checkout: Checkout) -> str:
    """What a file says, or why it could not be read."""
    try:
        with checkout.folder("folder") as folder:
            assert {each.name for each in folder.entries()} <= {"file.txt"}
        with checkout.file("folder/file.txt") as descriptor:
            return os.read(descriptor, 100).decode()
    except CodeMapError as error:
        return failure_code(error)
