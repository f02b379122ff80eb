"""Facts of the kind ``config``: which keys of the configuration code reads, and where settings files define them."""
