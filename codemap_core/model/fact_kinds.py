"""The kinds of facts that there are: what each is called, and who finds it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class FactKindInfo(Struct, frozen=True, kw_only=True):
    """A kind of facts, for those who list or search them."""

    name: str
    """As in ``FactRow.kind``: ``[a-z][a-z0-9_]*``."""
    title: str
    """``Routes``."""
    value: str = ""
    """What a value looks like: ``VERB /template``."""
    detail: Mapping[str, str] = field(default_factory=dict)
    """Keys of ``FactRow.detail``, each with what it holds."""
    shown: tuple[str, ...] = ()
    """Those of them that a list shows beside the value, in this order."""


class FactSource(Struct, frozen=True):
    """A kind of facts that is known, and who finds it. ``title``: the kind itself where no plug-in gives it one."""

    kind: str
    title: str
    plugins: tuple[str, ...] = ()
    """Names of the plug-ins whose extractors yield it, sorted."""
    shown: tuple[str, ...] = ()
    """As in ``FactKindInfo``."""


class FactSources(Struct, frozen=True):
    """The kinds of facts by name: those of the contract and what plug-ins add. ``left_out``: names of plug-ins that are blocked."""

    kinds: tuple[FactSource, ...] = ()
    left_out: tuple[str, ...] = ()

    def of(self, kind: str) -> FactSource | None:
        return next((each for each in self.kinds if each.kind == kind), None)
