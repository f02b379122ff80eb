"""Facts of the kind ``retry_policy``: where code says what happens when a call fails or takes too long."""
