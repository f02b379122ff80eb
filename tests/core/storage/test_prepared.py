"""Statements that are composed once and asked with other values each time."""

from __future__ import annotations

from sqlalchemy import Text, literal_column, select, union_all

from codemap_core.storage.reading.prepared import Prepared, given, parameter
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.testing import sample_index as sample


def test_constants_values_and_lists_of_any_length(reader: IndexReader) -> None:
    paths = sorted(sample.TEXTS)
    order = select(t.File.path).order_by(t.File.path)
    of_list = Prepared(order.where(t.File.path.in_(given("paths"))).limit(parameter("limit")))
    with_constants = Prepared(order.where(t.File.path.in_([paths[0], paths[1]]), t.File.path != parameter("path")))
    # the + keeps SQLite from using an index; SQLAlchemy names the constant after it
    written = Prepared(order.where(literal_column("+files.path", Text) == paths[0], t.File.path == parameter("path")))
    combined = Prepared(
        union_all(*(select(t.File.path).where(t.File.path == each) for each in (parameter("one"), parameter("other"))))
    )
    with reader.streaming() as connection:
        assert of_list.rows(connection, paths=paths, limit=2) == [(path,) for path in paths[:2]]
        assert of_list.rows(connection, paths=[paths[-1], *("no.cs" for _ in range(5_000))], limit=9) == [(paths[-1],)]
        assert of_list.rows(connection, paths=[], limit=9) == []
        assert with_constants.rows(connection, path=paths[0]) == [(paths[1],)]
        assert written.rows(connection, path=paths[0]) == [(paths[0],)]
        assert combined.rows(connection, one=paths[1], other=paths[0]) == [(paths[1],), (paths[0],)]
