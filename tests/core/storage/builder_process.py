"""A process that builds the sample index, for tests that kill it or run several: ``builder_process PATH [stop-after
STAGE] [bytes N]``.

``stop-after``: says ``waiting`` and sleeps at that point. ``bytes``: files may not grow beyond that size. At the end
it says ``published``, ``existed``, or ``failed: …``.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from codemap_core.errors import StorageError
from codemap_core.storage.files.examine import examine_baseline
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.writing.writer import BaselineWriter
from codemap_core.testing import sample_index as sample


def main(path: Path, options: dict[str, str]) -> None:
    if "bytes" in options:
        limit = int(options["bytes"])
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    with build_lock(path, on_wait=lambda seconds: say("blocked") if seconds < 0.1 else None) as lock:
        if examine_baseline(path).is_ready:
            say("existed")
            return
        with BaselineWriter.create(lock, sample.INFO) as writer:
            pause(options, "create")
            writer.add_projects(sample.GRAPH)
            writer.add_documents(sample.documents())
            pause(options, "documents")
            writer.add_symbols(sample.symbols())
            writer.add_references(sample.references())
            writer.add_relations(sample.relations())
            writer.add_facts(sample.facts())
            pause(options, "rows")
            writer.publish()
        pause(options, "publish")
    say("published")


def pause(options: dict[str, str], stage: str) -> None:
    if options.get("stop-after") == stage:
        say("waiting")
        time.sleep(60)


def say(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    arguments = sys.argv[2:]
    try:
        main(Path(sys.argv[1]), dict(zip(arguments[::2], arguments[1::2], strict=True)))
    except StorageError as error:
        say(f"failed: {error.message}")
