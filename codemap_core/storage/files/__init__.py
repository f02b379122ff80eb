"""Files of the data directory: written durably, locked, recognised, and told apart by what they were made with."""
