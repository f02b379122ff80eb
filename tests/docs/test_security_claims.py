"""docs/security.md claim by claim: each names tests that exist, and no test is named for a claim that is gone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TABLE: Final = tomllib.loads(Path(__file__).with_name("security_claims.toml").read_text(encoding="utf-8"))
CLAIMS: Final = [re.sub(r"\s+", " ", each) for each in re.findall(r"^- (.*(?:\n  .*)*)", PAGE, re.MULTILINE)]
TESTS: Final = sorted({name for names in TABLE["tests"].values() for name in names})


def test_every_claim_stands_in_the_table_once() -> None:
    beginnings = [*TABLE["tests"], *TABLE["advice"]]
    for claim in CLAIMS:
        assert [each for each in beginnings if claim.startswith(each)], f"no test is named for: {claim[:80]}"
    for each in beginnings:
        assert sum(claim.startswith(each) for claim in CLAIMS) == 1, f"the page does not say this, or twice: {each}"


@pytest.mark.parametrize("name", TESTS)
def test_a_test_that_is_named_exists(name: str) -> None:
    path, _, function = name.partition("::")
    assert re.search(rf"^(?:async )?def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name
