"""Facts of the kind ``exception``: what code throws, where, and how."""
