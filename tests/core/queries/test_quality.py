"""What an index could not say is counted, by cause."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from codemap_core.model import (
    DocumentRow,
    DocumentStatus,
    Problem,
    Project,
    ProjectGraph,
    ReferenceRow,
    RefKind,
    ResolutionState,
)
from codemap_core.model.document import ANALYSER_FAILED, EXTRACTOR_FAILED
from codemap_core.queries.indexes.repository import quality_of
from codemap_core.queries.summary.page import summarize
from codemap_core.queries.views.repository import FileFailure, OtherLibraries
from codemap_core.storage.files.examine import IndexInfo, ProjectDiagnostic
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.writing.writer import BaselineWriter
from tests.core.queries.conftest import open_index


def document(path: str, status: DocumentStatus, *problems: Problem, project: str = "") -> DocumentRow:
    return DocumentRow(
        file_path=path,
        sha256="0" * 64,
        blob_id="0" * 40,
        language="csharp",
        projects=(project,) if project else (),
        line_count=1,
        size=1,
        status=status,
        problems=problems,
        text="x",
    )


def unresolved(line: int, reason: str, file_path: str = "a.cs", project: str = "") -> ReferenceRow:
    return ReferenceRow(
        kind=RefKind.CALL,
        from_symbol=None,
        to_symbol=None,
        to_name="F",
        file_path=file_path,
        project=project,
        line=line,
        column=1,
        line_end=line,
        resolution_state=ResolutionState.UNRESOLVED,
        reason=reason,
    )


def test_faults_syntax_and_unresolved_names_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    failed = Problem(EXTRACTOR_FAILED, "binder: KeyError: 'x'")
    info = IndexInfo(repo_id="r", commit_sha="c", fingerprint="f")
    with build_lock(path) as lock, BaselineWriter.create(lock, info) as writer:
        writer.add_documents(
            [
                document("a.cs", DocumentStatus.FALLBACK, Problem("syntax", "unexpected )", 3)),
                document("b.cs", DocumentStatus.FAILED, Problem(ANALYSER_FAILED, "analyser: MemoryError")),
                document("c.cs", DocumentStatus.CLEAN),
            ]
        )
        writer.add_references(
            [unresolved(1, "no such member"), unresolved(2, "no such member"), unresolved(3, "no type")]
        )
        writer.add_problems("a.cs", (failed,))
        writer.add_problems("a.cs", (failed,))
        writer.publish()
    with open_index(path) as snapshot:
        quality = quality_of(snapshot)
        document_a = snapshot.reader.document("a.cs")
    assert document_a is not None
    assert document_a.problems == (Problem("syntax", "unexpected )", 3), failed)
    assert quality.files_by_status == {"clean": 1, "failed": 1, "fallback": 1}
    assert quality.failure_count == 2
    assert quality.failures == (
        FileFailure("a.cs", "binder: KeyError: 'x'"),
        FileFailure("b.cs", "analyser: MemoryError"),
    )
    assert quality.syntax_errors == (FileFailure("a.cs", "line 3: unexpected )"),)
    assert (quality.unresolved_count, quality.unresolved_share) == (3, 1.0)
    assert list(quality.unresolved_by_reason.items()) == [("no such member", 2), ("no type", 1)]


def test_unresolved_names_in_files_that_no_project_compiles_are_counted_apart(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    info = IndexInfo(repo_id="r", commit_sha="c", fingerprint="f")
    app = "app/App.csproj"
    with build_lock(path) as lock, BaselineWriter.create(lock, info) as writer:
        writer.add_projects(ProjectGraph((Project(project_path=app, name="App", assembly_name="App"),)))
        writer.add_documents(
            [
                document("app/A.cs", DocumentStatus.CLEAN, project=app),
                document("made/A.cs", DocumentStatus.CLEAN),
                document("made/B.cs", DocumentStatus.CLEAN),
            ]
        )
        resolved = replace(
            unresolved(2, "", "app/A.cs", app), to_symbol="M:F", resolution_state=ResolutionState.RESOLVED
        )
        writer.add_references([unresolved(1, "no type", "app/A.cs", app), resolved])
        writer.add_references([unresolved(1, "no type", "made/A.cs"), unresolved(2, "no such member", "made/A.cs")])
        writer.publish()
    with open_index(path) as snapshot:
        quality = quality_of(snapshot)
        (unseen,) = summarize(snapshot, "App", ["not_seen"]).sections
    assert (quality.unresolved_count, quality.unresolved_share) == (1, 0.5)
    assert quality.unresolved_by_reason == {"no type": 1}
    assert quality.left_out_said == "2 more in 1 file that no project compiles"
    assert "1 reference of 2 could not be resolved; 2 more in 1 file that no project compiles" in unseen.rows


def test_projects_bound_against_other_libraries_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    info = IndexInfo(repo_id="r", commit_sha="c", fingerprint="f")
    old = ProjectDiagnostic("Old", True, 1, 1, framework="net48", libraries="net10.0")
    projects = (
        old,
        replace(old, project_name="Older"),
        replace(old, framework="net8.0"),
        ProjectDiagnostic("New", True, 1, 1),
    )
    with build_lock(path) as lock, BaselineWriter.create(lock, info) as writer:
        writer.publish(project_diagnostics=projects)
    with open_index(path) as snapshot:
        quality = quality_of(snapshot)
    assert quality.other_libraries == (OtherLibraries("net48", "net10.0", 2), OtherLibraries("net8.0", "net10.0", 1))
