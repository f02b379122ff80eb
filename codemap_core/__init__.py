"""The language-neutral core of CodeMap; it knows no C#, no MCP.

``model`` inert values · ``hooks`` plug-in host · ``syntax`` parsing · ``workspace`` files and git · ``storage`` the database ·
``pipeline`` the stages in order · ``queries`` questions to an index · ``testing`` what plug-in authors test with.

Importing this package stays light: no database, no parser, no protocol.
"""

from codemap_core.version import __version__

__all__ = ["__version__"]
