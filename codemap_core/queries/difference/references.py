"""References that members gained and lost, wherever they stand: a reference that only moved to another line is the same one, and so is one
of or to a member whose signature or name changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Final

from codemap_core.model import ReferenceRow, RefKind
from codemap_core.queries.difference.views import MemberUses, ReferenceChange

_MEMBERS_SHOWN: Final = 5
_Use = tuple[str | None, str, str]
"""The member, the target, the kind."""


class ReferenceCounts:
    """Collects documents, one after another, and keeps numbers alone. What both indexes spell alike cancels at once; what is left over of
    the older one is translated when the changes are asked for."""

    def __init__(self) -> None:
        self._net: Final[Counter[_Use]] = Counter()
        self._external: Final[set[str]] = set()

    def add(self, removed: Iterable[ReferenceRow], added: Iterable[ReferenceRow]) -> None:
        for by, rows in ((-1, removed), (1, added)):
            for row in rows:
                if row.kind is not RefKind.IMPORT:
                    self._count(row, by)

    def _count(self, row: ReferenceRow, by: int) -> None:
        target = row.to_symbol if row.to_symbol is not None else f"!:{row.to_name}"
        use = row.from_symbol, target, row.role or row.kind.value
        self._net[use] += by
        if not self._net[use]:
            del self._net[use]
        if row.external:
            self._external.add(target)

    def changes(
        self, translated: Callable[[str], str], is_meant: Callable[[str | None], bool]
    ) -> list[ReferenceChange]:
        """By target: first-party before external, most references first. ``translated``: an id of the older index as the newer one has
        it; ``is_meant``: of the id of a member, whether its references count."""
        uses: dict[str, dict[str | None, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for (source, target, _), count in self._translated(translated).items():
            if count and is_meant(source):
                uses[target][source][count < 0] += abs(count)
        changes = [self._change(target, members) for target, members in uses.items()]
        return sorted(changes, key=lambda each: (each.external, -each.gained - each.lost, each.symbol_id))

    def _translated(self, translated: Callable[[str], str]) -> Counter[_Use]:
        net: Counter[_Use] = Counter()
        for use, count in self._net.items():
            if count < 0:  # of the older index
                source, target, kind = use
                use = None if source is None else translated(source), translated(target), kind
            net[use] += count
        return net

    def _change(self, target: str, members: dict[str | None, list[int]]) -> ReferenceChange:
        ordered = sorted(members.items(), key=lambda each: (-sum(each[1]), each[0] or ""))
        return ReferenceChange(
            symbol_id=target,
            gained=sum(gained for gained, _ in members.values()),
            lost=sum(lost for _, lost in members.values()),
            external=target in self._external,
            members=tuple(MemberUses(source, *counts) for source, counts in ordered[:_MEMBERS_SHOWN]),
            member_count=len(members),
        )
