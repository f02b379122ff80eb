"""Generated inputs are not timed: how long an example takes says how busy the machine is. Programs that tests start keep their bytecode
for the run: where a test starts several, to compile them each time takes more than a third of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import partial

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Where no bytecode is to be written beside the sources, a folder of its own takes it, which the processes of the run share."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None) and "PYTHONPYCACHEPREFIX" not in os.environ:
        folder = os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="codemap-bytecode-")
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
