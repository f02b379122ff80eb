"""Library types without .NET: an ECMA-335 reader, an index of the types it found, and the index shipped with CodeMap.

``ecma335`` reads one assembly into a ``surface``; ``catalog`` stores surfaces compactly; ``library_types`` answers
lookups over catalogs. Assemblies are data: nothing of them is ever loaded or executed.
"""
