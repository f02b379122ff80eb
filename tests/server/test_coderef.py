"""CodeRef2 over stdio: every example of its contract, the shapes of answers and errors, and what of C# answers to which designator."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clone import Clone
from tests.server import coderef_sample
from tests.server.raw_client import RawClient

PREFIX = "mcp__coderef__"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    folder = coderef_sample.create(tmp_path_factory.mktemp("sample"))
    with RawClient(environment, cwd=str(folder)) as server:
        server.initialize()
        answer, is_error = server.call_json("index.ensure_baseline")
        assert not is_error, answer
    return folder


@pytest.fixture(scope="module")
def client(sample: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(environment, 'toolsets=("coderef",)', cwd=str(sample)) as server:
        server.initialize()
        yield server


@pytest.fixture
def with_rules(sample: Path) -> Iterator[Path]:
    path = sample / ".coderef" / "uds.toml"
    path.parent.mkdir()
    path.write_text(coderef_sample.UDS, encoding="utf-8")
    yield path
    path.unlink()
    path.parent.rmdir()


def ask(client: RawClient, tool: str, **arguments: Any) -> Any:
    answer, is_error = client.call_json(PREFIX + tool, arguments)
    assert not is_error, answer
    return answer


def refused(client: RawClient, tool: str, **arguments: Any) -> Any:
    answer, is_error = client.call_json(PREFIX + tool, arguments)
    assert is_error, answer
    assert answer["status"] == "error"
    assert set(answer) == {"status", "error_code", "message", "details", "timestamp"}
    return answer


def references(answer: Any) -> list[str]:
    return [each["reference"] for each in answer["elements"]]


# The listing


def test_six_tools_are_listed(client: RawClient) -> None:
    tools = {tool["name"]: tool for tool in client.ask("tools/list")["result"]["tools"]}
    names = ("query", "analyze", "validate", "batch_validate", "uds_compliance_check", "generate_with_uds")
    assert set(tools) == {PREFIX + name for name in names}


# The contract's examples


def test_example_query(client: RawClient) -> None:
    answer = ask(client, "query", query="@Fn/src/utils#*", limit=10, include_metadata=True)
    assert answer["status"] == answer["query_status"] == "success"
    assert answer["query"] == "@Fn/src/utils#*"
    assert answer["total_count"] == 3
    assert isinstance(answer["execution_time_ms"], float)
    first = answer["elements"][0]
    assert first == {
        "reference": "@Fn/src/utils.cs#Utils.calculate:42",
        "type_designator": "Fn",
        "path": "src/utils.cs",
        "element": "Utils.calculate",
        "line": 42,
        "metadata": {"status": "active", "security": "public", "complexity": "low", "documentation": "minimal"},
        "has_relationships": True,
        "test_coverage": None,
    }


def test_example_of_the_query_argument(client: RawClient) -> None:
    assert references(ask(client, "query", query="@Fn/src/utils#calculate:42")) == [
        "@Fn/src/utils.cs#Utils.calculate:42"
    ]


def test_example_impact(client: RawClient) -> None:
    answer = ask(client, "analyze", reference="@Fn/src/core#main:100", analysis_type="impact", depth=3)
    assert answer["reference"] == "@Fn/src/core#main:100"
    assert answer["total_affected"] == 2
    assert answer["affected_elements"] == [
        {
            "reference": "@M/src/handler.cs#Handler.process:8",
            "element_type": "M",
            "impact_level": "critical",
            "depth": 1,
            "reason": "Direct caller",
        },
        {
            "reference": "@M/src/handler.cs#Runner.run:17",
            "element_type": "M",
            "impact_level": "high",
            "depth": 2,
            "reason": "Indirect caller through Handler.process, by way of IHandler.process",
        },
    ]
    assert answer["impact_summary"]["by_level"] == {"critical": 1, "high": 1, "medium": 0, "low": 0}
    assert answer["impact_summary"]["max_depth"] == 2


def test_example_batch(client: RawClient) -> None:
    given = ["@Fn/src/a#func", "@C/src/b#Class", "invalid_ref", "@F/src/config.py"]
    answer = ask(client, "batch_validate", references=given, parallel=True, max_workers=4)
    assert (answer["status"], answer["total_items"], answer["successful"], answer["failed"]) == ("success", 4, 3, 1)
    assert answer["summary"]["success_rate"] == 75.0
    assert [each["is_valid"] for each in answer["results"]] == [True, True, False, True]
    assert answer["results"][0] == {
        "reference": "@Fn/src/a#func",
        "status": "valid",
        "is_valid": True,
        "issue_count": 0,
        "error_count": 0,
        "warning_count": 0,
    }


def test_example_validation(client: RawClient) -> None:
    answer = ask(client, "validate", reference="@Fn/src/utils#calculate_total:42{team:billing}")
    assert (answer["total_references"], answer["valid_count"], answer["invalid_count"]) == (1, 1, 0)
    assert answer["status"] == answer["validation_status"] == "success"
    (result,) = answer["results"]
    assert result["status"] == "valid"
    assert result["issues"] == [
        {
            "severity": "warning",
            "code": "CUSTOM_METADATA",
            "message": "Metadata not in standard categories",
            "field": "metadata",
            "suggestion": "Consider using standard categories",
        }
    ]


def test_example_uds_tools_are_pending(client: RawClient) -> None:
    assert ask(client, "uds_compliance_check") == {
        "status": "pending",
        "message": "UDS compliance checking implementation in P6.4",
    }
    assert ask(client, "generate_with_uds") == {
        "status": "pending",
        "message": "UDS-compliant generation implementation in P6.5",
    }


def test_answers_have_the_fields_of_the_output_schemas(client: RawClient) -> None:
    found = ask(client, "query", query="@Fn/src/utils#calculate")
    shape = {"status", "query", "total_count", "elements", "execution_time_ms", "query_status", "timestamp"}
    assert set(found) == shape
    element = {
        "reference",
        "type_designator",
        "path",
        "element",
        "line",
        "metadata",
        "has_relationships",
        "test_coverage",
    }
    assert set(found["elements"][0]) == element
    file = ask(client, "query", query="@F/src/config.py")["elements"][0]
    assert (file["element"], file["line"], file["test_coverage"]) == (None, None, None)
    batch = ask(client, "batch_validate", references=["@F/a"])
    assert set(batch) == {
        *("status", "total_items", "successful", "failed", "warnings", "results", "summary", "batch_execution_time_ms")
    }
    assert set(batch["summary"]) == {"success_rate", "average_validation_time_ms"}
    checked = ask(client, "validate", reference="@F/a")
    assert set(checked) == {
        *("status", "total_references", "valid_count", "invalid_count", "results", "validation_status")
    }
    assert set(checked["results"][0]) == {"reference", "status", "is_valid", "issues", "validation_time_ms"}


@pytest.mark.parametrize(
    ("analysis_type", "fields"),
    [
        ("impact", {"total_affected", "affected_elements", "impact_summary"}),
        ("deep", {"results"}),
        ("coverage", {"coverage_results"}),
        ("complexity", {"complexity_score", "complexity_category", "complexity_results"}),
    ],
)
def test_analyses_have_the_fields_of_the_contract(client: RawClient, analysis_type: str, fields: set[str]) -> None:
    found = ask(client, "analyze", reference="@Fn/src/utils#calculate", analysis_type=analysis_type)
    assert set(found) == {"status", "reference", "analysis_type", *fields}
    assert (found["status"], found["analysis_type"]) == ("success", analysis_type)


def test_a_tool_that_does_not_exist_is_an_error_of_the_protocol_and_the_contract(client: RawClient) -> None:
    answer = client.ask("tools/call", {"name": f"{PREFIX}nothing", "arguments": {}})["error"]
    assert answer["code"] == -32602
    assert set(answer["data"]) == {"status", "error_code", "message", "details", "timestamp"}
    assert (answer["data"]["status"], answer["data"]["error_code"]) == ("error", "UNKNOWN_TOOL")


def test_the_module_of_direct_use_is_a_server_too(sample: Path, environment: dict[str, str]) -> None:
    """As a client's configuration names it: a Python and its arguments."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "configured", "version": "1"},
    }
    sent = [{"id": 1, "method": "initialize", "params": hello}, {"id": 2, "method": "tools/list"}]
    run = subprocess.run(
        [sys.executable, "-m", "codemap_server.coderef2"],
        env=environment,
        cwd=sample,
        input="".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in sent),
        capture_output=True,
        text=True,
        check=True,
    )
    listed = next(each for each in map(json.loads, run.stdout.splitlines()) if each.get("id") == 2)
    assert len(listed["result"]["tools"]) == 6


