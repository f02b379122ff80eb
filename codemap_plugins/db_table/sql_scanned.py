"""Reads tables off the words of SQL: of any dialect, of batches without semicolons, pieces and procedures (ADR 0121).

A table is named after FROM (and the commas of its list), JOIN, INSERT, MERGE, UPDATE and DELETE. What keeps those words from being what
they seem is known here: ``EXTRACT(YEAR FROM x)``, ``IS DISTINCT FROM``, ``FOR UPDATE``, ``ON DELETE CASCADE``, ``THEN UPDATE`` of MERGE.
One pass, without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from codemap_plugins.db_table.sql_mentions import DEFINING, Mention, Statement, Use
from codemap_plugins.db_table.sql_tokens import HOLE_WORD, Token, TokenKind, keywords

_END: Final = Token(TokenKind.MARK, "", -1)
_NO_NAMES: Final = keywords(
    """AND AS BEGIN BY CASE CREATE CROSS DELETE DROP ELSE END EXCEPT EXEC EXECUTE EXISTS FOR FROM FULL GROUP HAVING IF
    IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LIMIT MERGE NOT NULL ON OR ORDER OUTER RIGHT SELECT SET STDIN
    STDOUT THEN UNION UNPIVOT UPDATE USING VALUES WHEN WHERE WITH"""
)
"""Words that no table is called without quotation marks."""
_NO_ALIASES: Final = _NO_NAMES | keywords(
    """ALTER APPLY COMMIT CONNECT DECLARE DEFAULT DO FETCH FORCE GO IGNORE LOCK MATCH NATURAL OFFSET OPTION OUTPUT
    PARTITION PIVOT PRINT QUALIFY RETURN RETURNING ROLLBACK START STRAIGHT_JOIN TABLESAMPLE TRUNCATE USE WHILE
    WINDOW"""
)
_HINTS: Final = keywords(
    """FORCESEEK HOLDLOCK INDEX NOLOCK NOWAIT PAGLOCK READCOMMITTED READPAST READUNCOMMITTED REPEATABLEREAD ROWLOCK
    SERIALIZABLE SNAPSHOT TABLOCK TABLOCKX UPDLOCK XLOCK"""
)
"""What stands in parentheses after a table, where after a function its arguments do."""
_WITH_FROM: Final = frozenset({"EXTRACT", "TRIM", "SUBSTRING", "OVERLAY", "POSITION"})
"""Functions that have FROM among their arguments."""
_NOT_READING: Final = frozenset({"FETCH", "REVOKE", "GRANT", "DENY", "COPY", "SHOW", "BACKUP", "RESTORE"})
"""Statements whose FROM names no table."""
_NOT_ACTING: Final = frozenset({"THEN", "ON", "AFTER", "BEFORE", "FOR", "OF", "OR", "DO", "KEY", ","})
"""Before UPDATE, DELETE or INSERT: a clause of another statement."""
_BETWEEN: Final = keywords(
    """DELAYED EXTERNAL HIGH_PRIORITY IGNORE INTO LATERAL LOW_PRIORITY ONLY OVERWRITE QUICK TABLE TEMP TEMPORARY
    UNLOGGED"""
)
"""Words between what a statement does and the table it does it to."""
_TABLE_PREFIXES: Final = keywords("EXTERNAL GLOBAL LOCAL OR REPLACE TEMP TEMPORARY UNLOGGED FOREIGN")
_LISTED: Final = {Use.JOIN: Use.FROM} | {
    use: use for use in (Use.FROM, Use.UPDATE, Use.DELETE, Use.USING, Use.DROP, Use.TRUNCATE)
}
"""After which tables a comma is followed by another one, and what that is for."""
_DEFINED: Final = DEFINING - {Use.SELECT_INTO}
_CLAUSES: Final = keywords(
    "WHERE GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT VALUES RETURNING OUTPUT OPTION WHEN FOR WINDOW SET"
)
"""Words that end a list of tables."""


class _Frame:
    """One level of parentheses. ``listed``: what a comma is followed by; ``verb``: the statement; ``is_source``: the parentheses hold
    what could be a table; ``names_expressions``: a comma is followed by a common table expression."""

    __slots__ = ("is_silent", "is_source", "listed", "names_expressions", "verb")

    def __init__(self, is_silent: bool = False, is_source: bool = False) -> None:
        self.is_silent = is_silent
        self.is_source = is_source
        self.listed: Use | None = None
        self.names_expressions = False
        self.verb = ""


def scan(tokens: Sequence[Token]) -> list[Statement]:
    """What each statement mentions; a batch without semicolons counts as one."""
    return _Scan(tokens).statements()


def _goes_on(tokens: Sequence[Token]) -> bool:
    """Whether a list goes on that a hole begins, ``{with}, recent AS (…)``: at the head of a text that is one of expressions."""
    return len(tokens) > 1 and tokens[0].text.startswith(HOLE_WORD) and tokens[1].text == ","


def _is_quoted_name(token: Token, use: Use) -> bool:
    """SQLite takes a text for a name where no text may stand. Elsewhere than in definitions it may be the name of a file."""
    return use in _DEFINED and token.kind is TokenKind.VALUE and token.text.startswith("'")


class _Scan:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens: Final = tokens
        self._is_routine: Final = any(each.kind is TokenKind.MARK and each.text == "$" for each in tokens)
        """PostgreSQL's: its body stands between ``$$``, and what ``SELECT … INTO`` fills there are its variables."""
        self._at = 0
        self._frames = [_Frame()]
        self._frame.names_expressions = _goes_on(tokens)
        self._found = [Statement([], {}, set())]
        self._handlers: Final[Mapping[str, Callable[[], None]]] = {
            "ALTER": self._define,
            "AS": self._as,
            "BEGIN": self._as,
            "BULK": self._verb,
            "COPY": self._verb,
            "CREATE": self._define,
            "BACKUP": self._verb,
            "DELETE": self._delete,
            "DENY": self._verb,
            "DROP": self._define,
            "FETCH": self._verb,
            "FROM": self._from,
            "GO": self._separate,
            "GRANT": self._verb,
            "INSERT": self._insert,
            "INTO": self._into,
            "JOIN": self._join,
            "MERGE": self._merge,
            "ON": self._on,
            "REPLACE": self._replace,
            "RESTORE": self._verb,
            "RETURNING": self._verb,
            "REVOKE": self._verb,
            "SELECT": self._verb,
            "SHOW": self._verb,
            "STRAIGHT_JOIN": self._join,
            "TRUNCATE": self._truncate,
            "UPDATE": self._update,
            "USING": self._using,
            "WITH": self._with,
        }

    def statements(self) -> list[Statement]:
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.keyword:
                if token.keyword in _CLAUSES:
                    self._frame.listed = None
                handler = self._handlers.get(token.keyword)
                if handler is not None:
                    handler()
            elif token.kind is TokenKind.MARK:
                self._mark(token.text)
        return self._found

    # Tokens

    @property
    def _frame(self) -> _Frame:
        return self._frames[-1]

    def _token(self, ahead: int = 0) -> Token:
        at = self._at + ahead
        return self._tokens[at] if 0 <= at < len(self._tokens) else _END

    def _before(self) -> str:
        """The word or mark before the word that is being handled."""
        token = self._token(-2)
        return token.keyword or token.text

    def _skip(self, words: frozenset[str]) -> None:
        while self._token().keyword in words:
            self._at += 1

    def _mark(self, mark: str) -> None:
        frame = self._frame
        if mark == "(":
            self._frames.append(_Frame(is_silent=self._token(-2).keyword in _WITH_FROM))
        elif mark == ")" and len(self._frames) > 1:
            self._frames.pop()
            if frame.is_source:
                self._alias(None)
        elif mark == ";":
            self._separate()
        elif mark == "," and frame.names_expressions:
            self._expression()
        elif mark == "," and frame.listed is not None:
            self._source(frame.listed)

    def _separate(self) -> None:
        self._frames = [_Frame()]
        self._found.append(Statement([], {}, set()))

    # Statements

    def _verb(self) -> None:
        frame = self._frame
        frame.verb = self._token(-1).keyword
        frame.listed = None
        frame.names_expressions = False

    def _acts(self) -> bool:
        """Whether INSERT, UPDATE or DELETE begins a statement."""
        if self._before() in _NOT_ACTING or self._frame.verb in ("GRANT", "REVOKE", "DENY", "TRIGGER"):
            return False
        return self._token().text != "("

    def _insert(self) -> None:
        if not self._acts():
            return
        bulk = self._before() == "BULK"
        self._verb()
        if bulk:
            self._frame.verb = "COPY"
        if self._token().keyword == "OR":  # INSERT OR REPLACE INTO t
            self._at += 2
        self._skip_count()
        self._source(Use.INTO)

    def _replace(self) -> None:
        if self._token().keyword == "INTO":
            self._verb()
            self._source(Use.INTO)

    def _update(self) -> None:
        if not self._acts() or self._token().keyword == "STATISTICS":
            return
        self._verb()
        if self._token().keyword == "OR":  # UPDATE OR IGNORE t
            self._at += 2
        self._skip_count()
        self._source(Use.UPDATE)

    def _delete(self) -> None:
        if not self._acts():
            return
        self._verb()
        self._skip(_BETWEEN)
        self._skip_count()
        if self._token().keyword == "FROM":
            self._at += 1
        self._source(Use.DELETE)

    def _merge(self) -> None:
        if self._token().keyword not in ("JOIN", "UNION"):  # hints
            self._verb()
            self._skip_count()
            self._source(Use.INTO)

    def _truncate(self) -> None:
        if self._token().text != "(":
            self._verb()
            self._source(Use.TRUNCATE)

    def _define(self) -> None:
        """CREATE, ALTER, DROP: only of tables and of indexes, whose table follows ON."""
        verb = self._token(-1).keyword
        self._verb()
        at = self._at
        while self._token().keyword in _TABLE_PREFIXES:
            self._at += 1
        what = self._token().keyword
        if what == "TABLE":
            self._at += 1
            self._skip(frozenset({"IF", "NOT", "EXISTS"}))
            self._source(Use[verb])
            return
        self._at = at
        words = [self._token(ahead).keyword for ahead in range(4)]
        if "INDEX" in words:
            self._frame.verb = "INDEX"
        elif "TRIGGER" in words:
            self._frame.verb = "TRIGGER"

    def _on(self) -> None:
        if self._frame.verb == "INDEX":
            self._frame.verb = ""
            self._source(Use.INDEX)

    def _as(self) -> None:
        if self._frame.verb == "TRIGGER":
            self._frame.verb = ""

    # Clauses

    def _from(self) -> None:
        frame = self._frame
        if not (frame.is_silent or frame.verb in _NOT_READING or self._before() == "DISTINCT"):
            self._source(Use.FROM)

    def _join(self) -> None:
        self._source(Use.JOIN)

    def _using(self) -> None:
        verb = self._frame.verb
        if verb == "MERGE" or (verb == "DELETE" and self._token().text != "("):
            self._source(Use.USING)

    def _into(self) -> None:
        verb = self._frame.verb
        if verb in ("INSERT", "UPDATE", "DELETE", "MERGE"):  # OUTPUT … INTO t, INSERT ALL INTO t
            self._source(Use.INTO)
        elif verb == "SELECT" and not self._is_routine:
            self._source(Use.SELECT_INTO)

    def _with(self) -> None:
        if self._token().keyword == "RECURSIVE":
            self._at += 1
        self._expression()

    def _expression(self) -> None:
        """``name [(columns)] AS [[NOT] MATERIALIZED] (``, up to the parenthesis."""
        at, name = self._at, self._token()
        self._frame.names_expressions = False
        if name.kind not in (TokenKind.WORD, TokenKind.NAME):
            return
        self._at += 1
        if self._token().text == "(":
            self._skip_parentheses()
        if self._token().keyword != "AS":
            self._at = at
            return
        self._at += 1
        self._skip(frozenset({"NOT", "MATERIALIZED"}))
        if self._token().text == "(":
            self._found[-1].expressions.add(name.text.lower())
            self._frame.names_expressions = True
        else:
            self._at = at

    def _skip_count(self) -> None:
        """``TOP (10) PERCENT``."""
        if self._token().keyword == "TOP":
            self._at += 1
            if self._token().text == "(":
                self._skip_parentheses()
            else:
                self._at += 1
            self._skip(frozenset({"PERCENT"}))

    def _skip_parentheses(self) -> None:
        depth = 0
        while (token := self._token()) is not _END:
            self._at += 1
            if token.kind is TokenKind.MARK:
                depth += (token.text == "(") - (token.text == ")")
                if depth == 0:
                    return

    # Tables

    def _source(self, use: Use) -> None:
        """What stands where a table may: a name, a function, a variable, a subquery or a join in parentheses."""
        frame = self._frame
        frame.listed = _LISTED.get(use)
        self._skip(_BETWEEN)
        while self._token().text == "(" and self._token().kind is TokenKind.MARK:
            self._at += 1
            self._frames.append(_Frame(is_source=True))
            if self._token().keyword in ("SELECT", "WITH", "VALUES"):
                return
            self._frame.listed = Use.FROM
        token = self._token()
        if token.kind is TokenKind.VALUE and not _is_quoted_name(token, use):
            self._at += 1
            self._alias(None)
            return
        mention = self._name(use)
        if mention is None:
            return
        is_called = self._token().text == "(" and use in (Use.FROM, Use.JOIN, Use.USING)
        if is_called and self._token(1).keyword not in _HINTS:
            self._frames.append(_Frame(is_source=True))
            self._at += 1
            return
        self._found[-1].mentions.append(mention)
        self._alias(mention)

    def _name(self, use: Use) -> Mention | None:
        """A name of up to four parts; empty ones in between are allowed (``db..t``)."""
        first = self._token()
        if _is_quoted_name(first, use):
            self._at += 1
            return Mention(first.text.strip("'"), "", use, first.start)
        if first.kind not in (TokenKind.WORD, TokenKind.NAME) or first.keyword in _NO_NAMES:
            return None
        parts = [first.text]
        self._at += 1
        while self._token().text == "." and self._token().kind is TokenKind.MARK:
            self._at += 1
            part = self._token()
            if part.text == "." and part.kind is TokenKind.MARK:
                parts.append("")
                continue
            if part.kind not in (TokenKind.WORD, TokenKind.NAME, TokenKind.VALUE):
                return None
            parts.append(part.text)
            self._at += 1
        return Mention(parts[-1], parts[-2] if len(parts) > 1 else "", use, first.start)

    def _alias(self, meant: Mention | None) -> None:
        if self._token().keyword == "AS":
            self._at += 1
        name = self._token()
        if name.kind is TokenKind.NAME or (name.kind is TokenKind.WORD and name.keyword not in _NO_ALIASES):
            self._found[-1].aliases[name.text.lower()] = meant
            self._at += 1
