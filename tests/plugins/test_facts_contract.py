"""Every rule of the contract of facts names the specifications and tests that would fail without it (``facts_contract.toml``), and every
section of the specifications is named by a rule or goes beyond the contract."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "testdata/mdtest/facts"
_CONTRACT: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("facts_contract.toml").read_text("utf-8")
)
BEYOND: Final = {f"{page}#{section}" for page, sections in _CONTRACT["beyond"].items() for section in sections}
RULES: Final = {
    f"{kind}: {rule}": tried for kind, rules in _CONTRACT.items() if kind != "beyond" for rule, tried in rules.items()
}


def sections() -> set[str]:
    return {
        f"{page.stem}#{section}"
        for page in PAGES.glob("*.md")
        for section in re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }


def exists(tried: str) -> bool:
    path, _, function = tried.partition("::")
    if not function:
        return tried in sections()
    file = ROOT / path
    return (
        file.exists() and re.search(rf"^def {function}\(", file.read_text(encoding="utf-8"), re.MULTILINE) is not None
    )


def test_every_rule_names_what_tries_it() -> None:
    assert {rule: tried for rule, tried in RULES.items() if not tried or not all(map(exists, tried))} == {}


def test_every_section_belongs_to_a_rule_or_goes_beyond() -> None:
    of_rules = {each for tried in RULES.values() for each in tried if "#" in each}
    assert sections() - of_rules - BEYOND == set(), "sections that no rule names"
    assert BEYOND - sections() == set(), "sections that are not there"
    assert BEYOND & of_rules == set(), "sections that a rule names"
