"""Which files import."""

from __future__ import annotations

import pytest

from codemap_plugins.coderef.relationships import has_import


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.cs", "using System;\nclass A { }\n", True),
        ("a.cs", "global using System;\n", True),
        ("a.cs", "class A { void F() { using var x = G(); } }\n", False),
        ("a.ts", "import { A } from './a';\n", True),
        ("a.ts", '// first\nimport {\n  A,\n  B\n} from "./a";\n', True),
        ("a.ts", "import './a';\n", True),
        ("a.ts", "import type { A } from './a';\n", True),
        ("a.ts", "import * as a from 'a';\n", True),
        ("a.ts", "import a = require('a');\n", True),
        ("a.tsx", "export * from './a';\n", True),
        ("a.ts", "export { A } from './a';\n", True),
        ("a.ts", "export const from = 'x';\n", False),
        ("a.ts", "export class A { load() { return import('./a'); } }\n", False),
        ("a.ts", "const text = \"import 'a'\";\n", False),
    ],
)
def test_a_file_with_a_directive_imports(path: str, text: str, expected: bool) -> None:
    assert has_import(path, text) is expected
