"""Which projects hold tests: those that say so, reference a test framework, or are named like one."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from codemap_core.storage.schema import baseline_tables as t

_NAMED_SO: Final = re.compile(r"(?:^|[._-]|(?<=[a-z]))(?:Tests?|Specs)$")


class _Settings(Struct):
    is_test: bool = False


def test_project_paths(connection: Connection) -> dict[int, str]:
    """Paths of test projects by ``projects.id``. Named so: ``Shop.Tests``, ``UnitTest``, ``Shop-Specs``; not ``Contest``."""
    query = select(t.Project.id, t.Project.project_path, t.Project.name, t.Project.settings)
    return {
        number: path
        for number, path, name, settings in connection.execute(query)
        if _NAMED_SO.search(name) or msgspec.json.decode(settings, type=_Settings).is_test
    }
