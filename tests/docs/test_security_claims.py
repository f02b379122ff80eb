"""docs/security.md claim by claim: each names tests that exist, and no test is named for a claim that is gone. What no other test tries is
tried here."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.docs.test_claims import sentences

PACKAGES: Final = ("codemap_core", "codemap_plugins", "codemap_server", "migrations")
ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
TABLE: Final = tomllib.loads(Path(__file__).with_name("security_claims.toml").read_text(encoding="utf-8"))
_ITEM: Final = re.compile(r"^- (.*(?:\n  .*)*)", re.MULTILINE)
CLAIMS: Final = [re.sub(r"\s+", " ", each) for each in _ITEM.findall(PAGE)]
TESTS: Final = sorted({name for part in ("tests", "prose") for names in TABLE[part].values() for name in names})
PROGRAMS: Final = {
    "codemap_core/repository/git_process.py": "git",
    "codemap_core/queries/search/pattern_process.py": "this program",
    "codemap_plugins/codeagent/vector_process.py": "this program",
    "codemap_server/child_process.py": "this program",
    "codemap_server/index_process.py": "this program",
    "codemap_server/cli/editor.py": "the user's editor",
}
"""Every module that starts a program, and which."""


def test_every_claim_stands_in_the_table_once() -> None:
    beginnings = [*TABLE["tests"], *TABLE["advice"]]
    for claim in CLAIMS:
        assert [each for each in beginnings if claim.startswith(each)], f"no test is named for: {claim[:80]}"
    for each in beginnings:
        assert sum(claim.startswith(each) for claim in CLAIMS) == 1, f"the page does not say this, or twice: {each}"


def test_every_sentence_between_the_claims_is_known() -> None:
    known = [*TABLE["prose"], *TABLE["says_nothing"]["sentences"]]
    found = list(sentences(_ITEM.sub("", PAGE)))
    assert [each for each in found if not each.startswith(tuple(known))] == []
    assert [each for each in known if sum(one.startswith(each) for one in found) != 1] == []


def modules_importing(*names: str) -> set[str]:
    sources = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    pattern = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(names)})\b", re.MULTILINE)
    return {path.relative_to(ROOT).as_posix() for path in sources if pattern.search(path.read_text(encoding="utf-8"))}


def test_git_alone_is_started_for_a_repository() -> None:
    assert modules_importing("subprocess", "pty") == PROGRAMS.keys()
    text = {path: (ROOT / path).read_text(encoding="utf-8") for path in PROGRAMS}
    assert [
        path for path, which in PROGRAMS.items() if (which == "this program") != ("sys.executable" in text[path])
    ] == []


def test_nothing_is_a_pickle() -> None:
    assert modules_importing("pickle", "marshal", "shelve", "dill") == set()


@pytest.mark.parametrize("name", TESTS)
def test_a_test_that_is_named_exists(name: str) -> None:
    path, _, function = name.partition("::")
    assert re.search(rf"^(?:async )?def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name
