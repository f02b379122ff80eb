"""``index.diff``: what happened between two revisions. ``rules`` names .NET's rules of compatibility; ``compatibility`` and ``members``
apply them, ``signatures`` reads C# declarations for them, ``enumerations`` the values of enum members."""
