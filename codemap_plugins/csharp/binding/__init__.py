"""The bind stage of C#: what every name in a file means, as the compiler would say.

``members`` the members of any type, source or library · ``hierarchy`` bases and member lookup · ``conversions`` · ``inference`` type
arguments · ``arguments`` against parameters · ``overloads`` the better function member · ``better`` the better conversion ·
``constraints`` of type parameters · ``extensions`` extension methods in scope · ``receivers`` what they extend ·
``operands`` what an expression is · ``locals`` locals · ``names``, ``chains``,
``member_access``, ``calls``, ``creation``, ``operators``, ``keyword_expressions``, ``functions``, ``statements``, ``patterns``,
``queries`` the walk over lowered bodies · ``attributes``, ``crefs`` · ``slots`` overrides and implementations · ``document`` a file's
references · ``inapplicable`` why an overload was not chosen.

Lookup declines rather than guesses: what is unknown is ``UNKNOWN``, converts to everything, and makes no reference.
"""
