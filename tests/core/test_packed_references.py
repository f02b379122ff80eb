"""Packed references: the same rows, each text once, and no columns that do not fit together."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from codemap_core.model import Confidence, ReferenceRow, RefKind, ResolutionState
from codemap_core.model.reference import PackedReferences, pack

_CALL = ReferenceRow(
    kind=RefKind.CALL,
    from_symbol="M:Shop.Order.Submit",
    to_symbol="M:Shop.Cart.Clear",
    to_name="Clear",
    file_path="src/Order.cs",
    line=3,
    column=9,
    line_end=4,
    resolution_state=ResolutionState.RESOLVED,
    is_virtual=True,
    project="src/Shop.csproj",
)
_ROWS = (
    _CALL,
    replace(
        _CALL,
        kind=RefKind.INSTANTIATE,
        from_symbol=None,
        constructor="M:Shop.Cart.#ctor",
        to_name="",
        external=True,
        confidence=Confidence.LOW,
        condition="NET48",
        project="",
    ),
    replace(
        _CALL, to_symbol=None, resolution_state=ResolutionState.UNRESOLVED, reason="ambiguous", to_container_hint="C"
    ),
    replace(_CALL, kind=RefKind.LINK, role="sends", file_path="src/Other.cs"),
)


@pytest.mark.parametrize("rows", [(), _ROWS, _ROWS[1:2]])
def test_rows_come_back_in_their_order(rows: tuple[ReferenceRow, ...]) -> None:
    packed = pack(rows)
    assert tuple(packed) == rows
    assert len(packed) == len(rows)
    sent = msgspec.msgpack.encode(packed)
    assert msgspec.msgpack.decode(sent, type=PackedReferences) == packed


def test_a_text_is_held_once() -> None:
    assert pack(_ROWS).symbols == ("M:Shop.Order.Submit", None, "M:Shop.Cart.Clear", "M:Shop.Cart.#ctor")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"line": (1, 2)},
        {"to_symbol": (0, 0, 0, 9)},
        {"files": ()},
        {"external": ("yes", False, False, False)},
        {"kind": ("a message", "call", "call", "call")},
    ],
)
def test_columns_that_do_not_fit_are_refused(spoilt: dict[str, tuple[object, ...]]) -> None:
    values = {name: getattr(pack(_ROWS), name) for name in PackedReferences.__struct_fields__}
    sent = msgspec.msgpack.encode(list((values | spoilt).values()))
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(sent, type=PackedReferences)
