"""SQL as text: which tables it names, read by a parser where one understands it and off its words where none does."""

from __future__ import annotations

import itertools
import logging
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from codemap_plugins.db_table.sql_mentions import Statement, changed_rows, tables_of
from codemap_plugins.db_table.sql_parsed import parse
from codemap_plugins.db_table.sql_scanned import scan
from codemap_plugins.db_table.sql_tables import is_statement, sql_tables
from codemap_plugins.db_table.sql_tokens import tokens_of

CASES: Final[list[dict[str, Any]]] = tomllib.loads(Path(__file__).with_name("sql_cases.toml").read_text("utf-8"))[
    "case"
]
DIALECTS: Final = ("", "tsql", "postgres", "mysql", "sqlite", "oracle")


def named(sql: str, dialect: str) -> list[str]:
    tables = sql_tables(sql, dialect)
    return [f"{each.use} {each.schema}.{each.table}" if each.schema else f"{each.use} {each.table}" for each in tables]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["rule"])
def test_the_tables_of_a_text(case: dict[str, Any]) -> None:
    assert named(case["sql"], case.get("dialect", "")) == case["tables"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_wrong_guess_at_the_dialect_changes_nothing(dialect: str) -> None:
    differing = {case["rule"]: named(case["sql"], dialect) for case in CASES}
    assert differing == {case["rule"]: case["tables"] for case in CASES}


@pytest.mark.parametrize("case", [case for case in CASES if "{" not in case["sql"]], ids=lambda case: case["rule"])
def test_words_alone_tell_what_a_parser_tells(case: dict[str, Any]) -> None:
    sql = case["sql"]
    assert shown(scan(tokens_of(sql)), changed_rows(sql)) == sorted(case["tables"])


def test_what_is_plain_is_read_without_the_parser() -> None:
    """It takes a while to import, in every process that reads SQL."""
    plain = (
        "SELECT REPLACE(o.Note, 'a', 'b'), MAX(p.At) FROM [shop].[Orders] AS o LEFT JOIN Payments p ON p.Id = o.Id "
        "WHERE EXISTS (SELECT 1 FROM Open)"
    )
    several = "DELETE FROM [a].[One]; DELETE FROM [a].[Two]\nUPDATE Three SET At = 1"
    hard = "WITH recent AS (SELECT * FROM Orders) SELECT * FROM recent"
    program = (
        "import sys\n"
        "from codemap_plugins.db_table.sql_tables import sql_tables\n"
        "for text in sys.argv[1:]: print([each.table for each in sql_tables(text)], 'sqlglot' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, plain, several, hard], capture_output=True, text=True, check=True
    ).stdout
    assert said.splitlines() == [
        "['Orders', 'Payments', 'Open'] False",
        "['One', 'Two', 'Three'] False",
        "['Orders'] True",
    ]


def shown(statements: list[Statement], no_tables: frozenset[str] = frozenset()) -> list[str]:
    tables = tables_of(statements, no_tables)
    return sorted(
        f"{each.use} {each.schema}.{each.table}" if each.schema else f"{each.use} {each.table}" for each in tables
    )


def statements_about(n: int) -> list[tuple[str, list[str]]]:
    """Statements, each with what it names; those of another number name others."""
    return [
        (f"SELECT * FROM a{n}", [f"from a{n}"]),
        (f"SELECT x FROM a{n} t{n} WHERE t{n}.x = 1", [f"from a{n}"]),
        (f"SELECT x FROM a{n}, b{n} GROUP BY x HAVING COUNT(*) > 1 ORDER BY x", [f"from a{n}", f"from b{n}"]),
        ("SELECT SCOPE_IDENTITY()", []),
        (f"INSERT INTO a{n} (x) VALUES (1)", [f"into a{n}"]),
        (f"INSERT a{n} VALUES (1)", [f"into a{n}"]),
        (f"INSERT INTO a{n} SELECT * FROM b{n}", [f"from b{n}", f"into a{n}"]),
        (f"UPDATE a{n} SET x = 1 WHERE y = @y", [f"update a{n}"]),
        (f"UPDATE t{n} SET x = 1 FROM s.a{n} t{n}", [f"update s.a{n}"]),
        (f"DELETE FROM a{n}", [f"delete a{n}"]),
        (f"DELETE t{n} FROM a{n} t{n} JOIN b{n} ON 1 = 1", [f"delete a{n}", f"join b{n}"]),
        (f"WITH c{n} AS (SELECT * FROM a{n}) SELECT * FROM c{n}", [f"from a{n}"]),
        (
            f"MERGE a{n} AS t USING b{n} AS s ON t.i = s.i WHEN MATCHED THEN UPDATE SET x = 1",
            [f"into a{n}", f"using b{n}"],
        ),
        (f"CREATE TABLE a{n} (x int)", [f"create a{n}"]),
        (f"ALTER TABLE a{n} ADD x int", [f"alter a{n}"]),
        (f"DROP TABLE a{n}", [f"drop a{n}"]),
        (f"TRUNCATE TABLE a{n}", [f"truncate a{n}"]),
        (f"DECLARE @x{n} int", []),
        (f"EXEC sp_x{n}", []),
        (f"IF @x = 1 BEGIN DELETE FROM a{n} END", [f"delete a{n}"]),
        ("PRINT 'from x'", []),
    ]


@pytest.mark.parametrize("dialect", ["tsql", "sqlite"])
@pytest.mark.parametrize("separator", [" ", "\n;\n", "\nGO\n"], ids=["space", "semicolon", "GO"])
def test_statements_that_follow_each_other_are_read_one_by_one(separator: str, dialect: str) -> None:
    wrong = {}
    for (first, of_first), (second, of_second) in itertools.product(statements_about(1), statements_about(2)):
        text, expected = first + separator + second, sorted(of_first + of_second)
        parsed = parse(text, dialect)
        for found in (scan(tokens_of(text)), parsed if parsed is not None else scan(tokens_of(text))):
            if shown(found) != expected:
                wrong[text] = shown(found)
    assert wrong == {}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * 20_000 + "1" + ")" * 20_000 + " FROM a",
        "SELECT * FROM a WHERE x IN (" + "(SELECT x FROM a WHERE x IN " * 5_000 + "(1" + ")" * 10_000,
        "SELECT * FROM a WHERE " + " AND ".join(f"x{n} = {n}" for n in range(8_000)),
        "SELECT * FROM a " + "[" * 100_000,
        "SELECT * FROM a " + "/*" * 50_000,
        "SELECT * FROM a WHERE x = '" + "''" * 50_000,
        'SELECT * FROM a WHERE x = "' + "x" * 100_000,
        "INSERT INTO a VALUES " + ",".join("(1, 'x')" for _ in range(15_000)),
        "SELECT CASE " + "WHEN 1 THEN CASE " * 5_000 + " FROM a",
        "SELECT * FROM a WHERE x = {" + "1" * 100_000 + " {?" * 10_000,
    ],
    ids=[
        *("parentheses", "subqueries", "conditions", "brackets", "comments", "quotes", "an unclosed name", "rows"),
        *("cases", "places"),
    ],
)
def test_a_hostile_text_is_read_or_left(text: str) -> None:
    assert {each.table for each in sql_tables(text, "tsql")} <= {"a"}
    assert {each.table for each in sql_tables(text)} == {"a"}


def test_what_is_too_long_is_data() -> None:
    assert sql_tables("SELECT * FROM a " + " " * 1_000_000) == ()


def test_the_parser_says_nothing_of_what_it_does_not_know(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert parse("DECLARE c CURSOR FOR SELECT * FROM a", "tsql") is None
    assert caplog.records == []


def test_a_process_that_reads_no_sql_does_not_load_the_parser() -> None:
    program = (
        "import sys; from codemap_plugins.db_table import extractor, plugin; "
        "from codemap_plugins.db_table.sql_tables import sql_tables; sql_tables('no statement'); "
        "print('sqlglot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_statement_begins_with_a_verb() -> None:
    texts = (
        "select 1",
        " -- x\n(SELECT 1)",
        "/* x */ WITH a AS (SELECT 1) SELECT 2",
        "exec p",
        "selection",
        "Orders",
        "",
    )
    assert [is_statement(each) for each in texts] == [True, True, True, True, False, False, False]
