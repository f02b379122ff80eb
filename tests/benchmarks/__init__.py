"""Measurements, run by hand: none of them is a test, none asserts a time.

``accuracy`` compares with the C# compiler's answers and writes docs/accuracy.md. ``cold_index`` measures indexing, ``agent_economy``
what answers cost the agent that asks and ``latency`` how long each tool takes; they write docs/performance.md.
"""
