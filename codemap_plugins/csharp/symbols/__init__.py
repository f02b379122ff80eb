"""From outlines to symbols: the symbol table over all projects, type names resolved through it, and the rows an index publishes.

``types`` resolved types · ``definitions`` source and library type definitions · ``table`` the declare stage · ``scopes`` name lookup ·
``identity`` documentation-comment ids and stable ids · ``rows`` symbols · ``base_lists`` type relations.
"""
