"""What happens to what a name means, and the kind of reference that makes."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from codemap_core.model import RefKind


class Usage(IntEnum):
    """What happens to what a name means; decides the kind of reference."""

    READ = 0
    WRITE = 1
    SUBSCRIBE = 2
    NAMEOF = 3


KINDS: Final = {
    Usage.READ: RefKind.READ,
    Usage.WRITE: RefKind.WRITE,
    Usage.SUBSCRIBE: RefKind.WRITE,
    Usage.NAMEOF: RefKind.NAMEOF,
}
