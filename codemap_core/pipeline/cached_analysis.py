"""What analysing a file gave, as the cache and the workers hand it over."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.model import DocumentStatus, Problem


class CachedAnalysis(Struct, frozen=True, array_like=True):
    """The result for one content."""

    unit: bytes
    line_count: int
    status: DocumentStatus
    problems: tuple[Problem, ...]
    generated: bool
    text: str | None = None
    """Null where it is that of the file."""
    surface: bytes = b""
    """An encoded ``Surface``; empty where the analyser gives none."""


decode_cached: Final = msgspec.msgpack.Decoder(CachedAnalysis).decode


class CachedUnit(Struct, frozen=True, array_like=True, gc=False):
    """A ``CachedAnalysis`` of which the unit alone is read."""

    unit: bytes


decode_unit: Final = msgspec.msgpack.Decoder(CachedUnit).decode


def unit_in(cached: bytes) -> bytes:
    """The unit of a result that the cache holds."""
    return decode_cached(cached).unit


def is_cached_analysis(data: bytes) -> bool:
    """Whether the cache may hold ``data``: a result that can be read."""
    try:
        return decode_cached(data).status is not DocumentStatus.FAILED
    except msgspec.MsgspecError:
        return False
