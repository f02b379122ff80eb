"""Measurements, run by hand: none of them is a test, none asserts a time.

``accuracy`` compares with the C# compiler's answers and writes docs/accuracy.md; ``cold_index`` measures indexing and writes
docs/performance.md.
"""
