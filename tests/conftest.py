"""What holds for every test: the program that it is of (``tests.program``) is also what it starts. Generated inputs are not timed: how long
an example takes says how busy the machine is. Programs that tests start keep their bytecode for the run: where a test starts several, to
compile them each time takes more than a third of it."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

sys.path.append(str(Path(__file__).parents[1]))  # behind what is installed, which is what the tests are of


def pytest_configure(config: pytest.Config) -> None:
    """Where no bytecode is to be written beside the sources, a folder of its own takes it, which the processes of the run share. What tests
    start is the program that they import, be it started beside the sources or elsewhere."""
    from tests.program import INSTALLED, ROOT, RUNS_SOURCES, differences

    if RUNS_SOURCES:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    else:
        changed = next(differences(ROOT, INSTALLED), "")
        if changed:
            raise pytest.UsageError(
                f"{changed} has changed since the program was installed, and the tests are of what is installed. Install it "
                "again, or with pip install -e '.[test]', or run python -m pytest, which takes the sources."
            )
        os.environ["PYTHONSAFEPATH"] = "1"
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None) and "PYTHONPYCACHEPREFIX" not in os.environ:
        folder = os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="codemap-bytecode-")
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))


def pytest_collection_finish() -> None:
    """What was collected stays until the end. To visit all of it again and again takes an eighth of the time of the run."""
    gc.collect()
    gc.freeze()
