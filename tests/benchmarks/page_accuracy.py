"""References of components and views against what the C# compiler says of the C# that is made of them.

    python -m tests.benchmarks.page_accuracy --oracle DIR REPO… [--document docs/razor.md]

``--oracle`` holds ``answers`` and ``refs/unpack``. The C# of each page is laid beside the sources of its project and compiled with them;
the compiler's answer for a name is held against the reference at the name's place in the page. Left out are pages whose imports name a base
class or inject services, and members of the class of a view, which are not listed. A value of a parameter that may be a string is C# for
the compiler here, and counts where something is bound.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from codemap_core.config import Settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.pipeline.analyse import all_settings
from codemap_core.pipeline.discover import discover
from codemap_core.repository import CommitFiles, Repository, decode_text
from codemap_core.storage.reading.dump import iter_projects, iter_refs
from codemap_core.storage.reading.reader import IndexReader
from codemap_plugins.csharp.analysis import build_unit
from codemap_plugins.csharp.front_end import CSharpFrontEnd
from codemap_plugins.csharp.page_names import VIEW_NAMESPACE, PageKind, folders_below, imports_of, page_kind
from codemap_plugins.csharp.razor.compilation import ParsedPage, parse_page
from codemap_plugins.csharp.razor.generated import Mark
from codemap_plugins.csharp.source_text import NOWHERE, LineIndex
from tests.benchmarks.report import replace_figures, table

_PAGES: Final = (".razor", ".cshtml")
_COMPILED: Final = (".cs", ".csproj", ".props", ".targets", ".json")
_FRONT_END: Final = CSharpFrontEnd()
Place = tuple[str, int, int]
"""File, line and column."""
Rows = Mapping[Place, list[Mapping[str, Any]]]


class Laid(Struct):
    """A page whose C# was laid beside the sources, with ``imported`` behind its namespace."""

    path: str
    page: ParsedPage
    imported: bytes

    @property
    def _at(self) -> int:
        source = self.page.parsed.source
        return source.index(b"\n") + 1 if source.startswith(b"namespace ") else 0

    @property
    def text(self) -> bytes:
        source = self.page.parsed.source
        return source[: self._at] + self.imported + source[self._at :]

    def offset(self, in_text: int) -> int:
        """Where a place of ``text`` is in the C# of the page; -1 in what it imports."""
        if in_text < self._at:
            return in_text
        return in_text - len(self.imported) if in_text >= self._at + len(self.imported) else -1


class Figures(Struct):
    pages: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    examples: list[str] = []
    """Of what is not right."""


def measure(repository: Path, oracle: Path) -> Figures:
    opened, host = Repository.open(repository), load_plugins()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        index = ensure_baseline(opened, host, Settings(data_directory=work / "home"))
        with IndexReader.open(index.path) as reader:
            ours = _by_place(row for row in iter_refs(reader) if row["file_path"].lower().endswith(_PAGES))
            projects = {each["project_path"]: {**each} for each in iter_projects(reader)}
        with CommitFiles(opened, opened.head_commit()) as files:
            discovery = discover(files, host, "")
            wanted = [path for path in files.paths if path.lower().endswith((*_COMPILED, *_PAGES))]
            texts = dict(files.read_many(wanted))
        for project in discovery.graph.projects:
            projects[project.project_path]["internals_visible_to"] = list(project.internals_visible_to)
        laid: dict[str, Laid] = {}
        for path, content in texts.items():
            if not path.lower().endswith(_PAGES):
                _write(work / "source" / path, content)
                continue
            by = next(iter(discovery.compiled_by.get(path, ())), None)
            imported = _imported(path, texts)
            if by is not None and imported is not None and page_kind(path) is not PageKind.IMPORTS:
                name = f"{by.project_path}.page{len(laid)}.cs"
                page = parse_page(decode_text(content).source, all_settings(_FRONT_END, path, by))
                laid[name] = Laid(path, page, imported)
                _write(work / "source" / name, laid[name].text)
                projects[by.project_path]["files"].append(name)
        _write(work / "projects.jsonl", "\n".join(json.dumps(each) for each in projects.values()).encode())
        return _compared(_answers(work, oracle, laid), ours, laid)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _by_place(rows: Iterable[Mapping[str, Any]]) -> Rows:
    found: dict[Place, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row["file_path"], row["line"], row["column"]].append(row)
    return found


