"""The plug-in host: what plug-ins may provide, where they say so, and how it is collected, checked and offered to the rest of the program.

This package imports only the marker, so that importing a plug-in module that implements hooks is cheap.
"""

from codemap_core.hooks.markers import hookimpl

__all__ = ["hookimpl"]
