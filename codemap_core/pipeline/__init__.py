"""The stages in order, over worker processes: from a commit to a published index."""

from codemap_core.pipeline.baseline import BaselineResult, baseline_path, ensure_baseline, index_fingerprint

__all__ = ["BaselineResult", "baseline_path", "ensure_baseline", "index_fingerprint"]
