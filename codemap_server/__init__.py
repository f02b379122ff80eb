"""The outermost ring: MCP server and command line. Validation, budgets, routing and rendering; the only place that
wires the parts."""
