"""What tests of CodeMap and of its plug-ins share. It is shipped so that plug-in authors can test without a repository:
``index_sources({path: text}, load_plugin(module))`` gives the rows, ``call_tool(load_plugin(module), name, {path: text})`` an answer.

    source_index     rows of sources given as text
    plugin_host      the plug-in host for that
    tool_calls       one call of a tool over such sources
    bound_text       a bound document as lines
    specs            expected rows in Markdown, as ``testdata/mdtest`` has them
    pytest_plugin    collects such specs
    sample_index     a small index made by hand
    database_asset   one database file per schema revision, for ``testdata/databases``
"""

from codemap_core.testing.plugin_host import load_plugin
from codemap_core.testing.source_index import SourceIndex, index_sources
from codemap_core.testing.tool_calls import call_tool

__all__ = ["SourceIndex", "call_tool", "index_sources", "load_plugin"]
