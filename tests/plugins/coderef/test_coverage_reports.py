"""Reports of the three formats, and what is done about hostile ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemap_plugins.coderef.coverage_reports import find_reports, read_report

COBERTURA = """<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage><sources><source>/build/src</source></sources><packages><package><classes>
<class name="Order" filename="Shop\\Order.cs"><methods><method><lines><line number="3" hits="0"/></lines></method></methods>
<lines><line number="3" hits="2"/><line number="4" hits="0"/></lines></class>
</classes></package></packages></coverage>
"""
OPENCOVER = """<CoverageSession><Modules><Module><Files><File uid="7" fullPath="C:\\build\\src\\Shop\\Order.cs"/></Files>
<Classes><Class><Methods><Method><SequencePoints>
<SequencePoint vc="5" sl="3" el="4" fileid="7"/><SequencePoint vc="0" sl="9" el="9" fileid="7"/>
<SequencePoint vc="1" sl="1" el="1" fileid="8"/></SequencePoints></Method></Methods></Class></Classes></Module></Modules></CoverageSession>
"""
LCOV = "TN:\nSF:src/Shop/Order.cs\nDA:3,1\nDA:4,0,abc\nDA:bad\nend_of_record\nDA:9,9\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("coverage.cobertura.xml", COBERTURA, {"/build/src/Shop/Order.cs": {3: 2, 4: 0}}),
        ("coverage.opencover.xml", OPENCOVER, {"C:/build/src/Shop/Order.cs": {3: 5, 4: 5, 9: 0}}),
        ("lcov.info", LCOV, {"src/Shop/Order.cs": {3: 1, 4: 0}}),
    ],
)
def test_hits_are_read_by_line(tmp_path: Path, name: str, text: str, expected: dict[str, dict[int, int]]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_report(path) == expected


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><coverage>&b;</coverage>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><coverage><source>&a;</source></coverage>',
        "<coverage><unfinished>",
        "",
    ],
)
def test_a_report_that_cannot_be_trusted_or_read_says_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "coverage.cobertura.xml"
    path.write_text(text, encoding="utf-8")
    assert read_report(path) == {}


def test_reports_are_found_where_runners_leave_them_and_links_are_not_followed(tmp_path: Path) -> None:
    places = (
        "lcov.info",
        "tests/Shop.Tests/TestResults/0a1b/coverage.cobertura.xml",
        "tests/Shop.Tests/coverage.opencover.xml",
        "coverage/out.info",
        "coverage/lcov.shop.info",
        "src/elsewhere/coverage.cobertura.xml",
        "tests/Shop.Tests/readme.xml",
    )
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("x", encoding="utf-8")
    (tmp_path / "artifacts").symlink_to(tmp_path / "src" / "elsewhere")
    found = find_reports(tmp_path, iter(["tests/Shop.Tests"]))
    assert [each.relative_to(tmp_path).as_posix() for each in found] == [
        "coverage/lcov.shop.info",
        "lcov.info",
        "tests/Shop.Tests/TestResults/0a1b/coverage.cobertura.xml",
        "tests/Shop.Tests/coverage.opencover.xml",
    ]
