"""Facts of the kind ``authorize``: who may call an endpoint, a group of them, a type or a method, and which policies there are."""
