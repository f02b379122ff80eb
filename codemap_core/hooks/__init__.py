"""The plug-in host: what plug-ins may provide (``contracts``, ``tool``), where they say so (``specs``), how it is
collected (``registry``), checked (``validation``) and offered to the rest of the program (``manager``).

This package imports only the marker, so that a plug-in module which implements hooks costs nothing to import.
"""

from codemap_core.hooks.markers import hookimpl

__all__ = ["hookimpl"]
