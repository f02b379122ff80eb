"""A repository as a whole: the page for people, the summary, and the text for models without tools."""
