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
OLD_OPENCOVER = """<CoverageSession><Modules><Module><Files><File uid="7" fullPath="C:\\build\\Order.cs"/></Files>
<Classes><Class><Methods><Method><FileRef uid="7"/><SequencePoints><SequencePoint vc="5" sl="3" el="3"/></SequencePoints></Method>
<Method><SequencePoints><SequencePoint vc="1" sl="4" el="4"/></SequencePoints></Method>
<Method><FileRef uid="7"/><SequencePoints><SequencePoint vc="1" sl="16707566" el="16707566"/></SequencePoints></Method>
</Methods></Class></Classes></Module></Modules></CoverageSession>
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


def test_older_reports_of_opencover_say_the_file_in_the_method(tmp_path: Path) -> None:
    path = tmp_path / "opencover.xml"
    path.write_text(OLD_OPENCOVER, encoding="utf-8")
    assert read_report(path) == {"C:/build/Order.cs": {3: 5}}


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("lcov.info", "SF:src/Bär.cs\nDA:3,1\n", "utf-8-sig"),
        ("lcov.info", "SF:src/Bär.cs\nDA:3,1\n", "utf-16"),
        ("lcov.info", "SF:src/Bär.cs\r\nDA:3,1\r\n", "utf-8"),
        ("cobertura.xml", '<?xml version="1.0" encoding="utf-16"?>', "utf-8"),
        ("cobertura.xml", "<?xml version='1.0' encoding='UTF-16'?>", "utf-8-sig"),
        ("cobertura.xml", '<?xml version="1.0" encoding="utf-16"?>', "utf-16"),
        ("cobertura.xml", '<?xml version="1.0" encoding="utf-8"?>', "utf-16"),
        ("cobertura.xml", '<?xml version="1.0" encoding="windows-1252"?>', "cp1252"),
        ("cobertura.xml", "", "utf-8"),
    ],
)
def test_reports_are_read_in_the_encoding_that_they_have(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    if name.endswith(".xml"):
        text += '<coverage><class filename="src/Bär.cs"><line number="3" hits="1"/></class></coverage>'
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    assert read_report(path) == {"src/Bär.cs": {3: 1}}


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0" encoding="klingon"?><coverage/>',
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
