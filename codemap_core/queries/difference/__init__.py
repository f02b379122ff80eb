"""What happened between two indexes, told for people: symbols, facts and references, who is affected, and the tests that reach it.

``comparison`` puts it together from the exact rows (``codemap_core.storage.reading.row_difference``), in these steps:

``pairing``     which symbol of the older index is which of the newer one
``symbols``     what changed about a pair, and what belongs to the public API
``facts``       facts added, removed and changed; what an endpoint lost stands first
``references``  references gained and lost, by target and by member
``affected``    callers of what changed, and tests that reach it
``views``       the answer, and how it reads as text; ``markdown`` as a comment on a pull request
"""
