"""What a name means: how symbols and types are spelt, which ones a spelling means, and what to offer where it means several or none."""
