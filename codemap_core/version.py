"""The version of the distribution, the one place that states it for code."""

from typing import Final

__version__: Final = "0.1.0"
