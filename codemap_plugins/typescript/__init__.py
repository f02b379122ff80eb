"""TypeScript as a language of the index: what a file declares and mentions, which file an import means, and what a name means."""
