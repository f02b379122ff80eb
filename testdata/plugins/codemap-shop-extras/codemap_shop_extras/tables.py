"""Tables that SQL scripts create are symbols."""

import re

from codemap_core.hooks.interests import Interests
from codemap_core.model import SymbolKind, plain_symbol


class SqlTables:
    name = "sql_tables"
    language = ""
    interests = Interests(files=("*.sql",))

    def extract(self, seen):
        for match in re.finditer(r"^CREATE TABLE (?:(\w+)\.)?(\w+)", seen.text, re.MULTILINE | re.IGNORECASE):
            schema, name = match[1] or "dbo", match[2]
            yield plain_symbol(
                f"T:sql.{schema}.{name}",
                SymbolKind("table"),
                name,
                signature=f"table {schema}.{name}",
                namespace=f"sql.{schema}",
                file_path=seen.file_path,
                line_start=seen.text.count("\n", 0, match.start()) + 1,
            )
