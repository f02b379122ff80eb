"""The language-neutral core of CodeMap; it knows neither C# nor MCP.

Importing this package is cheap: it loads no database, no parser and no protocol.
"""

from codemap_core.version import __version__

__all__ = ["__version__"]
