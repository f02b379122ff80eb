"""The numeric types of ``System`` by name: what each converts to (ECMA-334 §10.2.3), and the constants that it holds (§10.2.11)."""

from __future__ import annotations

from typing import Final

_WIDER: Final = {
    "SByte": "Int16 Int32 Int64 Single Double Decimal IntPtr",
    "Byte": "Int16 UInt16 Int32 UInt32 Int64 UInt64 Single Double Decimal IntPtr UIntPtr",
    "Int16": "Int32 Int64 Single Double Decimal IntPtr",
    "UInt16": "Int32 UInt32 Int64 UInt64 Single Double Decimal IntPtr UIntPtr",
    "Int32": "Int64 Single Double Decimal IntPtr",
    "UInt32": "Int64 UInt64 Single Double Decimal UIntPtr",
    "Int64": "Single Double Decimal",
    "UInt64": "Single Double Decimal",
    "IntPtr": "Int64 Single Double Decimal",
    "UIntPtr": "UInt64 Single Double Decimal",
    "Char": "UInt16 Int32 UInt32 Int64 UInt64 Single Double Decimal IntPtr UIntPtr",
    "Single": "Double",
}
WIDER: Final = {name: frozenset(targets.split()) for name, targets in _WIDER.items()}
RANGES: Final = {
    "SByte": (-(1 << 7), (1 << 7) - 1),
    "Byte": (0, (1 << 8) - 1),
    "Int16": (-(1 << 15), (1 << 15) - 1),
    "UInt16": (0, (1 << 16) - 1),
    "UInt32": (0, (1 << 32) - 1),
    "UInt64": (0, (1 << 64) - 1),
    "UIntPtr": (0, (1 << 32) - 1),
}


def holds_constant(target: str, source: str, constant: int) -> bool:
    """An implicit constant expression conversion (ECMA-334 §10.2.11) from one numeric type to another."""
    if source == "Int32":
        bounds = RANGES.get(target)
        return bounds is not None and bounds[0] <= constant <= bounds[1]
    return source == "Int64" and target == "UInt64" and constant >= 0
