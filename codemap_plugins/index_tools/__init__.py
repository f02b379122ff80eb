"""The contract's tools over an index, in four families: ``repo``, ``index``, ``symbols`` and ``code``.

Modules that define tools import nothing of the database: the queries are imported by the first call, so that a server
lists its tools at once.
"""
