"""A server process with the toy tools installed as a third party's, and a data directory of its own."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server import shop
from tests.server.raw_client import TIMEOUT, RawClient

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "testdata" / "SampleSolution"


def lay_out(site: Path, source: str, module: str) -> None:
    """Makes a plug-in of this folder a distribution in ``site``, as a package manager leaves one: a module and its dist-info."""
    shutil.copy(Path(__file__).with_name(source), site / f"{module}.py")
    info = site / f"{module}-2.0.dist-info"
    info.mkdir()
    name = module.replace("_", "-")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[codemap]\n{name.partition('-')[2]} = {module}\n", encoding="utf-8")


@pytest.fixture(scope="session")
def toy_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    lay_out(site, "toy_plugin.py", "codemap_toys")
    return site


@pytest.fixture(scope="session")
def environment(toy_site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Of a server process: the toys are installed, data and home are folders of the test run."""
    folder = tmp_path_factory.mktemp("environment")
    path = os.pathsep.join(filter(None, [str(toy_site), os.environ.get("PYTHONPATH", "")]))
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("CODEMAP_", "CLAUDE_"))},
        "PYTHONPATH": path,
        "CODEMAP_HOME": str(folder / "data"),
        "HOME": str(folder),
    }


@pytest.fixture(scope="module")
def sample_folder(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """The sample at its second commit, which adds a folder, with an index of it and of its first."""
    folder = tmp_path_factory.mktemp("sample") / "brewline"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("bin", "obj"))
    shop.git(folder, "init", "--quiet", "--initial-branch=main")
    late = folder / "src" / "Brewline.Domain" / "Orders"
    aside = late.rename(folder.parent / "Orders")
    for message in ("First", "Second"):
        shop.commit(folder, message)
        with RawClient(environment, cwd=str(folder)) as server:
            server.initialize()
            made, is_error = server.call_json("index.ensure_baseline")
            assert not is_error, made
        if aside.exists():
            aside.rename(late)
    return folder


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., RawClient]]:
    """Starts servers that the test need not end."""
    clients: list[RawClient] = []

    def start_server(options: str = "", cwd: Path = tmp_path, listens: bool = True) -> RawClient:
        clients.append(RawClient(environment, options, str(cwd), listens))
        return clients[-1]

    yield start_server
    for client in clients:
        client.__exit__()


@pytest.fixture(scope="module")
def client(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """One server for all tests of a module that leave it alive; outside of any repository."""
    with RawClient(environment, cwd=str(tmp_path_factory.mktemp("nowhere"))) as server:
        server.initialize()
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shop.create(tmp_path / "shop")


@pytest.fixture
def home(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """An environment with a data directory of this test's own."""
    return {**environment, "CODEMAP_HOME": str(tmp_path / "data")}


@pytest.fixture(scope="session")
def shop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop.create(tmp_path_factory.mktemp("repositories") / "the shop")


@pytest.fixture(scope="session")
def indexed(shop_folder: Path, environment: dict[str, str]) -> Path:
    """The shop, its HEAD indexed."""
    with RawClient(environment, cwd=str(shop_folder)) as server:
        server.initialize()
        answer, is_error = server.call_json("index.ensure_baseline")
        assert not is_error, answer
    return shop_folder


@pytest.fixture(scope="module")
def shop_client(indexed: Path, environment: dict[str, str]) -> Iterator[RawClient]:
    """A server that stands in the indexed shop."""
    with RawClient(environment, cwd=str(indexed)) as server:
        server.initialize()
        yield server


@pytest.fixture
def http_server(start: Callable[..., RawClient], indexed: Path) -> tuple[str, RawClient]:
    """The address of a server that stands in the indexed shop, as its log says it, and the server."""
    server = start("transport=Transport.HTTP, port=0", cwd=indexed)
    return served_at(server), server


def served_at(server: RawClient) -> str:
    """Waits for the address that a server logs."""
    end = time.monotonic() + TIMEOUT
    while (found := re.search(r"http://\S+/(?:mcp|sse)", server.log)) is None:
        assert server.process.poll() is None and time.monotonic() < end, server.log
        time.sleep(0.05)
    return found[0]
