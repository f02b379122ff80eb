"""One test for each rule of project evaluation; the rules are data, see ``case_format``."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from codemap_plugins.dotnet.loader import DotnetProjectLoader
from tests.plugins.dotnet.case_format import Case, MemoryFiles, read_cases


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in read_cases()])
def test_case(case: Case) -> None:
    expect = dict(case.expect)
    absent = expect.pop("absent", [])
    graph = DotnetProjectLoader().load(MemoryFiles(case.files), expect.pop("solution", None))
    projects = {project.project_path: project for project in graph.projects}
    assert not set(absent) & set(projects)
    for path, wanted in expect.items():
        messages = [problem.message for problem in graph.problems if problem.project_path == path]
        problems = wanted.pop("problems", [])
        assert all(any(text in message for message in messages) for text in problems), messages
        if not problems:
            assert messages == []
        if not wanted and path not in projects:
            continue
        row = to_builtins(projects[path])
        row["packages"] = [str(package) for package in projects[path].packages]
        have = {key: list(value) if isinstance(value := row[key], tuple) else value for key in wanted}
        assert json_like(have) == wanted


def json_like(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [json_like(one) for one in value]
    if isinstance(value, dict):
        return {key: json_like(one) for key, one in value.items()}
    return value
