"""One call of every tool that CodeMap ships, about the shop of ``shop.py``: each finds something there."""

from __future__ import annotations

from typing import Any, Final

from codemap_core.hooks.manager import load_plugins

EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "repo.status": {},
    "index.ensure_baseline": {},
    "symbols.search": {"query": "Order"},
    "symbols.get_card": {"symbol": "Order"},
    "symbols.get_definition_span": {"symbol": "IOrderService", "max_lines": 3},
    "symbols.outline": {"symbol": "Order"},
    "symbols.get_context": {"symbol": "Order.Submit(int)"},
    "symbols.unreferenced": {"file_path": "src"},
    "code.explain": {"file_path": "src/Shop/Order.cs", "line": 8},
    "code.get_span": {"file_path": "src/Shop/Order.cs", "start_line": 1, "end_line": 3},
    "code.search_text": {"pattern": "TODO"},
    "refs.find": {"symbol": "Order", "kind": "all"},
    "graph.callers": {"symbol": "Order.Submit(int)"},
    "graph.callees": {"symbol": "M:Shop.Ordering.Order.Submit(System.Int32)"},
    "graph.trace_feature": {"entry_point": "Order.Submit(int)"},
    "codemap.summarize": {},
    "codemap.export": {"max_tokens": 500},
    "index.list_baselines": {},
    "index.cleanup": {},
    "index.remove_repo": {},
    "index.diff": {"from_commit": "HEAD"},
    "types.hierarchy": {"symbol": "IOrderService"},
    "surfaces.list_endpoints": {},
    "surfaces.list_config_keys": {},
    "surfaces.list_db_tables": {},
    "surfaces.list_facts": {},
    "list_directory": {},
    "read_file": {"path": "appsettings.json"},
    "get_directory_tree": {"path": "src"},
    "mcp__coderef__query": {"query": "@C/src/Shop/Order#Order"},
    "mcp__coderef__analyze": {"reference": "@C/src/Shop/Order#Order"},
    "mcp__coderef__validate": {"reference": "@C/src/Shop/Order#Order", "validate_existence": True},
    "mcp__coderef__batch_validate": {"references": ["@C/src/Shop/Order#Order", "x"]},
    "mcp__coderef__uds_compliance_check": {},
    "mcp__coderef__generate_with_uds": {},
    "workspace.create": {"workspace_id": "example"},
    "index.refresh_overlay": {"workspace_id": "example"},
    "workspace.list": {},
    "workspace.rebase": {"workspace_id": "example"},
    "workspace.reset": {"workspace_id": "example"},
    "workspace.delete": {"workspace_id": "example"},
    "search_symbols": {"query": "Order"},
    "lookup_symbol": {"qualified_name": "Shop.Ordering.Order.Submit"},
    "find_similar": {"node_id": "T:Shop.Ordering.Order"},
    "get_symbol": {"node_id": "T:Shop.Ordering.Order"},
    "get_source_spans": {"node_id": "T:Shop.Ordering.Order"},
    "get_file_outline": {"path": "src/Shop/Order.cs"},
    "get_callers": {"node_id": "M:System.Console.WriteLine(System.String)"},
    "get_callees": {"node_id": "M:Shop.Ordering.Order.Submit(System.Int32)"},
    "get_implementations": {"node_id": "T:Shop.Ordering.IOrderService"},
    "get_references": {"node_id": "T:Shop.Ordering.Order"},
    "get_dependencies": {"node_id": "T:Shop.Ordering.Order"},
    "get_dependents": {"node_id": "T:Shop.Ordering.Order"},
    "index_files": {"paths": ["src/Shop/Order.cs"]},
    "get_status": {},
}


def shipped_families() -> tuple[str, ...]:
    """The toolsets of the installed CodeMap, without those of a test's own plug-ins."""
    return tuple(family.name for family in load_plugins().tool_families)


def families_of_every_listing() -> tuple[str, ...]:
    """Those of them that a server lists which was not asked for any."""
    return tuple(family.name for family in load_plugins().tool_families if not family.on_request)
