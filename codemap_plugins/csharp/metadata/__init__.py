"""Library types without .NET: an ECMA-335 reader, catalogs of the types it found, and the catalog shipped with CodeMap.

Assemblies are data: nothing in them is ever loaded or executed.
"""
