"""The bind stage of C#: what every name in a file means, as the compiler would say.

``members`` the members of any type, source or library · ``hierarchy`` bases and member lookup · ``conversions`` · ``inference`` type
arguments · ``overloads`` the better function member · ``extensions`` extension methods in scope · ``operands`` what an expression is ·
``scopes`` locals · ``expressions``, ``chains``, ``statements``, ``patterns``, ``queries`` the walk over lowered bodies ·
``slots`` overrides and implementations · ``document`` a file's references.

Lookup declines rather than guesses: what is unknown is ``UNKNOWN``, converts to everything, and makes no reference.
"""
