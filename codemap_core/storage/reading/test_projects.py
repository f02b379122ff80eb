"""Which projects hold tests: those whose plug-in says so, as the facts in them do too."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from codemap_core.storage.schema import baseline_tables as t


class _Settings(Struct):
    is_test: bool = False


def test_project_paths(connection: Connection) -> dict[int, str]:
    """Paths of test projects by ``projects.id``."""
    query = select(t.Project.id, t.Project.project_path, t.Project.settings)
    return {
        number: path
        for number, path, settings in connection.execute(query)
        if msgspec.json.decode(settings, type=_Settings).is_test
    }