def test_direct_python(sample: Path, environment: dict[str, str]) -> None:
    program = """
import asyncio, json
from codemap_server.coderef2 import CodeRef2Server, get_server
async def main():
    server = get_server()
    tools = await server._handle_list_tools()
    assert len(tools) == len(await server.list_tools())
    health = await server.health_check()
    result = await CodeRef2Server()._handle_call_tool("mcp__coderef__query", {"query": "@Fn/src/utils#*", "limit": 10})
    unknown = await server._handle_call_tool("mcp__coderef__nothing", {})
    other = await server._handle_call_tool("symbols.search", {"query": "x"})
    print(json.dumps([len(tools), health, json.loads(result[0].text), json.loads(unknown[0].text), json.loads(other[0].text)]))
asyncio.run(main())
"""
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=sample, capture_output=True, text=True, check=True
    )
    count, health, answer, unknown, other = json.loads(run.stdout)
    assert (count, health["status"], health["tools"], answer["total_count"]) == (6, "healthy", 6, 3)
    assert (unknown["status"], unknown["error_code"], other["error_code"]) == ("error", "UNKNOWN_TOOL", "UNKNOWN_TOOL")


def test_direct_python_without_an_index_is_degraded(tmp_path: Path, environment: dict[str, str]) -> None:
    program = """
import asyncio, json
from codemap_server.coderef2 import get_server
print(json.dumps(asyncio.run(get_server().health_check())))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    health = json.loads(run.stdout)
    assert health["status"] == "degraded"
    assert "repo_path" in health["message"]


# Query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("@C/src/handler#Handler", ["@C/src/handler.cs#Handler:5"]),
        ("@I/src/handler.cs#*", ["@I/src/handler.cs#IHandler:3"]),
        ("@M/src/handler.cs#Handler.Handler", ["@M/src/handler.cs#Handler.Handler:12"]),
        ("@Fn/src/handler.cs#*", ["@Fn/src/handler.cs#Handler.op_Addition:9"]),
        ("@P/src/handler.cs#Handler.*", ["@P/src/handler.cs#Handler.Item:10"]),
        ("@Fd/src/handler.cs#Handler.*", ["@Fd/src/handler.cs#Handler._count:7", "@Fd/src/handler.cs#Handler.Done:11"]),
        ("@V/src/handler.cs#Handler.*", ["@Fd/src/handler.cs#Handler._count:7"]),
        ("@K/src/utils#*", ["@K/src/utils.cs#Utils.Limit:51"]),
        ("@E/src/*#*", ["@E/src/handler.cs#State:22"]),
        ("@TD/src/*", ["@TD/src/handler.cs#Notify:23"]),
        ("@G/src/*", ["@M/src/handler.cs#Runner.pick:18"]),
        ("@Attr/src/*", ["@C/src/handler.cs#MarkAttribute:21"]),
        ("@Ann/src/*", ["@C/src/handler.cs#MarkAttribute:21"]),
        ("@Dec/src/*", ["@C/src/handler.cs#MarkAttribute:21"]),
        ("@Test/tests", ["@M/tests/App.Tests/UtilsTests.cs#UtilsTests.Calculates:6"]),
        ("@Fix/*", ["@C/tests/App.Tests/UtilsTests.cs#UtilsTests:4"]),
        ("@F/src/config.py", ["@F/src/config.py"]),
        ("@D/src", ["@D/src"]),
        ("@Mo/*", ["@Mo/src/App.csproj", "@Mo/tests/App.Tests/App.Tests.csproj"]),
        ("@Pkg/xunit", ["@Pkg/xunit"]),
        ("@N/*#App", ["@N/src#App"]),
        ("@*/src/handler.cs:8", ["@M/src/handler.cs#Handler.process:8"]),
        ("@*/src/core.cs#main", ["@Fn/src/core.cs#Core.main:100"]),
        ("Handler.process", ["@M/src/handler.cs#Handler.process:8"]),
        ("calc*", ["@Fn/src/utils.cs#Utils.calculate:42", "@Fn/src/utils.cs#Utils.calculate_total:50"]),
        ("@M/src/utils#helper", ["@Fn/src/utils.cs#Utils.helper:44"]),
        ("@C/src/handler.cs#handler", []),
        ("@Custom/*", []),
    ],
)
def test_every_designator_finds_what_it_means(client: RawClient, query: str, expected: list[str]) -> None:
    assert references(ask(client, "query", query=query)) == expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("@C/scr/app#Core", "There is nothing at the path 'scr/app' in commit "),
        ("@C/srcs#Core", "Did you mean src?"),
        ("@F/src/handlr.cs", "Did you mean src/handler.cs?"),
        ("@C/src#Nowhere", " matches. Names are exact: *Nowhere* finds longer ones."),
        ("@Pkg/nunit", " matches."),
    ],
)
def test_a_path_that_is_not_there_is_named(client: RawClient, query: str, message: str) -> None:
    answer = ask(client, "query", query=query)
    assert answer["elements"] == []
    assert message in answer["message"]


@pytest.mark.parametrize("designator", ["Cl", "Tr", "Macro", "Param"])
def test_a_designator_of_what_is_not_indexed_says_so(client: RawClient, designator: str) -> None:
    answer = ask(client, "query", query=f"@{designator}/src")
    assert (answer["total_count"], answer["elements"]) == (0, [])
    assert answer["message"].endswith(".")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type_designators": ["E", "TD"]}, ["@E/src/handler.cs#State:22", "@TD/src/handler.cs#Notify:23"]),
        (
            {"type_designators": ["Test", "K", "P"]},
            [
                "@P/src/handler.cs#Handler.Item:10",
                "@K/src/handler.cs#State.Open:22",
                "@K/src/handler.cs#State.Closed:22",
                "@K/src/utils.cs#Utils.Limit:51",
                "@M/tests/App.Tests/UtilsTests.cs#UtilsTests.Calculates:6",
            ],
        ),
        ({"metadata_filters": {"maintenance": "deprecated"}}, ["@Fn/src/utils.cs#Utils.calculate_total:50"]),
        ({"metadata_filters": {"maintenance": "stable"}}, []),
        ({"metadata_filters": {"security": "critical"}}, []),
        ({"metadata_filters": {"status": "experimental"}}, []),
        (
            {"metadata_filters": {"status": "active", "documentation": "minimal"}, "type_designators": ["I", "E"]},
            ["@I/src/handler.cs#IHandler:3", "@E/src/handler.cs#State:22"],
        ),
        (
            {"relationship_types": ["calls", "contains"], "path_pattern": "src/*", "max_line": 4},
            ["@C/src/a.cs#A:2", "@C/src/core.cs#Core:3", "@I/src/handler.cs#IHandler:3", "@C/src/utils.cs#Utils:4"],
        ),
        ({"path_pattern": "src/a*"}, ["@C/src/a.cs#A:2", "@Fn/src/a.cs#A.func:2"]),
        ({"metadata_filters": {"status": "deprecated"}}, ["@Fn/src/utils.cs#Utils.calculate_total:50"]),
        ({"metadata_filters": {"complexity": "medium"}}, []),
        ({"metadata_filters": {"documentation": "complete"}}, ["@C/src/utils.cs#Utils:4"]),
        ({"metadata_filters": {"security": "internal"}}, ["@Fn/src/utils.cs#Utils.helper:44"]),
        (
            {"relationship_types": ["tests"], "type_designators": ["M"]},
            ["@M/tests/App.Tests/UtilsTests.cs#UtilsTests.Calculates:6"],
        ),
        (
            {"relationship_types": ["implements"]},
            ["@C/src/handler.cs#Handler:5", "@M/src/handler.cs#Handler.process:8"],
        ),
        ({"relationship_types": ["extends"], "type_designators": ["C"]}, ["@C/src/handler.cs#MarkAttribute:21"]),
        ({"min_line": 100}, ["@Fn/src/core.cs#Core.main:100"]),
        ({"max_line": 1, "type_designators": ["C"]}, []),
        ({"has_test_coverage": True}, ["@C/src/utils.cs#Utils:4", "@Fn/src/utils.cs#Utils.calculate:42"]),
    ],
)
def test_filters(client: RawClient, given: dict[str, Any], expected: list[str]) -> None:
    answer = ask(client, "query", query="*", filter=given)
    assert [each for each in references(answer) if "Pair" not in each] == expected


def test_relationships_of_calls_and_contents(client: RawClient) -> None:
    calls = references(ask(client, "query", query="@Fn/src/*", filter={"relationship_types": ["calls"]}))
    assert calls == [
        "@Fn/src/core.cs#Core.main:100",
        "@Fn/src/utils.cs#Utils.calculate:42",
        "@Fn/src/utils.cs#Utils.helper:44",
    ]
    contents = references(ask(client, "query", query="@*/src/core.cs", filter={"relationship_types": ["contains"]}))
    assert contents == ["@C/src/core.cs#Core:3"]
    importing = {"relationship_types": ["imports"], "type_designators": ["F"]}
    assert references(ask(client, "query", query="@F/*", filter=importing)) == ["@F/tests/App.Tests/UtilsTests.cs"]
    assert references(ask(client, "query", query="@*/*", filter={"relationship_types": ["imports"]})) == []


@pytest.mark.parametrize("designator", ["F", "D", "Mo", "Pkg", "N", "C", "M"])
def test_a_star_means_all_that_a_designator_finds(client: RawClient, designator: str) -> None:
    by_filter = references(ask(client, "query", query="*", filter={"type_designators": [designator]}))
    assert by_filter == references(ask(client, "query", query=f"@{designator}/*"))
    assert by_filter


def test_pages_follow_each_other(client: RawClient) -> None:
    everything = references(ask(client, "query", query="*"))
    pages = [references(ask(client, "query", query="*", limit=7, offset=at)) for at in range(0, len(everything), 7)]
    assert [each for page in pages for each in page] == everything
    assert ask(client, "query", query="*", limit=1)["total_count"] == len(everything)


def test_pages_of_files_and_symbols_follow_each_other(client: RawClient) -> None:
    given = {"type_designators": ["F", "TD", "I"], "path_pattern": "src/*"}
    everything = references(ask(client, "query", query="*", filter=given))
    assert everything[-2:] == ["@I/src/handler.cs#IHandler:3", "@TD/src/handler.cs#Notify:23"]
    assert all(each.startswith("@F/") for each in everything[:-2])
    pages = [ask(client, "query", query="*", filter=given, limit=2, offset=at) for at in range(0, len(everything), 2)]
    assert [each for page in pages for each in references(page)] == everything
    assert {page["total_count"] for page in pages} == {len(everything)}


def test_what_is_not_asked_for_is_left_out(client: RawClient) -> None:
    answer = ask(
        client, "query", query="calculate", include_metadata=False, include_relationships=False, include_source=True
    )
    (element,) = answer["elements"]
    assert not {"metadata", "has_relationships"} & set(element)
    assert element["source"] == "    public static int calculate(int a, int b) => a > b ? helper(a) : b;"


def test_the_source_of_a_file_is_its_text(client: RawClient) -> None:
    (element,) = ask(client, "query", query="@F/src/handler.cs", include_source=True)["elements"]
    assert "interface IHandler" in element["source"].splitlines()[2]


# Analyze


def test_impact_of_a_type_includes_its_members_and_leaves_tests_out_where_asked(client: RawClient) -> None:
    whole = ask(client, "analyze", reference="@C/src/utils#Utils")
    direct = {each["reference"]: each for each in whole["affected_elements"] if each["depth"] == 1}
    assert direct["@Fn/src/core.cs#Core.main:100"]["reason"] == "Direct caller of Utils.calculate"
    test = direct["@M/tests/App.Tests/UtilsTests.cs#UtilsTests.Calculates:6"]
    assert test["impact_level"] == "high"
    assert whole["impact_summary"]["in_tests"] == 1
    without = ask(client, "analyze", reference="@C/src/utils#Utils", include_test_impact=False)
    assert without["total_affected"] == whole["total_affected"] - 1
    page = ask(client, "analyze", reference="@C/src/utils#Utils", limit=1, offset=1)
    assert page["affected_elements"] == whole["affected_elements"][1:2]


def test_deep_counts_both_directions_and_finds_cycles(client: RawClient) -> None:
    results = ask(client, "analyze", reference="@Fn/src/utils#helper", analysis_type="deep")["results"]
    assert results["dependents"] == {"total": 4, "by_depth": {"1": 1, "2": 2, "3": 1}}
    assert results["dependencies"] == {"total": 0, "by_depth": {}}
    assert results["cycles_detected"] == 1
    assert results["cycles"] == [["@Fn/src/utils.cs#Utils.helper:44"]]


def test_coverage_by_references_and_by_reports(client: RawClient, sample: Path, environment: dict[str, str]) -> None:
    by_references = ask(client, "analyze", reference="@C/src/utils#Utils", analysis_type="coverage")["coverage_results"]
    assert (by_references["total_elements"], by_references["covered_elements"]) == (3, 2)
    assert by_references["uncovered_elements"] == 1
    assert by_references["at_risk_count"] == 3
    assert "@Fn/src/core.cs#Core.main:100" in by_references["at_risk_elements"]
    folder = sample / "tests" / "App.Tests" / "TestResults" / "1"
    folder.mkdir(parents=True)
    report = folder / "coverage.cobertura.xml"
    report.write_text(coderef_sample.COBERTURA, encoding="utf-8")
    try:
        with RawClient(environment, 'toolsets=("coderef",)', cwd=str(sample)) as server:
            server.initialize()
            results = ask(server, "analyze", reference="@Fn/src/utils#helper", analysis_type="coverage")[
                "coverage_results"
            ]
            assert results["coverage_percentage"] == 50.0
            assert results["basis"] == "reports"
            found = ask(server, "query", query="helper")["elements"][0]
            assert found["test_coverage"] == 50.0
            assert found["metadata"]["coverage"] == "50"
            covered = {"metadata_filters": {"coverage": "80-100"}}
            assert references(ask(server, "query", query="@Fn/*", filter=covered)) == [
                "@Fn/src/utils.cs#Utils.calculate:42"
            ]
    finally:
        report.unlink()


def test_complexity_of_a_member_and_of_a_type(client: RawClient) -> None:
    helper = ask(client, "analyze", reference="@Fn/src/utils#helper", analysis_type="complexity")
    assert helper["complexity_results"]["cyclomatic"] == 5
    assert helper["complexity_results"]["cognitive"] == 7
    assert helper["complexity_score"] == 15.0
    assert helper["complexity_category"] == "low"
    whole = ask(client, "analyze", reference="@C/src/utils#Utils", analysis_type="complexity")
    assert whole["complexity_score"] == 15.0
    assert whole["complexity_results"]["hardest_members"][0]["reference"] == "@Fn/src/utils.cs#Utils.helper:44"


def test_every_type_of_relationship_filters(client: RawClient) -> None:
    kinds = ("imports", "calls", "depends-on", "tests", "implements", "extends", "contains", "references")
    answers = {each: ask(client, "query", query="@*/*", filter={"relationship_types": [each]}) for each in kinds}
    assert "designator F" in answers["imports"]["message"]
    answers["imports"] = ask(client, "query", query="@F/*", filter={"relationship_types": ["imports"]})
    found = {each: answer["total_count"] for each, answer in answers.items()}
    assert all(found.values()), found


# Validate


def test_every_designator_is_valid(client: RawClient) -> None:
    names = ["F", "D", "C", "Fn", "Cl", "M", "P", "V", "K", "E", "I", "Tr", "Mo", "Pkg", "N", "TD", "G", "Dec"]
    names += ["Param", "Fd", "Attr", "Test", "Fix", "Macro", "Ann", "Custom"]
    answer = ask(client, "validate", references=[f"@{each}/src/a" for each in names])
    assert (answer["total_references"], answer["valid_count"]) == (26, 26)
    assert not any(each["issues"] for each in answer["results"])


def test_each_rule_of_validation_has_its_code(client: RawClient) -> None:
    broken = {
        " ": ("EMPTY_REFERENCE", "critical"),
        "Fn/src/a": ("MALFORMED_REFERENCE", "critical"),
        "@Fn/src/a\\b#c": ("MALFORMED_REFERENCE", "critical"),
        "@Fn/src/a#1c": ("MALFORMED_REFERENCE", "critical"),
        "@Fx/src/a#c": ("INVALID_TYPE", "error"),
        "@Fn/#c": ("EMPTY_PATH", "error"),
        "@Fn/src/a#c:-1": ("NEGATIVE_LINE", "error"),
        "@Fn/src/a#c:0": ("NEGATIVE_LINE", "error"),
        "@Fn/src/a#c:1{status}": ("INVALID_METADATA_FORMAT", "error"),
    }
    results = ask(client, "validate", references=list(broken))["results"]
    assert [each["is_valid"] for each in results] == [False] * len(broken)
    found = {each["reference"]: (each["issues"][0]["code"], each["issues"][0]["severity"]) for each in results}
    assert found == broken


def test_standard_metadata_needs_no_remark(client: RawClient) -> None:
    standard = {
        "status": ["active", "deprecated", "experimental"],
        "security": ["public", "internal", "private", "critical"],
        "performance": ["fast", "normal", "slow", "critical"],
        "complexity": ["low", "medium", "high", "critical"],
        "coverage": ["0", "85", "100"],
        "maintenance": ["active", "stable", "deprecated"],
        "compatibility": ["v1", "v2", "breaking"],
        "documentation": ["complete", "partial", "minimal"],
    }
    given = [f"@Fn/src/a#f{{{key}:{value}}}" for key, values in standard.items() for value in values]
    assert not any(each["issues"] for each in ask(client, "validate", references=given)["results"])
    for each in ("@Fn/src/a#f{coverage:101}", "@Fn/src/a#f{status:new}"):
        (result,) = ask(client, "validate", reference=each)["results"]
        assert [one["code"] for one in result["issues"]] == ["CUSTOM_METADATA"]


def test_existence_is_checked_where_it_is_asked_for(client: RawClient) -> None:
    """The contract's default is to check the form alone."""
    for given in ("@Cl/nope.cs#X:1", "@C/nope.cs#X:1"):
        (by_form,) = ask(client, "validate", reference=given)["results"]
        (result,) = ask(client, "validate", reference=given, validate_existence=True)["results"]
        assert (by_form["is_valid"], by_form["issues"]) == (True, [])
        assert (result["is_valid"], result["issues"][0]["code"]) == (False, "ELEMENT_NOT_FOUND")


