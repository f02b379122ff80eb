"""The shapes of answers, with the contract's field names, and how each reads as plain text."""
