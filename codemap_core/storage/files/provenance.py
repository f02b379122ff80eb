"""What an index was made with, in one line of text. Equal lines mean equal rows for equal input; if two lines differ, their parts tell why.

The line is the ``fingerprint`` of an index. It is compared as text and read only to be explained.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct


class Provenance(Struct, frozen=True, kw_only=True):
    """Everything that decides which rows a commit gives."""

    release: str
    """Version of CodeMap."""
    rows: int
    """Number that grows whenever the same input gives other rows although no plug-in changed."""
    plugins: Mapping[str, str]
    """Name of each plug-in that provides for indexing → digest of its version and of what it provides."""
    libraries: str
    """Digest of the assemblies that names are bound against."""

    def encode(self) -> str:
        return msgspec.json.encode(self, order="deterministic").decode()


def why_stale(fingerprint: str, current: str) -> str:
    """Why an index with ``fingerprint`` would be built otherwise today, as a clause: ``it was made by CodeMap 1.2.0``."""
    made, wanted = _decoded(fingerprint), _decoded(current)
    if made is None or wanted is None:
        return "it was made by another release of CodeMap or with other plug-ins"
    if made.release != wanted.release:
        return f"it was made by CodeMap {made.release}, and this is {wanted.release}"
    if made.rows != wanted.rows:
        return "it was made by another build of this release"
    said = [f"plug-in {name} was added" for name in sorted(set(wanted.plugins) - set(made.plugins))]
    said += [f"plug-in {name} is gone" for name in sorted(set(made.plugins) - set(wanted.plugins))]
    said += [
        f"plug-in {name} changed"
        for name in sorted(set(made.plugins) & set(wanted.plugins))
        if made.plugins[name] != wanted.plugins[name]
    ]
    if made.libraries != wanted.libraries:
        said.append("the library assemblies to bind against changed")
    return ", ".join(said)


def plugins_of(fingerprint: str) -> frozenset[str] | None:
    """Names of the plug-ins that took part in an index; null where its fingerprint does not say."""
    made = _decoded(fingerprint)
    return None if made is None else frozenset(made.plugins)


def _decoded(fingerprint: str) -> Provenance | None:
    try:
        return msgspec.json.decode(fingerprint, type=Provenance)
    except msgspec.MsgspecError:
        return None