def test_existence(client: RawClient) -> None:
    given = [
        "@Fn/src/utils.cs#Utils.calculate:42",
        "@Fn/src/utils#calculate",
        "@Fn/src/utils.cs#Utils.calculate:7",
        "@C/src/core#main",
        "@Fn/src/utils#calculat",
        "@Fn/src/util.cs#x",
        "@Cl/src/utils#x",
    ]
    results = ask(client, "validate", references=given, validate_existence=True)["results"]
    found = [(each["is_valid"], each["issues"][0]["code"] if each["issues"] else None) for each in results]
    assert found == [
        (True, None),
        (True, "NOT_CANONICAL"),
        (True, "LINE_MISMATCH"),
        (False, "ELEMENT_NOT_FOUND"),
        (False, "ELEMENT_NOT_FOUND"),
        (False, "ELEMENT_NOT_FOUND"),
        (False, "ELEMENT_NOT_FOUND"),
    ]
    suggestions = [each["issues"][0]["suggestion"] if each["issues"] else "" for each in results]
    assert suggestions[1] == suggestions[2] == "@Fn/src/utils.cs#Utils.calculate:42"
    assert suggestions[3] == "@Fn/src/core.cs#Core.main:100"
    assert "@Fn/src/utils.cs#Utils.calculate:42" in suggestions[4]
    assert "src/utils.cs" in suggestions[5]


