"""Facts of the kind ``log``: what code logs, with which template, at which level."""
