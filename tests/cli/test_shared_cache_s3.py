"""The shared cache in an S3-compatible store on this machine. Needs the extra ``test-s3``."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Shell
from tests.cli.test_shared_cache import FILES, KINDS, Team
from tests.clone import Clone

_SECONDS: Final = 60.0
_SERVER: Final = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    pytest.importorskip("moto")
    pytest.importorskip("s3fs")
    with subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        _until_it_answers(url)
        request = urllib.request.Request(f"{url}/codemap-tests", method="PUT")
        urllib.request.urlopen(request, timeout=_SECONDS).close()
        yield url
        server.stdin.close()


def _until_it_answers(url: str) -> None:
    until = time.monotonic() + _SECONDS
    while True:
        try:
            urllib.request.urlopen(url, timeout=_SECONDS).close()
            return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


@pytest.fixture
def team(tmp_path: Path, endpoint: str) -> Team:
    return Team(tmp_path, f"s3://codemap-tests/{tmp_path.name}")


def machine(team: Team, endpoint: str, name: str, **environment: str) -> Shell:
    access = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_ENDPOINT_URL": endpoint}
    return team.machine(name, **{**access, "AWS_DEFAULT_REGION": "us-east-1", **environment})


def test_machines_share_through_s3(team: Team, endpoint: str, clone: Clone) -> None:
    clone.commit(FILES)
    one, other = machine(team, endpoint, "one"), machine(team, endpoint, "other")
    assert "0 shared indexes" in one("cache", "list", clone.root).stderr
    assert not one.index(clone.root).get("from_cache")
    assert other.index(clone.root)["from_cache"]
    assert all(one.dump(kind, clone.root) == other.dump(kind, clone.root) for kind in KINDS)
    assert "1 shared index of" in other("cache", "list", clone.root).stderr
    clone.commit({"src/C.cs": "public class C { public int Three; }\n"})
    third = machine(team, endpoint, "third")
    stats = third.index(clone.root)["stats"]
    assert (stats["analysed_files"], stats["bound_files"]) == (1, 1)
    assert "Taken from the shared cache" in other("cache", "pull", clone.root).stdout
    assert other.dump("refs", clone.root) == third.dump("refs", clone.root)


def test_what_is_damaged_in_s3_is_replaced(team: Team, endpoint: str, clone: Clone) -> None:
    import s3fs

    clone.commit(FILES)
    one = machine(team, endpoint, "one")
    one.index(clone.root)
    bucket = s3fs.S3FileSystem(key="x", secret="x", endpoint_url=endpoint, skip_instance_cache=True)
    files = [path for path in bucket.find(team.location.removeprefix("s3://")) if path.endswith(".gz")]
    assert len(files) == 2
    for path in files:
        bucket.pipe_file(path, bucket.cat_file(path)[:-20])
    reader = machine(team, endpoint, "reader", CODEMAP_CACHE_READ_ONLY="1")
    assert "is not used" in reader("cache", "pull", clone.root, fails=2).stderr
    built = machine(team, endpoint, "other")("index", clone.root)
    assert "warning: The shared index of commit" in built.stderr
    assert machine(team, endpoint, "third").index(clone.root)["from_cache"]


def test_a_store_that_refuses_or_is_not_there_costs_a_remark(team: Team, endpoint: str, clone: Clone) -> None:
    clone.commit(FILES)
    for location, url in (("s3://no-such-bucket-here/x", endpoint), (team.location, "http://127.0.0.1:9")):
        shell = machine(team, endpoint, "one", CODEMAP_CACHE_DIR=location, AWS_ENDPOINT_URL=url, AWS_MAX_ATTEMPTS="1")
        done = shell("index", clone.root, "--rebuild")
        assert "Indexed commit" in done.stdout
        assert "cannot be used" in done.stderr
        assert shell.ids(clone.root)
