"""Writing an index: rows encoded, a fresh baseline, and documents replaced in a copy of one."""