def test_a_batch_gives_the_same_verdicts_one_by_one_and_in_parallel(client: RawClient) -> None:
    given = [f"@Fn/src/a#f{n}" if n % 3 else f"@Fn/src/a#{n}" for n in range(500)]
    parallel = ask(client, "batch_validate", references=given, max_workers=20)
    sequential = ask(client, "batch_validate", references=given, parallel=False)
    assert parallel["results"] == sequential["results"]
    assert parallel["failed"] == 167


def test_a_batch_that_takes_too_long_gives_what_was_checked() -> None:
    from codemap_plugins.coderef.arguments import BatchValidateArguments
    from codemap_plugins.coderef.validation_tools import batch_validate

    class Context:
        def check_cancelled(self) -> None: ...

    hard = ["@Fn/" + "%41" * 600] * 2_000
    for parallel in (True, False):
        arguments = BatchValidateArguments(references=tuple(hard), parallel=parallel, timeout_ms=1)
        answer = batch_validate(Context(), arguments).data  # type: ignore[arg-type]
        assert answer.status == "partial"
        assert answer.not_validated == 2_000 - len(answer.results) > 0


# The repository's own rules


def test_compliance_is_checked_against_the_rule_file(client: RawClient, with_rules: Path) -> None:
    answer = ask(client, "uds_compliance_check", reference="@*/src/*#*")
    assert (answer["status"], answer["compliant"], answer["rules"]) == ("success", False, 3)
    broken = [(each["rule"], each["reference"], each["severity"]) for each in answer["violations"]]
    assert ("functions-are-simple", "@Fn/src/utils.cs#Utils.helper:44", "error") in broken
    assert ("public-code-is-documented", "@C/src/b.cs#Class:2", "warning") in broken
    assert not [each for each in broken if each[0] == "types-are-pascal-case"]
    assert answer["total_violations"] == sum(answer["by_severity"].values())
    with_rules.write_text("rules = 3", encoding="utf-8")
    assert refused(client, "uds_compliance_check")["error_code"] == "VALIDATION_ERROR"


