"""Razor pages, components and views as the C# that they are compiled to."""
