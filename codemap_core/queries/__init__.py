"""Questions to an index: plain functions over a ``Snapshot`` that answer with views.

A view is a frozen struct that may know its own plain-text lines and how to be cut. If a question cannot be answered, the function raises
a ``CodeMapError`` whose message says what to ask instead.
"""
