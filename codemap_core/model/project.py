"""Projects and solutions as evaluated without MSBuild: of the primary target framework, configuration Debug."""

from __future__ import annotations

from msgspec import Struct


class PackageReference(Struct, frozen=True, order=True):
    id: str
    version: str | None = None

    def __str__(self) -> str:
        return f"{self.id}/{self.version}" if self.version else self.id


class ProjectProblem(Struct, frozen=True):
    """Something of a project that could not be evaluated: a missing import, a function of MSBuild we do not know."""

    project_path: str
    message: str


class Solution(Struct, frozen=True):
    path: str
    projects: tuple[str, ...]
    """project_path of each C# project it names, in file order, existing ones only."""


class Project(Struct, frozen=True, kw_only=True):
    project_path: str
    name: str
    assembly_name: str
    sdk: str | None = None
    target_framework: str | None = None
    """The primary one: the highest ``net``, then ``netcoreapp``, ``netstandard``, .NET Framework."""
    target_frameworks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Compiled files, sorted: of C#, and those that belong to it without being named, such as components and views."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Files that it compiles in another configuration alone, sorted, each with what must hold for that."""
    project_references: tuple[str, ...] = ()
    """Direct ones, sorted project_paths; those that make no types visible (analyzers, ReferenceOutputAssembly=false) left out."""
    packages: tuple[PackageReference, ...] = ()
    package_projects: tuple[str, ...] = ()
    """Other projects of the repository that make packages which it names, sorted project_paths: it sees their types where their assemblies
    are not at hand, in whatever version they are."""
    usings: tuple[str, ...] = ()
    """Global usings of the project (implicit ones, Using items): ``System.Linq``, ``static X.Y``, ``A = X.Y``; sorted."""
    defines: tuple[str, ...] = ()
    """Preprocessor symbols, sorted."""
    transitive_references: bool = True
    """False: DisableTransitiveProjectReferences."""
    private_references: tuple[str, ...] = ()
    """Those of project_references with PrivateAssets=all: they do not flow on to projects that reference this one."""
    reference_aliases: tuple[tuple[str, str], ...] = ()
    """(project_path, extern alias) of references with Aliases=."""
    internals_visible_to: tuple[str, ...] = ()
    """Assembly names from items and MSBuild properties; attributes in source are the language's business."""
    root_namespace: str = ""
    lang_version: str | None = None
    nullable: bool = False
    allow_unsafe: bool = False
    output_type: str = "Library"
    in_solution: bool = False
    is_test: bool = False
    """It holds tests: said once, for facts and every answer that leaves tests out or sets them apart."""

    @property
    def sources_seen(self) -> tuple[str, ...]:
        """project_paths of those whose types it may see directly."""
        return (*self.project_references, *self.package_projects)

    @property
    def is_application(self) -> bool:
        """Its output is a program."""
        return self.output_type.lower() in ("exe", "winexe")


class ProjectGraph(Struct, frozen=True):
    """All projects of a commit in path order, the solutions that name them, and what could not be evaluated."""

    projects: tuple[Project, ...] = ()
    solutions: tuple[Solution, ...] = ()
    problems: tuple[ProjectProblem, ...] = ()
