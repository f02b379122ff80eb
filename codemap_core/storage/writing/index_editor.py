"""IndexEditor: replaces whole documents of an index that exists, with everything they own, in one transaction of its caller.

What is replaced keeps its numbers: a document that of its file, so that rows of others which point at it (parts of a partial symbol)
stay valid; a project its own. New rows continue the numbers that the file has. Full-text tables are contentless: what was written there is
taken out by writing it again, from the rows and texts that it was made of.

Invariant: after ``finish`` the file holds what one built from scratch would, except for numbers, and for strings and symbol ids that
nothing uses any more.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

import msgspec
from msgspec import structs

from codemap_core.model import (
    DocumentRow,
    FactRow,
    LibrarySymbolRow,
    Problem,
    ProjectGraph,
    ReferenceRow,
    RelationRow,
    SymbolRow,
)
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_core.model.library_symbol import library_symbol_of
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.schema.fulltext import name_tokens
from codemap_core.storage.writing.document_records import DocumentRecord, encode_record
from codemap_core.storage.writing.fresh_baseline import insert_rows, insert_statement, set_info
from codemap_core.storage.writing.replaced_references import ReplacedReferences
from codemap_core.storage.writing.row_encoder import (
    FileNumbers,
    Interner,
    Numbers,
    Row,
    RowEncoder,
    compress_text,
    decompress_text,
    storable,
)

_COUNTED: Final = {
    "files": "file_count",
    "symbols": "symbol_count",
    "refs": "reference_count",
    "relations": "relation_count",
    "facts": "fact_count",
}
"""Tables whose rows ``info`` counts."""
_OWNED: Final = ("symbols", "relations", "facts", "file_projects", "document_records", "conclusions")
"""Tables whose rows have the number of the document that owns them. So have its references, and its text."""
_UNINDEX_SYMBOL: Final = (
    "INSERT INTO symbols_fts (symbols_fts, rowid, name_tokens, fqname, signature, documentation) "
    "VALUES ('delete', ?, ?, ?, ?, ?)"
)
_REFERRED: Final = (
    "SELECT to_symbol FROM relations WHERE file_id = ?",
    "SELECT symbol FROM facts WHERE file_id = ?",
)
_IS_REFERRED: Final = (
    "SELECT 1 FROM refs WHERE to_symbol = ? UNION ALL SELECT 1 FROM refs WHERE constructor = ? "
    "UNION ALL SELECT 1 FROM refs WHERE from_symbol = ? UNION ALL SELECT 1 FROM relations WHERE to_symbol = ? "
    "UNION ALL SELECT 1 FROM facts WHERE symbol = ? LIMIT 1"
)
_LED_TO: Final = (
    "SELECT container FROM library_symbols WHERE id IN (SELECT value FROM json_each(?)) "
    "UNION ALL SELECT base FROM library_bases WHERE symbol IN (SELECT value FROM json_each(?))"
)
"""Other library symbols that some need."""
_LIBRARIES_LET_GO: Final = (
    "SELECT id FROM library_symbols WHERE id IN (SELECT value FROM json_each(?)) "
    "AND NOT EXISTS (SELECT 1 FROM refs WHERE to_symbol = library_symbols.id) "
    "AND NOT EXISTS (SELECT 1 FROM refs WHERE constructor = library_symbols.id) "
    "AND NOT EXISTS (SELECT 1 FROM refs WHERE from_symbol = library_symbols.id) "
    "AND NOT EXISTS (SELECT 1 FROM relations WHERE to_symbol = library_symbols.id) "
    "AND NOT EXISTS (SELECT 1 FROM facts WHERE symbol = library_symbols.id)"
)
"""Of some symbols those of libraries that no row refers to."""
_LIBRARIES_OF_FACTS: Final = (
    "SELECT DISTINCT ids.symbol_id FROM facts JOIN library_symbols AS known ON known.id = facts.symbol "
    "JOIN symbol_ids AS ids ON ids.id = known.id"
)
_MOST_PENDING: Final = 1 << 15
"""References that wait in memory to be written; nothing has as many rows as they."""
_UNINDEX_FILE: Final = "INSERT INTO files_fts (files_fts, rowid, text) VALUES ('delete', ?, ?)"


class IndexEditor:
    """Order of calls: ``set_projects`` if projects changed; ``remove`` and ``put``; then what the documents that were put own, in any
    number of portions; at last ``finish``. Every owner of a row must have been put. Committing and rolling back are the caller's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """``connection``: to a complete index of this program's schema, in a transaction."""
        self._connection: Final = connection

        def last(table: str) -> int:
            return int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])

        self._files: Final = FileNumbers(lambda path: self._number("files", "path", path), last("files"))
        self._encoder: Final = RowEncoder(
            Numbers(
                Interner(lambda text: self._number("symbol_ids", "symbol_id", text), last("symbol_ids")),
                Interner(lambda text: self._number("strings", "value", text), last("strings")),
                dict(connection.execute("SELECT project_path, id FROM projects")),
                self._files,
                last("symbols"),
            )
        )
        self._pending: defaultdict[str, list[Row]] = defaultdict(list)
        self._counts: Counter[str] = Counter()
        self._problems: dict[str, list[Problem]] = {}
        self._libraries: dict[str, LibrarySymbolRow] = {}
        self._declared: Final[set[str]] = set()
        """Ids that the rows added so far declare."""
        self._let_go: set[int | None] = set()
        """Symbols that may be needed no more: what was taken out referred to them, or led to them."""
        self._references: Final = ReplacedReferences(connection)
        self._referring: Final[set[int]] = set()
        """Documents that were put and still have the references of before."""

    def set_projects(self, graph: ProjectGraph) -> None:
        """Replaces all projects and solutions. The documents of projects that go must be removed or put again."""
        kept = {project.project_path for project in graph.projects}
        known = {path for (path,) in self._connection.execute("SELECT project_path FROM projects")}
        self._connection.executemany("DELETE FROM projects WHERE project_path = ?", [(each,) for each in known - kept])
        self._connection.executemany(_replacing("projects"), list(self._encoder.projects(graph.projects)))
        self._connection.execute("DELETE FROM solutions")
        self._connection.executemany(insert_statement("solutions"), list(self._encoder.solutions(graph.solutions)))

    def remove(self, file_path: str) -> bool:
        """Removes a document with all its rows; whether there was one."""
        number = self._files.known(file_path)
        if number is None:
            return False
        self._take_out(number)
        self._replace_references(number, ())
        return True

    def put(self, document: DocumentRow) -> None:
        """Adds a document with its text, or replaces the one of its path with all its rows."""
        number = self._files.known(document.file_path)
        keeps_text = number is not None and document.text is not None and self._text(number) == document.text
        if number is not None:
            self._take_out(number, keeps_text)
            self._referring.add(number)
        row, projects = self._encoder.document(document)
        self._pending["files"].append(row)
        self._pending["file_projects"] += projects
        if document.text is not None and not keeps_text:
            self._pending["file_texts"].append((row[0], compress_text(document.text)))
            self._pending["files_fts"].append((row[0], storable(document.text)))

    def add_problems(self, file_path: str, problems: Iterable[Problem]) -> None:
        """Further problems of a document, found by a later stage."""
        self._problems.setdefault(file_path, []).extend(problems)

    def add_symbols(self, rows: Iterable[SymbolRow]) -> None:
        symbols = tuple(rows)
        self._declared.update(symbol.symbol_id for symbol in symbols)
        for row, searchable, parts in self._encoder.symbols(symbols):
            self._pending["symbols"].append(row)
            if searchable is not None:
                self._pending["symbols_fts"].append(searchable)
            self._pending["symbol_parts"] += parts

    def set_references(self, file_path: str, rows: Iterable[Iterable[ReferenceRow]]) -> None:
        """All references that a document owns which was put, in any number of portions."""
        encoded = chain.from_iterable(map(self._encoder.references, rows))
        self._replace_references(self._files[file_path], encoded)
        if len(self._pending["refs"]) >= _MOST_PENDING:
            self._flush()

    def add_relations(self, rows: Iterable[RelationRow]) -> None:
        self._add_owned("relations", self._encoder.relations(rows))

    def add_facts(self, rows: Iterable[FactRow]) -> None:
        self._add_owned("facts", self._encoder.facts(rows))

    def add_records(self, records: Iterable[tuple[str, str, DocumentRecord]]) -> None:
        """(file path, project path, record) of documents that were put."""
        encoder = self._encoder
        self._pending["document_records"] += [
            encoder.record(file_path, project_path, encode_record(each)) for file_path, project_path, each in records
        ]

    def add_conclusions(self, extractor: str, said: Mapping[str, bytes]) -> None:
        """The encoded rows that an extractor concluded of documents that were put, by path."""
        self._pending["conclusions"] += self._encoder.conclusions(extractor, said)

    def undeclared_ids(self) -> list[str]:
        """Ids that the rows added so far refer to, that nothing declares and about which no library's metadata is stored yet."""
        self._flush()
        ids = {
            number: symbol_id
            for symbol_id, number in self._encoder.symbol_ids.items()
            if symbol_id is not None and symbol_id.startswith(ID_PREFIXES)
        }
        query = (
            "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM symbols WHERE symbol = value) "
            "AND NOT EXISTS (SELECT 1 FROM library_symbols WHERE id = value)"
        )
        return [
            ids[number] for (number,) in self._connection.execute(query, (msgspec.json.encode(list(ids)).decode(),))
        ]

    def forget_libraries(self, symbol_ids: Iterable[str]) -> None:
        """Removes what is known of all symbols of libraries. ``symbol_ids``: those that rows refer to; ``add_library_symbols`` says again
        what is known of them. Concluded facts may be of others: no more is known of these than their ids say."""
        of_facts = [symbol_id for (symbol_id,) in self._connection.execute(_LIBRARIES_OF_FACTS)]
        self._connection.execute("DELETE FROM library_bases")
        self._connection.execute("DELETE FROM library_symbols")
        for each in (*symbol_ids, *of_facts):
            self._encoder.symbol_ids[each]

    def add_library_symbols(self, rows: Iterable[LibrarySymbolRow]) -> None:
        """Symbols of libraries; of two rows for one id the first counts, and none for an id that is declared or known already."""
        for symbol in rows:
            self._libraries.setdefault(symbol.symbol_id, symbol)

    def finish(self, info: IndexInfo) -> IndexInfo:
        """Writes what is left, and ``info`` with the counts of what there is now."""
        for number in tuple(self._referring):
            self._replace_references(number, ())
        self._add_libraries()
        self._flush()
        declared = [(self._encoder.symbol_ids[each],) for each in self._declared]
        numbers = msgspec.json.encode([number for (number,) in declared]).decode()
        self._let_go.update(chain.from_iterable(self._connection.execute(_LED_TO, (numbers, numbers))))
        self._connection.executemany("DELETE FROM library_bases WHERE symbol = ?", declared)
        self._connection.executemany("DELETE FROM library_symbols WHERE id = ?", declared)
        self._forget_libraries()
        self._append_problems()
        stored = dict(zip(_COUNTED.values(), self._stored_counts(), strict=True))
        counts = {field: stored[field] + self._counts[table] for table, field in _COUNTED.items()}
        projects = int(self._connection.execute("SELECT count(*) FROM projects").fetchone()[0])
        info = structs.replace(info, **counts, project_count=projects)
        set_info(self._connection, info)
        return info

    def _stored_counts(self) -> tuple[int, ...]:
        columns = ", ".join(_COUNTED.values())
        return tuple(self._connection.execute(f"SELECT {columns} FROM info").fetchone())

    def _number(self, table: str, column: str, text: str) -> int | None:
        row = self._connection.execute(f"SELECT id FROM {table} WHERE {column} = ?", (text,)).fetchone()
        return None if row is None else int(row[0])

    def _text(self, number: int) -> str | None:
        row = self._connection.execute("SELECT text FROM file_texts WHERE file_id = ?", (number,)).fetchone()
        return None if row is None else decompress_text(row[0])

    def _take_out(self, number: int, keeps_text: bool = False) -> None:
        """Removes a document with everything that it owns but its references, and its text if that stays, as indexing it again takes longer
        than all else."""
        of_file = (number,)
        found = self._connection.execute(
            "SELECT id, name, fully_qualified_name, signature, summary FROM symbols WHERE file_id = ? AND NOT repeated",
            of_file,
        ).fetchall()
        self._connection.executemany(
            _UNINDEX_SYMBOL, [(row[0], name_tokens(row[1]), row[2], row[3], row[4] or "") for row in found]
        )
        for query in _REFERRED:
            self._let_go.update(chain.from_iterable(self._connection.execute(query, of_file)))
        text = None if keeps_text else self._text(number)
        if text is not None:
            self._connection.execute(_UNINDEX_FILE, (number, storable(text)))
            self._connection.execute("DELETE FROM file_texts WHERE file_id = ?", of_file)
        self._connection.execute(
            "DELETE FROM symbol_parts WHERE symbol_row IN (SELECT id FROM symbols WHERE file_id = ?)", of_file
        )
        for table in _OWNED:
            gone = self._connection.execute(f"DELETE FROM {table} WHERE file_id = ?", of_file).rowcount
            if table in _COUNTED:
                self._counts[table] -= gone
        self._counts["files"] -= self._connection.execute("DELETE FROM files WHERE id = ?", of_file).rowcount

    def _replace_references(self, number: int, rows: Iterable[Row]) -> None:
        self._referring.discard(number)
        difference = self._references.replace(number, rows)
        self._pending["refs"] += difference.added
        self._counts["refs"] -= difference.gone
        self._let_go |= difference.let_go

    def _add_owned(self, table: str, rows: Iterable[Row]) -> None:
        """Adds rows, of which those that say the same are stored once."""
        self._pending[table] += self._encoder.once(table, rows)

    def _add_libraries(self) -> None:
        for symbol in self._libraries.values():
            for each in (symbol.symbol_id, symbol.container_id, *symbol.bases):
                self._let_go.add(self._encoder.symbol_ids[each])  # what leads to it may be declared now
        for symbol_id in self.undeclared_ids():
            known = self._libraries.get(symbol_id)
            row, bases = self._encoder.library_symbol(known if known is not None else library_symbol_of(symbol_id))
            self._pending["library_symbols"].append(row)
            self._pending["library_bases"] += bases

    def _forget_libraries(self) -> None:
        """Removes what metadata says of symbols that nothing refers to any more, nor another library symbol."""
        self._let_go.discard(None)
        let_go = msgspec.json.encode(list(self._let_go)).decode()
        pending = [symbol for (symbol,) in self._connection.execute(_LIBRARIES_LET_GO, (let_go,))]
        if not pending:
            return
        rows = self._connection.execute("SELECT id, container FROM library_symbols").fetchall()
        leading: defaultdict[int, set[int]] = defaultdict(set)
        """Symbol → those whose container or base it is."""
        needs: defaultdict[int, list[int]] = defaultdict(list)
        for symbol, needed in (*rows, *self._connection.execute("SELECT symbol, base FROM library_bases")):
            if needed is not None:
                leading[needed].add(symbol)
                needs[symbol].append(needed)
        known = {symbol for symbol, _ in rows}
        while pending:
            symbol = pending.pop()
            if (
                symbol not in known
                or leading[symbol]
                or self._connection.execute(_IS_REFERRED, [symbol] * 5).fetchone()
            ):
                continue
            known.discard(symbol)
            self._connection.execute("DELETE FROM library_symbols WHERE id = ?", (symbol,))
            self._connection.execute("DELETE FROM library_bases WHERE symbol = ?", (symbol,))
            for needed in needs[symbol]:
                leading[needed].discard(symbol)
                pending.append(needed)

    def _flush(self) -> None:
        self._pending["symbol_ids"] += self._encoder.symbol_ids.take_new()
        self._pending["strings"] += self._encoder.strings.take_new()
        for table, rows in self._pending.items():
            if rows:
                insert_rows(self._connection, table, rows)
            if table in _COUNTED:
                self._counts[table] += len(rows)
        self._pending.clear()

    def _append_problems(self) -> None:
        for path, problems in self._problems.items():
            (stored,) = self._connection.execute("SELECT problems FROM files WHERE path = ?", (path,)).fetchone()
            known = msgspec.json.decode(stored, type=list[tuple[str, str, int]]) if stored else []
            further = [(problem.code, storable(problem.message), problem.line) for problem in problems]
            rows = msgspec.json.encode(list(dict.fromkeys((*known, *further)))).decode()
            self._connection.execute("UPDATE files SET problems = ? WHERE path = ?", (rows, path))


def _replacing(table: str) -> str:
    return insert_statement(table).replace("INSERT", "INSERT OR REPLACE", 1)
