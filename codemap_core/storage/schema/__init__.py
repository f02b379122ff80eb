"""The schemas of baselines and workspaces: tables, codes, full text, and their versions."""
