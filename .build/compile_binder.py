"""Build hook of the wheel: compiles the modules that bind and lower C# and TypeScript with mypyc where a C compiler is at hand.

The sources are compiled as they are, but for members of enums, which become constants (``enum_members``). They stay in the wheel beside
what became of them, so a wheel without compiled modules gives the same answers, only slower. Nothing is compiled for an editable install,
when ``CODEMAP_PURE=1`` is set, or when there is no C compiler; a compilation that fails is reported and gives a wheel of sources alone.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "codemap_core/hooks/matching.py",
    *(
        f"codemap_plugins/csharp/{name}.py"
        for name in (
            *("binding/*", "symbols/*", "declarations/*", "lowering/*", "protobuf/*", "xaml/*"),
            *("constructor_slices", "doc_comments", "grammar", "names_in_text", "page_text", "surface", "type_reader"),
        )
    ),
    *(
        f"codemap_plugins/typescript/{name}.py"
        for name in (
            *("*_walker", "analysis", "building", "complexity", "doc_comments", "library_calls", "surface"),
            *("binding", "calls", "evaluation", "held_types", "meanings", "naming", "symbol_rows"),
        )
    ),
)
"""Patterns of the modules that are compiled: where a profile of indexing says the time goes. Where a class is compiled, its bases are."""

SETUP = """
from pathlib import Path

from enum_members import rewrite
from mypyc.build import mypycify
from pybind11.setup_helpers import ParallelCompile
from setuptools import setup

rewrite(Path.cwd(), {modules!r})
extensions = mypycify({arguments!r}, opt_level="1", debug_level="0", multi_file=True, group_name="codemap")
for extension in extensions:
    extension.extra_compile_args += {flags!r}
ParallelCompile(max={most}).install()
setup(name="codemap", ext_modules=extensions)
"""

MOST_COMPILERS = 8
"""That run at once, where there are as many processors; setuptools alone takes the files of one extension after the other."""

FLAGS = [] if os.name == "nt" else ["-fvisibility=hidden"]
"""What the functions of one module of C call in another one is called through a table unless it is hidden from other libraries."""


class CompileBinder(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None
    """What is compiled lies here until the wheel holds it."""

    def dependencies(self) -> list[str]:
        """What is imported is there for its types: without them all that comes from it would be compiled as if it might be anything."""
        typed = ["msgspec>=0.19,<1", "tree-sitter>=0.25,<0.27"]
        return ["mypy[mypyc]>=1.15,<3", "pybind11>=2.13,<4", "setuptools>=75", *typed] if _is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self.target_name != "wheel" or not _is_wanted():
            return
        self._folder = tempfile.TemporaryDirectory(prefix="codemap-build-")
        output = Path(self._folder.name).resolve()
        self.app.display_waiting("Compiling the binder; CODEMAP_PURE=1 leaves it out")
        problem = _compile(Path(self.root), output)
        if problem:
            self.app.display_warning(f"The binder was not compiled and will be slower: {problem}")
            return
        for library in output.rglob("*" + str(sysconfig.get_config_var("EXT_SUFFIX"))):
            build_data["force_include"][str(library)] = library.relative_to(output).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _is_wanted() -> bool:
    return os.environ.get("CODEMAP_PURE", "") not in ("1", "true") and _has_compiler()


def _has_compiler() -> bool:
    if sys.implementation.name != "cpython":
        return False
    if os.name == "nt":
        return True
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    headers = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return bool(command) and shutil.which(command[0]) is not None and headers.is_file()


def _compile(root: Path, output: Path) -> str:
    """Compiles into ``output``, laid out as the modules are imported; answers with what went wrong, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        for package in ("codemap_core", "codemap_plugins"):
            shutil.copytree(
                root / package, work / package, ignore=shutil.ignore_patterns("__pycache__", "baked", "*.so")
            )
        (work / "mypy.ini").write_text("[mypy]\nignore_missing_imports = true\n", encoding="utf-8")
        modules = sorted(
            path.relative_to(work).as_posix()
            for pattern in COMPILED
            for path in work.glob(pattern)
            if path.name != "__init__.py"
        )
        setup = work / "setup.py"
        arguments = ["--config-file=mypy.ini", *modules]
        text = SETUP.format(arguments=arguments, modules=modules, flags=FLAGS, most=MOST_COMPILERS)
        setup.write_text(text, encoding="utf-8")
        shutil.copy(root / ".build" / "enum_members.py", work)
        run = subprocess.run(
            [sys.executable, str(setup), "-q", "build_ext", "--build-lib", str(output), "--parallel", "2"],
            cwd=work,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if run.returncode:
            said = [line for line in (run.stderr + run.stdout).splitlines() if "error" in line.lower()]
            return (said or ["the compiler gave no reason"])[0][:300]
    return ""
