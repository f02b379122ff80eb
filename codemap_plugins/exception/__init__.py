"""Facts of the kinds ``exception`` and ``catch``: what code throws and documents that it throws, and what it catches."""
