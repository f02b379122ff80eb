"""CodeRef2 over edits: of a workspace that a call names, and of the working tree that a live server follows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server import coderef_sample
from tests.server.asking import done
from tests.server.raw_client import RawClient
from tests.server.shop import edit
from tests.server.test_coderef import PREFIX, references, refused

UTILS = "src/utils.cs"
FRESH = "    public static int fresh(int a) => a > 0 && a < 5 ? main(a) : a;"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return coderef_sample.create(tmp_path / "sample")


@pytest.fixture
def server(folder: Path, home: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(home, 'toolsets=("all",)', cwd=str(folder)) as client:
        client.initialize()
        done(client, "index.ensure_baseline")
        yield client


def add_fresh(folder: Path) -> None:
    """A method that calls ``Core.main``, on line 101, in the file that declares that one."""
    edit(folder, "src/core.cs", "Utils.calculate(a, 1);\n", f"Utils.calculate(a, 1);\n{FRESH}\n")


def ask(client: RawClient, tool: str, **arguments: Any) -> Any:
    """The answer; what the server remarks beside it is not looked at."""
    result = client.call(PREFIX + tool, arguments)
    assert not result.get("isError"), result
    return json.loads(result["content"][0]["text"])


def impact(client: RawClient, **arguments: Any) -> set[str]:
    answer = ask(client, "analyze", reference="@Fn/src/core#main:100", depth=1, **arguments)
    return {each["reference"] for each in answer["affected_elements"]}


def test_a_form_feed_is_within_a_line(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="feeds")
    text = "class Feeds\n{\n    // a\fb\n    int Fed() => 1;\n}"
    (folder / "src" / "feeds.cs").write_text(text, encoding="utf-8")
    done(server, "index.refresh_overlay", workspace_id="feeds")
    (element,) = ask(server, "query", query="@F/src/feeds.cs", workspace_id="feeds", include_source=True)["elements"]
    assert element["source"] == text.replace("\f", "\ufffd")


def test_a_workspace_is_seen_by_the_calls_that_name_it(server: RawClient, folder: Path) -> None:
    done(server, "workspace.create", workspace_id="one")
    add_fresh(folder)
    done(server, "index.refresh_overlay", workspace_id="one")
    fresh = "@Fn/src/core.cs#Core.fresh:101"
    seen = ask(server, "query", query="fresh", workspace_id="one", include_source=True)
    assert references(seen) == [fresh]
    assert seen["elements"][0]["source"] == FRESH
    assert seen["elements"][0]["metadata"]["complexity"] == "low"
    assert fresh in impact(server, workspace_id="one")
    measured = ask(server, "analyze", reference=fresh, analysis_type="complexity", workspace_id="one")
    assert measured["complexity_results"]["cyclomatic"] == 3
    (there,) = ask(server, "validate", reference=fresh, validate_existence=True, workspace_id="one")["results"]
    assert there["is_valid"]

    committed = ask(server, "query", query="fresh")
    assert committed["elements"] == []
    assert committed["message"].startswith("Nothing in commit ")
    assert fresh not in impact(server)
    (absent,) = ask(server, "validate", reference=fresh, validate_existence=True)["results"]
    assert not absent["is_valid"]
    nothing = ask(server, "query", query="nowhere", workspace_id="one")
    assert nothing["message"].startswith("Nothing in workspace 'one' matches")


def test_rules_are_checked_against_a_workspace(server: RawClient, folder: Path) -> None:
    rules = folder / ".coderef" / "uds.toml"
    rules.parent.mkdir()
    rules.write_text(
        '[[rules]]\nid = "names"\nseverity = "error"\napplies_to = { types = ["Fn"], path = "src/core.cs" }\n'
        'require = { name = ["main"] }\n',
        encoding="utf-8",
    )
    done(server, "workspace.create", workspace_id="one")
    add_fresh(folder)
    done(server, "index.refresh_overlay", workspace_id="one")
    assert ask(server, "uds_compliance_check")["violations"] == []
    (violation,) = ask(server, "uds_compliance_check", workspace_id="one")["violations"]
    assert violation["reference"] == "@Fn/src/core.cs#Core.fresh:101"


@pytest.mark.parametrize(
    ("tool", "given", "code"),
    [
        ("query", {"query": "main"}, "QUERY_ERROR"),
        ("analyze", {"reference": "@Fn/src/core#main"}, "ANALYSIS_ERROR"),
        ("validate", {"reference": "@Fn/src/core#main", "validate_existence": True}, "VALIDATION_ERROR"),
    ],
)
def test_a_workspace_that_does_not_exist_is_refused(
    server: RawClient, tool: str, given: dict[str, Any], code: str
) -> None:
    error = refused(server, tool, **given, workspace_id="none")
    assert error["error_code"] == code
    assert "none" in error["message"]


def test_a_live_server_sees_edits_without_a_call(home: dict[str, str], folder: Path) -> None:
    with RawClient(home, 'live=True, toolsets=("all",)', cwd=str(folder)) as client:
        client.initialize()
        done(client, "index.ensure_baseline")
        head = ask(client, "query", query="main")
        assert references(head) == ["@Fn/src/core.cs#Core.main:100"]
        add_fresh(folder)
        assert references(ask(client, "query", query="fresh")) == ["@Fn/src/core.cs#Core.fresh:101"]
        assert "@Fn/src/core.cs#Core.fresh:101" in impact(client)
        assert ask(client, "query", query="nowhere")["message"].startswith("Nothing in the working tree matches")
        assert references(ask(client, "query", query="fresh", commit_sha="HEAD")) == []
