"""The tools that list architectural facts."""
