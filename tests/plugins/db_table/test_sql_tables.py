"""SQL as text: which tables it names, read off its words."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from codemap_plugins.db_table.sql_tables import is_statement, sql_tables

CASES: Final[list[dict[str, Any]]] = tomllib.loads(Path(__file__).with_name("sql_cases.toml").read_text("utf-8"))[
    "case"
]


def named(sql: str) -> list[str]:
    tables = sql_tables(sql)
    return [f"{each.use} {each.schema}.{each.table}" if each.schema else f"{each.use} {each.table}" for each in tables]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["rule"])
def test_the_tables_of_a_text(case: dict[str, Any]) -> None:
    assert named(case["sql"]) == case["tables"]


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


@pytest.mark.parametrize("separator", [" ", "\n;\n", "\nGO\n"], ids=["space", "semicolon", "GO"])
def test_statements_that_follow_each_other_are_read_one_by_one(separator: str) -> None:
    wrong = {}
    for (first, of_first), (second, of_second) in itertools.product(statements_about(1), statements_about(2)):
        text = first + separator + second
        if sorted(named(text)) != sorted(of_first + of_second):
            wrong[text] = named(text)
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
    assert {each.table for each in sql_tables(text)} == {"a"}


def test_what_is_too_long_is_data() -> None:
    assert sql_tables("SELECT * FROM a " + " " * 1_000_000) == ()


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
