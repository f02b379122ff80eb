"""What a request does: where it enters, and everything it reaches."""
