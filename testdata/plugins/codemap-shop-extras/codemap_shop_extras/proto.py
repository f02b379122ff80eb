"""Protocol buffers as a language: messages and services are symbols."""

import json
import re

from codemap_core.hooks.contracts import AnalysedDocument, FrontEnd
from codemap_core.model import DocumentStatus, SymbolKind, plain_symbol


class ProtoFrontEnd(FrontEnd):
    name = "proto"
    dialects = {".proto": "proto3"}

    def analyse(self, content, settings):
        text = content.decode()
        package = re.search(r"^package ([\w.]+);", text, re.MULTILINE)
        found = [
            [match[1], match[2], text.count("\n", 0, match.start()) + 1]
            for match in re.finditer(r"^(message|service) (\w+)", text, re.MULTILINE)
        ]
        return AnalysedDocument(
            unit=json.dumps([package[1] if package else "", found]).encode(),
            line_count=len(text.splitlines()),
            status=DocumentStatus.CLEAN,
        )

    def symbols(self, table, unit):
        package, found = json.loads(table.units[unit])
        for keyword, name, line in found:
            yield plain_symbol(
                f"T:{package}.{name}",
                SymbolKind(keyword),
                name,
                signature=f"{keyword} {name}",
                namespace=package,
                file_path=unit.file_path,
                line_start=line,
                project=unit.project_path,
            )
