"""The contracts of codeagent and CodeRef2 argument by argument, and their examples, each with the test that runs it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.server.raw_client import RawClient

ROOT: Final = Path(__file__).resolve().parents[2]
TABLE: Final = tomllib.loads(Path(__file__).with_name("contracts.toml").read_text(encoding="utf-8"))
FAMILIES: Final = ("codeagent", "coderef")
EXAMPLES: Final = [(family, said, test) for family in FAMILIES for said, test in TABLE["examples"][family].items()]
CODES: Final = {"codeagent": "invalid_parameter", "coderef": "INVALID_REQUEST"}
SAMPLES: Final = {"string": "x", "array": ["x"]}
"""Values for required arguments of which nothing is wrong but another one."""


@pytest.fixture(scope="module")
def client(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    with RawClient(environment, f"toolsets={FAMILIES!r}", str(tmp_path_factory.mktemp("nowhere"))) as server:
        server.initialize()
        yield server


@pytest.fixture(scope="module")
def schemas(client: RawClient) -> dict[str, Any]:
    return {tool["name"]: tool["inputSchema"] for tool in client.ask("tools/list")["result"]["tools"]}


def without_words(described: dict[str, Any]) -> dict[str, Any]:
    """What a schema says of an argument beside its description."""
    left_out = ("description", "items", "properties", "additionalProperties", "minLength")
    return {key: value for key, value in described.items() if key not in left_out}


def as_listed(said: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in said.items() if key != "required"}


def test_the_tools_of_the_contracts_are_listed_and_no_others(schemas: dict[str, Any]) -> None:
    assert list(schemas) == [tool for family in FAMILIES for tool in TABLE[family]]
    assert [len(TABLE[family]) for family in FAMILIES] == [17, 6]


@pytest.mark.parametrize("family", FAMILIES)
def test_arguments_are_those_of_the_contract(schemas: dict[str, Any], family: str) -> None:
    for tool, arguments in TABLE[family].items():
        schema = schemas[tool]
        listed = {name: without_words(each) for name, each in schema["properties"].items()}
        own = {name: listed.pop(name) for name in TABLE["own"][family] if name in listed and name not in arguments}
        assert listed == {name: as_listed(said) for name, said in arguments.items()}, tool
        required = schema.get("required", [])
        assert required == [name for name, said in arguments.items() if said.get("required")], tool
        assert not own.keys() & set(required), tool


def test_a_filter_has_the_contracts_members(schemas: dict[str, Any]) -> None:
    members = schemas["mcp__coderef__query"]["properties"]["filter"]["properties"]
    assert {name: without_words(each) for name, each in members.items()} == TABLE["filter"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_number_out_of_its_bounds_is_refused(client: RawClient, family: str) -> None:
    beyond = [
        (tool, name, number)
        for tool, arguments in TABLE[family].items()
        for name, said in arguments.items()
        for number in (said.get("minimum", 0) - 1, said.get("maximum", 1 << 62) + 1)
        if "minimum" in said and number <= 1 << 62
    ]
    assert len(beyond) >= 8
    for tool, name, number in beyond:
        others = {each: SAMPLES[said["type"]] for each, said in TABLE[family][tool].items() if said.get("required")}
        answer, is_error = client.call_json(tool, {**others, name: number})
        assert is_error, (tool, name, number)
        code = answer["error"]["code"] if family == "codeagent" else answer["error_code"]
        assert code == CODES[family], (tool, name, number)


@pytest.mark.parametrize(("family", "said", "test"), EXAMPLES, ids=[said for _, said, _ in EXAMPLES])
def test_every_example_has_a_test_that_runs_by_default_and_over_stdio(family: str, said: str, test: str) -> None:
    path, _, function = test.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.search(rf"((?:^@.*\n(?:^[ )\]].*\n)*)*)^def {function}\(([^)]*)\)", text, re.MULTILINE)
    assert found is not None, f"{said}: {test} does not exist"
    assert "long" not in found[1]
    assert re.search(r"\b(client|server|ask|asked|environment)\b", found[2]), f"{test} asks no server"
