"""Questions to an index: plain functions over a ``Snapshot`` that answer with views.

    snapshot         what one question sees: an index, whose commit it is, its texts
    reading          rows of an index, filtered and paged, for tools of any plug-in
    views            the shapes of answers, with the contract's field names
    search_grammar   what a user types into a symbol search
    symbol_search    symbols by words, browsing by kind
    symbol_targets   the symbol that a question means, by id, stable id or name
    symbol_spelling  names as they are spelt, and how exactly one means a symbol
    type_spelling    types in parameter lists, in C# and in ids
    symbol_lookup    all symbols that a spelling means, inherited members too
    symbol_candidates  symbols to choose from, where a name means several or none
    similar_names    symbols that are spelt like a name that does not exist
    declaring_projects  which declaration is meant where several projects have one
    wanted           what a tool can answer about
    library_card     what metadata says of a symbol that is not declared here
    symbol_card      everything about one symbol; the members of a type
    outline          what a type or a file declares, one line each
    context          sources of symbols and of what they call
    unreferenced     what nothing refers to, and why one cannot be sure
    path_globs       globs of paths as regular expressions
    source_text      spans of a file, a symbol's definition
    text_search      regular expressions over all files, with a time bound
    repository       what a repository consists of, in numbers
    token_estimate   how many tokens an answer saved

A view is a frozen struct without behaviour. A question that cannot be answered raises a ``CodeMapError`` whose
message says what to ask instead.
"""
