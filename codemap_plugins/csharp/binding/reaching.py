"""Which of the values that a local variable is given it may have where it is read: by the order of the text and the regions around.

A write that must have run hides what came before it; one in a branch, a loop or a ``try`` may have run. A later write counts where a loop
leads back, and one inside a lambda or local function wherever it stands. ``goto`` is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemap_core.model.bound import NOWHERE, RegionKind
from codemap_plugins.csharp.binding.happenings import Block, Part, Write

_FUNCTIONS = (RegionKind.LAMBDA, RegionKind.LOCAL_FUNCTION)


def reaching_writes(
    parts: Sequence[Part], home: Block, writes: Sequence[Write], offset: int, block: Block
) -> tuple[tuple[Write, ...], bool]:
    """Of the ``writes`` of a variable of the block ``home``: in the order of the text, each with ``must_run`` as seen from the place at
    ``offset`` in ``block``, and whether the value that the variable is declared with may still be there."""
    outside = set(_outwards(parts, home.region))
    around = list(_outwards(parts, block.region))
    if any(parts[each].kind in _FUNCTIONS for each in around if each not in outside):
        return tuple(write.seen(False) for write in writes), True
    found: list[Write] = []
    kept_by: Write | None = None
    for write in reversed(writes):
        if write.offset > offset or any(
            parts[each].kind in _FUNCTIONS for each in _outwards(parts, write.region) if each not in outside
        ):
            continue
        must_run = write.is_certain and (write.region == NOWHERE or write.region in around)
        found.append(write.seen(must_run))
        if must_run and write.operator in ("=", ""):
            kept_by = write
            break
    found.reverse()
    found += _later(parts, writes, offset, around, outside, kept_by)
    return tuple(found), kept_by is None


def _later(
    parts: Sequence[Part],
    writes: Sequence[Write],
    offset: int,
    around: Sequence[int],
    outside: set[int],
    kept_by: Write | None,
) -> Iterator[Write]:
    """Writes that come about before the place although they stand after it, or may at any time."""
    loops = {each for each in around if each not in outside and parts[each].kind is RegionKind.LOOP}
    if kept_by is not None:
        loops -= set(_outwards(parts, kept_by.region))
    for write in writes:
        inside = [each for each in _outwards(parts, write.region) if each not in outside]
        if any(parts[each].kind in _FUNCTIONS for each in inside) or (
            write.offset > offset and not loops.isdisjoint(inside)
        ):
            yield write.seen(False)


def _outwards(parts: Sequence[Part], region: int) -> Iterator[int]:
    while region != NOWHERE:
        yield region
        region = parts[region].parent
