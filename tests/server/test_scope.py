"""What an answer covers, over stdio: which index it is from, what was indexed for it, which files are other on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_server.serve import ServeOptions, serve
from tests.clone import Clone
from tests.server.raw_client import RawClient

Start = Callable[..., RawClient]
FILES = {
    "app/App.csproj": "<Project Sdk='Microsoft.NET.Sdk' />",
    "app/Run.cs": "class Run\n{\n    int Count() => Total();\n    int Total() => 1;\n}\n",
    "app/Other.cs": "class Other { }\n",
    "lib/Lib.csproj": "<Project Sdk='Microsoft.NET.Sdk' />",
    "lib/Thing.cs": "class Thing { }\n",
}


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "repository")
    made.commit(FILES)
    return made


def connected(start: Start, options: str, cwd: Path) -> RawClient:
    server = start(options, cwd=cwd)
    server.initialize()
    return server


def answered(server: RawClient, tool: str, **arguments: Any) -> dict[str, Any]:
    answer, is_error = server.call_json(tool, arguments)
    assert not is_error, answer
    return dict(answer)


def notes(answer: dict[str, Any]) -> dict[str, list[str]]:
    """Kinds of the notes with their files."""
    return {note["kind"]: note.get("files", []) for note in answer["meta"].get("notes", ())}


def test_an_index_of_a_folder_says_so_first_and_does_not_answer_for_its_neighbour(start: Start, clone: Clone) -> None:
    server = connected(start, "", clone.root)
    commit = clone.git("rev-parse", "HEAD")[:12]
    for done in ("is indexed now", "was indexed already"):
        made = answered(server, "index.ensure_baseline", repo_path=str(clone.root / "app"))
        assert made["answer"] == f"app of commit {commit} {done}."
    for folder in (clone.root, clone.root / "app"):
        found = answered(server, "symbols.search", query="Run", repo_path=str(folder))
        assert found["answer"].startswith("Index of app only")
        assert "part" in notes(found)
    status = answered(server, "repo.status", repo_path=str(clone.root))
    status = status.get("data", status)
    assert status["baseline_index_exists"] is False
    assert [(each["is_whole"], each["subtree"]) for each in status["indexes"]] == [(False, "app")]
    error, is_error = server.call_json("symbols.search", {"query": "Thing", "repo_path": str(clone.root / "lib")})
    assert (is_error, error["code"], error["details"]["indexed_parts"]) == (True, "INDEX_NOT_AVAILABLE", ["app"])

    made = answered(server, "index.ensure_baseline", repo_path=str(clone.root))
    assert made["answer"] == f"Commit {commit} is indexed now."
    for folder in (clone.root, clone.root / "app", clone.root / "lib"):
        found = answered(server, "symbols.search", query="Thing", repo_path=str(folder))
        assert found["data"]["total_count"] == 1
        assert notes(found) == {}


@pytest.mark.parametrize("folder", ["", "lib"])
def test_what_the_error_says_makes_the_call_work(start: Start, clone: Clone, folder: str) -> None:
    """The commit asked for is not HEAD: the call that is named indexes it, not HEAD."""
    old = clone.git("rev-parse", "HEAD")
    new = clone.commit({"lib/Thing.cs": "class Renamed { }\n"})
    server = connected(start, "", clone.root)
    question = {"query": "Thing", "commit_sha": old[:9], "repo_path": str(clone.root / folder)}
    error, is_error = server.call_json("symbols.search", question)
    assert (is_error, error["code"]) == (True, "INDEX_NOT_AVAILABLE")
    details = error["details"]
    assert f"repo_path {details['repo_path']!r} and commit_sha {details['commit_sha']!r}" in error["message"]
    answered(server, "index.ensure_baseline", repo_path=details["repo_path"], commit_sha=details["commit_sha"])
    assert answered(server, "symbols.search", **question)["data"]["total_count"] == 1

    error, _ = server.call_json("symbols.search", {"query": "Renamed"})
    assert error["details"]["commit_sha"] == new
    assert error["details"]["nearest_indexed"] == {"commit_sha": old, "commits_before": 1}
    assert f"pass commit_sha '{old[:12]}'" in error["message"]


def test_a_question_indexes_what_it_lacks(start: Start, clone: Clone) -> None:
    server = connected(start, "auto_index=True", clone.root)
    arguments = {"name": "symbols.search", "arguments": {"query": "Run"}, "_meta": {"progressToken": 1}}
    call = server.request("tools/call", arguments)
    stages = []
    while "id" not in (message := server.receive()):
        assert message["method"] == "notifications/progress"
        stages.append(message["params"]["message"])
    assert message["id"] == call
    assert stages
    first = json.loads(message["result"]["content"][0]["text"])
    assert list(notes(first)) == ["indexed"]
    assert "was indexed for this question" in first["answer"]
    assert notes(answered(server, "symbols.search", query="Run", repo_path=str(clone.root / "lib"))) == {}
    clone.commit({"lib/New.cs": "class New { }\n"})
    found = answered(server, "symbols.search", query="New", repo_path=str(clone.root / "app"))
    assert (found["data"]["total_count"], list(notes(found))) == (1, ["indexed"])


def test_questions_that_come_together_share_one_build(start: Start, clone: Clone, environment: dict[str, str]) -> None:
    commit = clone.commit({"lib/Together.cs": "class Together { }\n"})
    server = connected(start, "auto_index=True", clone.root)
    question = {"name": "symbols.search", "arguments": {"query": "Thing"}}
    calls = [server.request("tools/call", {**question, "_meta": {"progressToken": n}}) for n in range(5)]
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": calls[0]}}
    server.send(json.dumps(cancelled).encode() + b"\n")
    answers: dict[int, dict[str, Any]] = {}
    said = []
    while len(answers) < 4:
        message = server.receive()
        if "id" in message:
            answers[message["id"]] = json.loads(message["result"]["content"][0]["text"])
        else:
            said.append(message["params"]["message"])
    assert sorted(answers) == calls[1:]
    assert [each["data"]["total_count"] for each in answers.values()] == [1] * 4
    assert any(each.startswith("waiting for another call that indexes this commit") for each in said)
    made = list(Path(environment["CODEMAP_HOME"]).glob(f"baselines/*/{commit}*"))
    assert [path.suffix for path in made] == [".db"]


def test_a_server_that_only_reads_indexes_nothing(clone: Clone) -> None:
    with pytest.raises(InvalidArgumentError, match="--read-only forbids"):
        serve(ServeOptions(path=clone.root, auto_index=True, read_only=True))


def test_edited_files_are_said_in_every_answer_that_names_them(start: Start, clone: Clone) -> None:
    server = connected(start, "auto_index=True", clone.root)
    questions: list[tuple[str, dict[str, Any]]] = [
        ("symbols.search", {"query": "Total"}),
        ("symbols.get_card", {"name": "Run.Total"}),
        ("refs.find", {"name": "Run.Total"}),
        ("graph.callers", {"name": "Run.Total"}),
        ("graph.callees", {"name": "Run.Count"}),
        ("code.search_text", {"pattern": "Total"}),
        ("code.get_span", {"file_path": "app/Run.cs"}),
    ]
    for tool, arguments in questions:
        assert "edited" not in notes(answered(server, tool, **arguments)), tool
    clone.write({"app/Run.cs": FILES["app/Run.cs"].replace("1", "2")})
    for tool, arguments in questions:
        assert notes(answered(server, tool, **arguments))["edited"] == ["app/Run.cs"], tool
    assert notes(answered(server, "symbols.search", query="Other")) == {}
    clone.write({"app/Run.cs": FILES["app/Run.cs"].replace("\n", "\r\n")})
    assert notes(answered(server, "refs.find", name="Run.Total")) == {}, "line ends are not edits"
    clone.remove("app/Run.cs")
    assert notes(answered(server, "refs.find", name="Run.Total"))["edited"] == ["app/Run.cs"]


def test_an_edit_of_the_same_size_is_seen(start: Start, clone: Clone) -> None:
    server = connected(start, "auto_index=True", clone.root)
    question = {"file_path": "app/Other.cs"}
    assert "edited" not in notes(answered(server, "code.get_span", **question))
    for text, edited in (("class Otter { }\n", True), (FILES["app/Other.cs"], False), ("class Ether { }\n", True)):
        clone.write({"app/Other.cs": text})
        assert ("edited" in notes(answered(server, "code.get_span", **question))) is edited


def test_worktrees_of_one_repository_are_not_mixed_up(start: Start, clone: Clone, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    clone.git("worktree", "add", "-q", "--detach", str(linked))
    server = connected(start, "auto_index=True", clone.root)
    (linked / "app" / "Other.cs").write_text("class Changed { }\n", encoding="utf-8")
    for folder, edited in ((clone.root, False), (linked, True)):
        found = answered(server, "code.get_span", file_path="app/Other.cs", repo_path=str(folder))
        assert ("edited" in notes(found)) is edited


def test_an_answer_without_files_says_what_is_uncommitted(start: Start, clone: Clone) -> None:
    server = connected(start, "auto_index=True", clone.root)
    assert "uncommitted" not in answered(server, "symbols.search", query="Zork")["answer"]
    clone.write({"app/Zork.cs": "class Zork { }"})
    said = answered(server, "symbols.search", query="Zork")["answer"]
    assert "1 file has uncommitted changes, which the index does not show: app/Zork.cs." in said
    clone.write({f"app/Zork{n}.cs": "class Zork { }" for n in range(4)})
    assert "5 files have uncommitted changes" in answered(server, "symbols.search", query="Zork")["answer"]
    clone.write({"new/Zork.cs": "class Zork { }", "new/More.cs": "class More { }"})
    assert "6 files or folders have uncommitted changes" in answered(server, "symbols.search", query="Zork")["answer"]
