"""The outermost ring, the MCP server and the command line: validation, budgets, routing and rendering.

Only this package connects the parts.
"""
