"""Pages of XAML as the C# that they stand for.

markup        tags and attributes, with places
extensions    values in braces
namespaces    what prefixes stand for
frames        the elements that are open
generated     what the text marks
bindings      bindings and other extensions as C#
reader        elements, attributes and names as C#
compilation   the class that a page is part of
"""
