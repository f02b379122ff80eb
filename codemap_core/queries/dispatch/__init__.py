"""What may run at a call: overriding members, registered implementations, handlers of messages, and what runs around those."""
