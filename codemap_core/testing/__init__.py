"""What tests of CodeMap and of its plug-ins share. Shipped, so that plug-in authors can test without a repository at
hand.

    sample_index     a small index made by hand
    database_asset   one database file per schema revision, for ``testdata/databases``
"""
