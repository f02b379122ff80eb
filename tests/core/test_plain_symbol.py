"""Symbols as languages give them that say little of them."""

from __future__ import annotations

import pytest

from codemap_core.model import SymbolKind, plain_symbol


@pytest.mark.parametrize(
    ("namespace", "container_id", "full_name", "containing_type"),
    [
        ("", None, "total", None),
        ("shop", None, "shop.total", None),
        ("shop", "T:shop.Order", "shop.Order.total", "Order"),
        ("", "T:Order", "Order.total", "Order"),
    ],
)
def test_a_full_name_goes_from_the_namespace_over_the_container(
    namespace: str, container_id: str | None, full_name: str, containing_type: str | None
) -> None:
    symbol = plain_symbol(
        "M:x",
        SymbolKind("function"),
        "total",
        file_path="a.toy",
        line_start=1,
        namespace=namespace,
        container_id=container_id,
    )
    assert (symbol.fully_qualified_name, symbol.containing_type) == (full_name, containing_type)