def test_code_is_generated_by_the_rule_file_and_not_written(client: RawClient, with_rules: Path) -> None:
    answer = ask(client, "generate_with_uds", name="Late")
    assert answer["path"] == "src/Late.cs"
    assert answer["content"] == 'namespace App;\npublic class Late { public string Price = "$5"; }\n'
    assert answer["compliant"]
    assert answer["unchecked_rules"] == ["public-code-is-documented"]
    assert not (with_rules.parents[1] / "src" / "Late.cs").exists()
    assert not ask(client, "generate_with_uds", name="late")["compliant"]
    assert refused(client, "generate_with_uds")["details"]["field"] == "name"
    assert refused(client, "generate_with_uds", name="../../x")["error_code"] == "VALIDATION_ERROR"
    assert refused(client, "generate_with_uds", template="x", name="A")["error_code"] == "INVALID_REQUEST"


# Errors


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("query", {}, "INVALID_REQUEST", "query"),
        ("query", {"query": ""}, "INVALID_REQUEST", "query"),
        ("query", {"query": "@Fn"}, "INVALID_REQUEST", "query"),
        ("query", {"query": "a b"}, "INVALID_REQUEST", "query"),
        ("query", {"query": "x", "limit": 0}, "INVALID_REQUEST", "limit"),
        ("query", {"query": "x", "limit": 1001}, "INVALID_REQUEST", "limit"),
        ("query", {"query": "x", "limits": 1}, "INVALID_REQUEST", "limits"),
        ("query", {"query": "x", "filter": {"type_designators": ["Xx"]}}, "INVALID_FILTER", "type_designators"),
        ("query", {"query": "x", "filter": {"relationship_types": ["likes"]}}, "INVALID_FILTER", "relationship_types"),
        (
            "query",
            {"query": "x", "filter": {"metadata_filters": {"performance": "fast"}}},
            "INVALID_FILTER",
            "metadata_filters",
        ),
        (
            "query",
            {"query": "x", "filter": {"metadata_filters": {"status": "new"}}},
            "INVALID_FILTER",
            "metadata_filters",
        ),
        ("query", {"query": "@C/a", "filter": {"type_designators": ["Fn"]}}, "INVALID_FILTER", "type_designators"),
        ("query", {"query": "x", "filter": {"min_line": 9, "max_line": 3}}, "INVALID_FILTER", "min_line"),
        ("query", {"query": "x", "filter": {"max_line": -1}}, "INVALID_FILTER", "max_line"),
        ("query", {"query": "x", "filter": {"types": ["C"]}}, "INVALID_FILTER", "filter"),
        ("query", {"query": "x", "filter": {"min_line": "nine"}}, "INVALID_FILTER", "filter"),
        ("query", {"query": "x", "filter": 3}, "INVALID_FILTER", "filter"),
        ("query", {"query": "x", "repo_path": "/no/such/folder"}, "QUERY_ERROR", None),
        ("analyze", {}, "INVALID_REQUEST", "reference"),
        ("analyze", {"reference": "bad"}, "INVALID_REFERENCE", "reference"),
        (
            "analyze",
            {"reference": "@Fn/src/utils#calculate", "analysis_type": "other"},
            "UNSUPPORTED_ANALYSIS",
            "analysis_type",
        ),
        ("analyze", {"reference": "@Fn/src/utils#calculate", "depth": 11}, "INVALID_REQUEST", "depth"),
        ("analyze", {"reference": "@Fn/src/utils#nothing"}, "ANALYSIS_ERROR", "reference"),
        ("analyze", {"reference": "@E/src/handler#State", "analysis_type": "coverage"}, "ANALYSIS_ERROR", "reference"),
        (
            "analyze",
            {"reference": "@TD/src/handler#Notify", "analysis_type": "complexity"},
            "ANALYSIS_ERROR",
            "reference",
        ),
        ("validate", {}, "INVALID_REQUEST", "reference"),
        ("validate", {"reference": "@F/a", "references": ["@F/b"]}, "INVALID_REQUEST", "reference"),
        ("validate", {"references": []}, "INVALID_REQUEST", "references"),
        ("batch_validate", {"references": []}, "INVALID_REQUEST", "references"),
        ("batch_validate", {"references": ["@F/a"], "max_workers": 21}, "INVALID_REQUEST", "max_workers"),
        ("batch_validate", {"references": ["@F/a"], "timeout_ms": 1}, "INVALID_REQUEST", "timeout_ms"),
    ],
)
def test_errors_have_the_contracts_shape(
    client: RawClient, tool: str, arguments: dict[str, Any], code: str, field: str | None
) -> None:
    answer = refused(client, tool, **arguments)
    assert answer["error_code"] == code
    assert answer["details"].get("field") == field
    assert answer["message"].endswith((".", "?")) or "expected" in answer["message"].lower()


