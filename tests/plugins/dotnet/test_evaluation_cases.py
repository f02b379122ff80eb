"""One test for each rule of project evaluation; the rules are data, see ``loader_cases``."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemap_plugins.dotnet.loader import DotnetProjectLoader
from tests.plugins.loader_cases import Case, check, read_cases

_CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in read_cases(_CASES)])
def test_case(case: Case) -> None:
    check(DotnetProjectLoader(), case)
