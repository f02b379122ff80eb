"""The skeleton of a plug-in that ``codemap plugins new`` writes: a distribution with one fact extractor and its test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from codemap_core.errors import InvalidArgumentError

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_FILES: Final = {
    "pyproject.toml": """[project]
name = "codemap-{name}"
version = "0.1.0"
dependencies = ["codemap"]

[project.entry-points.codemap]
{word} = "codemap_{word}.plugin"

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["codemap_{word}"]
""",
    "codemap_{word}/__init__.py": "",
    "codemap_{word}/plugin.py": '''"""What this plug-in provides: hook implementations and nothing else."""

from codemap_core.hooks import hookimpl


@hookimpl
def codemap_register_fact_extractors(registry):
    from codemap_{word}.facts import Obsolete

    registry.add(Obsolete())


@hookimpl
def codemap_register_fact_kinds(registry):
    from codemap_{word}.facts import OBSOLETE

    registry.add(OBSOLETE)
''',
    "codemap_{word}/facts.py": '''"""Declarations that carry [Obsolete], with what to use instead."""

from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKindInfo, FactRow

OBSOLETE = FactKindInfo(name="obsolete", title="Obsolete declarations", value="message")


class Obsolete:
    name = "{word}_obsolete"
    language = "csharp"
    interests = Interests(attributes=("Obsolete",))
    kinds = ("obsolete",)

    def extract(self, seen):
        for declaration in seen.declarations:
            for attribute in declaration.attributes:
                if attribute.type.name.removesuffix("Attribute") != "Obsolete":
                    continue
                constant = attribute.arguments[0].value.constant if attribute.arguments else None
                yield FactRow(
                    kind="obsolete",
                    value=str(constant.value) if constant is not None else "",
                    detail={{"at": attribute.line}},
                    symbol_id=declaration.symbol_id,
                    file_path=seen.file_path,
                    line_start=declaration.line_start,
                    line_end=declaration.line_end,
                )
''',
    "tests/test_{word}.py": """from codemap_core.testing import index_sources, load_plugin

from codemap_{word} import plugin


def test_obsolete_declarations_are_found():
    source = '[System.Obsolete("use " + nameof(B))] class A {{ }}\\nclass B {{ }}\\n'
    found = index_sources({{"A.cs": source}}, load_plugin(plugin))
    assert [(each.value, each.symbol_id) for each in found.facts] == [("use B", "T:A")]
""",
}
"""By path; both with ``{name}``, as a distribution is called, and ``{word}``, as a module is."""


def write_skeleton(name: str, parent: Path) -> Path:
    """The new folder. Raises: InvalidArgumentError for a name that no distribution can have, or a folder that exists."""
    name = name.removeprefix("codemap-")
    if not _NAME.fullmatch(name):
        raise InvalidArgumentError(
            f"{name!r} cannot name a plug-in: write lower-case letters, digits and hyphens, beginning with a letter."
        )
    folder = parent / f"codemap-{name}"
    try:
        folder.mkdir()
        for path, text in _FILES.items():
            target = folder / path.format(word=name.replace("-", "_"))
            target.parent.mkdir(exist_ok=True)
            target.write_text(text.format(name=name, word=name.replace("-", "_")), encoding="utf-8")
    except FileExistsError:
        raise InvalidArgumentError(f"The folder {folder} exists already. Choose another name.") from None
    except OSError as error:
        raise InvalidArgumentError(f"The folder {folder} cannot be written ({error.strerror}).") from error
    return folder
