"""Reads tables off the syntax tree that sqlglot makes of SQL. What it does not take, or takes for a command that it does not know, is
left to ``sql_scanned``; so is what nests too deeply for it, and what is too long to be worth its time.
"""

from __future__ import annotations

import logging
from typing import Final

import sqlglot
from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from codemap_plugins.db_table.sql_mentions import Mention, Statement, Use
from codemap_plugins.db_table.sql_tokens import keywords

_LONGEST: Final = 20_000
"""Characters; sqlglot reads a megabyte in about four seconds."""
_UNDERSTOOD: Final = (
    exp.Query,
    exp.DML,
    exp.Merge,
    exp.Create,
    exp.Alter,
    exp.Drop,
    exp.TruncateTable,
    exp.Set,
    exp.Declare,
    exp.Pragma,
    exp.Use,
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
)
_DEFINED: Final[dict[type[exp.Expr], Use]] = {
    exp.Create: Use.CREATE,
    exp.Alter: Use.ALTER,
    exp.Drop: Use.DROP,
    exp.TruncateTable: Use.TRUNCATE,
    exp.Index: Use.INDEX,
    exp.Into: Use.SELECT_INTO,
}
_VERBS: Final = keywords("ALTER CREATE DECLARE DELETE DROP EXEC EXECUTE IF INSERT MERGE PRINT SET TRUNCATE UPDATE USE")
_SEEN_THROUGH: Final = (exp.Schema, exp.Subquery, exp.Paren, exp.Table, exp.Tuple)

logging.getLogger(sqlglot.__name__).setLevel(
    logging.ERROR
)  # what it warns of is that it did not understand: such texts are scanned


def parse(text: str, dialect: str) -> list[Statement] | None:
    """What each statement mentions, or None where sqlglot does not understand all of it. ``dialect``: a name of sqlglot's."""
    if len(text) > _LONGEST:
        return None
    try:
        trees = sqlglot.parse(text, dialect=dialect, error_level=ErrorLevel.IMMEDIATE)
    except (SqlglotError, RecursionError):
        return None
    if not all(tree is None or isinstance(tree, _UNDERSTOOD) for tree in trees):
        return None
    found = [_statement(tree, text) for tree in trees if tree is not None]
    statements = [each for each in found if each is not None]
    return statements if len(statements) == len(found) else None


def _statement(tree: exp.Expr, text: str) -> Statement | None:
    found = Statement([], {}, set())
    for node in tree.walk():
        match node:
            case exp.Command() | exp.Heredoc():
                return None  # a statement it does not know; the body of a routine, kept as text
            case exp.Alias() | exp.TableAlias() if _begins_a_statement(node):
                return None
            case exp.DML() if any(isinstance(each.this, exp.Func) for each in _targets(node)):
                return None  # DELETE TOP (5) t, read as a function
            case exp.Returning() if isinstance(into := node.args.get("into"), exp.Identifier):
                found.mentions.append(Mention(into.name, "", Use.INTO, into.meta.get("start", 0)))
            case exp.CTE():
                found.expressions.add(node.alias.lower())
            case exp.Subquery() if node.alias:
                found.aliases[node.alias.lower()] = None
            case exp.Table():
                mention = _mention(node, text)
                if node.alias:
                    found.aliases[node.alias.lower()] = mention
                if mention is not None:
                    found.mentions.append(mention)
    return found


def _targets(node: exp.Expr) -> list[exp.Expr]:
    """What INSERT, UPDATE or DELETE acts on."""
    return [each for each in (node.this, *(node.args.get("tables") or ())) if isinstance(each, exp.Table)]


def _begins_a_statement(alias: exp.Expr) -> bool:
    """Of a batch without semicolons: what reads as an alias is the next statement."""
    name = alias.args.get("alias") if isinstance(alias, exp.Alias) else alias.this
    return isinstance(name, exp.Identifier) and not name.quoted and name.name.upper() in _VERBS


def _mention(table: exp.Table, text: str) -> Mention | None:
    """None for a function, a variable, a temporary table, and what a statement does not use as a table."""
    use = _use(table, text)
    if use is None or not isinstance(table.this, (exp.Identifier, exp.Dot)):
        return None
    parts = [part for part in table.parts if isinstance(part, exp.Identifier)]
    name = parts[-1]
    if name.args.get("temporary") or name.args.get("global_"):
        return None
    schema = parts[-2].name if len(parts) > 1 and table.args.get("db") != "" else ""
    return Mention(name.name, schema, use, _start(table))


def _start(table: exp.Table) -> int:
    """Offset of its name in the text."""
    start: int = table.parts[0].meta.get("start", 0)
    return start


def _use(table: exp.Table, text: str) -> Use | None:
    node: exp.Expr = table
    while (
        node.parent is not None and isinstance(node.parent, _SEEN_THROUGH) and node.arg_key in ("this", "expressions")
    ):
        node = node.parent
    parent, role = node.parent, node.arg_key
    match parent:
        case exp.From():
            return Use.FROM
        case exp.Join():
            return _listed(parent) if text[: _start(table)].rstrip().endswith(",") else Use.JOIN
        case exp.Insert() | exp.Merge() if role == "this":
            return Use.INTO
        case exp.Merge() if role == "using":
            return Use.USING
        case exp.Update() if role == "this":
            return Use.UPDATE
        case exp.Delete():
            return Use.USING if role == "using" else Use.DELETE
        case exp.Create() | exp.Drop() if parent.args.get("kind") != "TABLE":
            return None
        case exp.Create() | exp.Alter() | exp.Drop() | exp.TruncateTable() | exp.Index() | exp.Into():
            return _DEFINED[type(parent)]
    return None


def _listed(comma: exp.Join) -> Use:
    """What a table after a comma is for: as the one that the list begins with."""
    first = comma.parent
    return Use.UPDATE if isinstance(first, exp.Table) and isinstance(first.parent, exp.Update) else Use.FROM
