"""The logging libraries that are known: which methods of which types log, at which level, and which parameter is the template.

Levels are those of ``Microsoft.Extensions.Logging.LogLevel`` in every library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

UNKNOWN_LEVEL: Final = "Unknown"
"""The level of a call whose level is not constant."""


class Framework(Struct, frozen=True, kw_only=True):
    """One logging library. ``declaring``: ids of the types that declare its methods; ``loggers``: of those that they are called on, which
    tell a call whose overload was not found; ``levels``: the level of each method that has one in its name; ``levelled``: methods that
    take the level as an argument; ``level_names``: that level by the number or name of its constant; ``templates``: parameters."""

    name: str
    declaring: frozenset[str]
    loggers: frozenset[str]
    levels: Mapping[str, str]
    levelled: frozenset[str]
    level_names: Mapping[int | str, str]
    templates: frozenset[str]


MICROSOFT: Final = Framework(
    name="Microsoft.Extensions.Logging",
    declaring=frozenset(f"T:Microsoft.Extensions.Logging.{name}" for name in ("LoggerExtensions", "LoggerMessage")),
    loggers=frozenset(f"T:Microsoft.Extensions.Logging.{name}" for name in ("ILogger", "ILogger`1")),
    levels={f"Log{level}": level for level in ("Trace", "Debug", "Information", "Warning", "Error", "Critical")},
    levelled=frozenset({"Log", "Define"}),
    level_names=dict(enumerate(("Trace", "Debug", "Information", "Warning", "Error", "Critical", "None"))),
    templates=frozenset({"message", "formatString"}),
)
SERILOG: Final = Framework(
    name="Serilog",
    declaring=frozenset({"T:Serilog.Log", "T:Serilog.ILogger", "T:Serilog.Core.Logger"}),
    loggers=frozenset({"T:Serilog.ILogger", "T:Serilog.Core.Logger"}),
    levels={
        "Verbose": "Trace",
        "Debug": "Debug",
        "Information": "Information",
        "Warning": "Warning",
        "Error": "Error",
        "Fatal": "Critical",
    },
    levelled=frozenset({"Write"}),
    level_names=dict(enumerate(("Trace", "Debug", "Information", "Warning", "Error", "Critical"))),
    templates=frozenset({"messageTemplate"}),
)
NLOG: Final = Framework(
    name="NLog",
    declaring=frozenset({"T:NLog.Logger", "T:NLog.ILogger", "T:NLog.ILoggerBase"}),
    loggers=frozenset({"T:NLog.Logger", "T:NLog.ILogger", "T:NLog.ILoggerBase"}),
    levels={
        "Trace": "Trace",
        "Debug": "Debug",
        "Info": "Information",
        "Warn": "Warning",
        "Error": "Error",
        "Fatal": "Critical",
    },
    levelled=frozenset({"Log"}),
    level_names={
        f"F:NLog.LogLevel.{name}": level
        for name, level in {
            "Trace": "Trace",
            "Debug": "Debug",
            "Info": "Information",
            "Warn": "Warning",
            "Error": "Error",
            "Fatal": "Critical",
            "Off": "None",
        }.items()
    },
    templates=frozenset({"message", "value"}),
)
FRAMEWORKS: Final = (MICROSOFT, SERILOG, NLOG)
BY_DECLARING_TYPE: Final[Mapping[str, Framework]] = {
    type_id: framework for framework in FRAMEWORKS for type_id in framework.declaring
}
METHODS: Final = tuple(sorted({name for framework in FRAMEWORKS for name in (*framework.levels, *framework.levelled)}))
"""Simple names of all methods that log."""
