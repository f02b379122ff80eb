"""The tools ``workspace.*`` and ``index.refresh_overlay``: an index that follows an agent's edits."""