def test_an_empty_reference_is_validated_not_refused(client: RawClient) -> None:
    (result,) = ask(client, "validate", reference="")["results"]
    assert (result["is_valid"], result["issues"][0]["code"]) == (False, "EMPTY_REFERENCE")


def test_every_reference_that_is_written_finds_what_it_was_written_for(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Of symbols whose names are spelt in several ways, and of folders with folders in them."""
    clone = Clone(tmp_path / "spelt")
    clone.commit(
        {
            "src/App.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>',
            "src/Program.cs": "System.Console.WriteLine();\n",
            "src/Inner/Money.cs": """namespace App;
public interface IPriced { int Price(); }
public class Money : IPriced
{
    public static Money operator +(Money a, Money b) => a;
    public static implicit operator int(Money a) => 1;
    public int this[int index] => index;
    int IPriced.Price() => 1;
    public int @class;
    public Money() { }
    static Money() { }
    ~Money() { }
    public class Nested<T> { public void Of<U>(U u) { } public Nested(T t) { } }
}
public class Told(System.Action<Told> told) { int Deep(int n) => Deep(n - 1); }
""",
        }
    )
    with RawClient(environment, 'toolsets=("coderef",)', cwd=str(clone.root)) as server:
        server.initialize()
        made, is_error = server.call_json("index.ensure_baseline")
        assert not is_error, made
        found = [*references(ask(server, "query", query="*")), *references(ask(server, "query", query="@D/*"))]
        assert {"@Fn/src/Program.cs#Program.Main:1", "@D/src", "@D/src/Inner"} <= set(found)
        answered = {each: references(ask(server, "query", query=each)) for each in found}
        assert answered == {each: [each] for each in found}
        checked = ask(server, "validate", references=found, validate_existence=True)
        assert not [each for each in checked["results"] if each["issues"]]
        deep = ask(server, "analyze", reference="@C/src/Inner/Money.cs#Told", analysis_type="deep")["results"]
        assert deep["cycles"] == [["@M/src/Inner/Money.cs#Told.Deep:15"]], "a type that names itself is none"