def _imported(path: str, texts: Mapping[str, bytes]) -> bytes | None:
    """One line with the usings that a page imports; null where it imports more than those."""
    usings: dict[str, None] = {}
    for each in imports_of(path):
        if each == path or each not in texts:
            continue
        page = parse_page(decode_text(texts[each]).source, all_settings(_FRONT_END, each, None))
        outline = build_unit(page.parsed).outline
        if outline.types:
            return None
        for using in outline.scopes[0].usings:
            static, alias = "static " if using.is_static else "", f"{using.alias} = " if using.alias else ""
            usings[f"{static}{alias}{using.target.text}"] = None
        if len(outline.scopes) > 1:
            name = ".".join(filter(None, (outline.scopes[1].name, folders_below(path, each))))
            while name:
                usings[name] = None
                name = name.rpartition(".")[0]
    return "".join(f"using {using}; " for using in usings).encode() + b"\n"


def _answers(work: Path, oracle: Path, laid: Mapping[str, Laid]) -> Iterator[tuple[Place, Mapping[str, Any], bool]]:
    """What the compiler says at a place of a page, and whether that is in a value that may be a string."""
    assemblies = subprocess.run([oracle / "refs" / "unpack"], check=True, capture_output=True, text=True).stdout.strip()
    command: list[str | Path] = [oracle / "answers", work / "source", work / "answers"]
    command += ["--projects", work / "projects.jsonl"]
    for each in ("net10", "popular"):
        command += ["--refs", f"{assemblies}/{each}"]
    subprocess.run(command, check=True, capture_output=True)
    lines = {name: LineIndex.of(each.text) for name, each in laid.items()}
    texts = {name: _strings(each.page) for name, each in laid.items()}
    for line in (work / "answers" / "refs.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        page = laid.get(row["f"])
        offset = page.offset(lines[row["f"]].starts[row["l"] - 1] + row["c"] - 1) if page is not None else -1
        if page is None or row["k"] == "import" or offset < 0:
            continue
        # Pages whose lines are not ASCII up to there are left out by what stands at the place.
        position = page.page.parsed.line_index.position(offset)
        if position != NOWHERE and page.page.parsed.source[offset:].startswith(row["n"].encode()):
            yield (page.path, *position), row, any(offset in each for each in texts[row["f"]])


def _strings(page: ParsedPage) -> list[range]:
    """Where the values stand that may be strings."""
    ends = (
        (offset, page.parsed.source.find(b";\n", offset))
        for offset, each in page.marks.items()
        if each.mark is Mark.PARAMETER
    )
    return [range(start, end) for start, end in ends]


def _compared(
    answers: Iterable[tuple[Place, Mapping[str, Any], bool]], ours: Rows, laid: Mapping[str, Laid]
) -> Figures:
    gold: dict[Place, list[Mapping[str, Any]]] = defaultdict(list)
    unsure: set[Place] = set()
    for place, row, is_unsure in answers:
        gold[place].append(row)
        if is_unsure:
            unsure.add(place)
    figures = Figures(pages=len(laid))
    for place, rows in gold.items():
        bound = [row for row in rows if row["s"] in ("source", "external")]
        mine = [row for row in ours.get(place, ()) if row["resolution_state"] == "resolved"]
        targets = {target for row in bound for target in (row.get("t"), row.get("ctor"))}
        is_unlisted = any(VIEW_NAMESPACE in (target or "") for target in targets)
        if not bound or is_unlisted or (place in unsure and not mine):
            continue
        if any(row["to_symbol"] in targets for row in mine):
            figures.right += 1
            continue
        if mine:
            figures.wrong += 1
        else:
            figures.missed += 1
        figures.examples.append(
            f"{':'.join(map(str, place))} {bound[0]['t']}, not {mine[0]['to_symbol'] if mine else 'found'}"
        )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--oracle", type=Path, required=True)
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    found = {each.name: measure(each, options.oracle) for each in options.repositories}
    for name, figures in found.items():
        for example in figures.examples[:20]:
            sys.stderr.write(f"{name}: {example}\n")
    text = table(
        ("repository", "pages", "names that the compiler binds", "equal", "other", "unresolved"),
        [
            (
                name,
                f"{of.pages:,}",
                f"{of.right + of.wrong + of.missed:,}",
                f"{of.right:,}",
                f"{of.wrong:,}",
                f"{of.missed:,}",
            )
            for name, of in found.items()
        ],
    )
    if options.document is not None:
        replace_figures(options.document, text)
    else:
        sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
