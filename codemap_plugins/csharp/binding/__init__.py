"""The bind stage of C#: the symbol that the compiler would find for every name in a file.

``docs/binding.md`` follows one name through the modules and lists where each rule lives. Lookup declines rather than guesses: an unknown
expression is ``UNKNOWN``, which converts to everything and produces no reference.
"""
