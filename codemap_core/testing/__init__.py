"""What tests of CodeMap and of its plug-ins share. It is shipped so that plug-in authors can test without a repository:
``index_sources({path: text}, load_plugin(module))`` gives the rows.

    source_index     rows of sources given as text
    plugin_host      the plug-in host for that
    bound_text       a bound document as lines
    specs            expected rows in Markdown, as ``testdata/mdtest`` has them
    pytest_plugin    collects such specs
    sample_index     a small index made by hand
    database_asset   one database file per schema revision, for ``testdata/databases``
"""

from codemap_core.testing.plugin_host import load_plugin
from codemap_core.testing.source_index import SourceIndex, index_sources

__all__ = ["SourceIndex", "index_sources", "load_plugin"]
