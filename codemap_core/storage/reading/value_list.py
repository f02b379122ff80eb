"""Any number of values as one parameter of a statement: SQLite limits how many parameters a statement may have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Select, column, func, select


def value_list(values: Iterable[int] | Iterable[str]) -> Select[Any]:
    """For the right-hand side of ``IN``."""
    return select(column("value")).select_from(func.json_each(msgspec.json.encode(list(values)).decode()))
