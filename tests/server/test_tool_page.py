"""docs/tools.md against the tools."""

from __future__ import annotations

import re
from pathlib import Path

from codemap_core.config import HARD_CAPS, BudgetLimits
from codemap_core.errors import ErrorCode
from codemap_server.tool_page import built_in_families, with_tables

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"


def test_the_tables_are_those_of_the_tools() -> None:
    """After a change: python -m codemap_server.tool_page docs/tools.md"""
    text = PAGE.read_text(encoding="utf-8")
    assert with_tables(text, built_in_families()) == text
    assert "| `query` | string |" in text


def test_every_error_code_is_documented() -> None:
    errors = PAGE.read_text(encoding="utf-8").partition("## Errors")[2]
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", errors, re.M))
    assert documented == {code.value for code in ErrorCode} - {ErrorCode.COMPILATION_FAILED.value}


def test_the_budgets_are_those_of_the_settings() -> None:
    rows = re.findall(r"^\| `(max_\w+)` \| ([\d,]+) \| ([\d,]+)", PAGE.read_text(encoding="utf-8"), re.M)
    assert rows
    for name, default, cap in rows:
        assert int(default.replace(",", "")) == getattr(BudgetLimits(), name)
        assert int(cap.replace(",", "")) == getattr(HARD_CAPS, name)
