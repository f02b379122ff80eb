"""The contract's tools that go from symbol to symbol, in three families: ``refs``, ``graph`` and ``types``."""
