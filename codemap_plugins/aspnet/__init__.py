"""What kinds of facts about ASP.NET Core share: which attribute classes guard, how endpoints are mapped, and what a guard demands.

It is not a plug-in: it registers nothing, imports ``codemap_core`` alone, and holds no rule of any single kind.
"""
