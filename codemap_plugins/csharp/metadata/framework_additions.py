"""What .NET's own libraries had only from some version on: which of it a project's framework lacks.

A project is bound against the libraries at hand, which are often newer than its framework. What its framework lacks may be found there, and
cannot be meant: an older overload, the project's own type or a package is. The table has members that are often used, with the first
frameworks that have them, as the API reference says under "Applies to"; what packages give older frameworks under the same name is left
out. A method without its parameters stands for all its overloads, a type for its members too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from codemap_plugins.csharp.metadata.discover import nearest_framework

_NET_CORE_2: Final = "netcoreapp2.0", "netstandard2.1"
_ADDITIONS: Final[Mapping[tuple[str, ...], str]] = {
    _NET_CORE_2: """
        M:System.Array.Fill``1 M:System.Collections.Generic.CollectionExtensions.GetValueOrDefault``2
        M:System.Collections.Generic.Dictionary`2.Remove(`0,`1@) M:System.Collections.Generic.Dictionary`2.TryAdd
        M:System.Collections.Generic.KeyValuePair`2.Deconstruct M:System.Collections.Generic.Queue`1.TryDequeue
        M:System.Collections.Generic.Queue`1.TryPeek M:System.Collections.Generic.Stack`1.TryPeek
        M:System.Collections.Generic.Stack`1.TryPop M:System.IO.File.AppendAllLinesAsync M:System.IO.File.AppendAllTextAsync
        M:System.IO.File.ReadAllBytesAsync M:System.IO.File.ReadAllLinesAsync M:System.IO.File.ReadAllTextAsync
        M:System.IO.File.WriteAllBytesAsync M:System.IO.File.WriteAllLinesAsync M:System.IO.File.WriteAllTextAsync
        M:System.IO.Path.GetRelativePath M:System.Linq.Enumerable.SkipLast``1 M:System.Linq.Enumerable.TakeLast``1
        M:System.Math.Clamp M:System.String.EndsWith(System.Char) M:System.String.Join(System.Char,System.String[])
        M:System.String.Replace(System.String,System.String,System.StringComparison)
        M:System.String.Split(System.Char,System.StringSplitOptions) M:System.String.Split(System.String,System.StringSplitOptions)
        M:System.String.StartsWith(System.Char) M:System.String.Trim(System.Char) M:System.String.TrimEnd(System.Char)
        M:System.String.TrimStart(System.Char) M:System.Text.StringBuilder.AppendJoin
        P:System.Threading.Tasks.Task.IsCompletedSuccessfully
    """,
    ("netcoreapp2.1", "netstandard2.1"): """
        M:System.IO.Path.IsPathFullyQualified M:System.IO.Path.Join M:System.String.Contains(System.Char)
        M:System.String.Contains(System.String,System.StringComparison) P:System.Diagnostics.ProcessStartInfo.ArgumentList
    """,
    ("netcoreapp3.0",): """
        M:System.Diagnostics.Process.Kill(System.Boolean) M:System.IO.File.Move(System.String,System.String,System.Boolean)
    """,
    ("net5.0",): """
        M:System.Convert.FromHexString M:System.Convert.ToHexString M:System.Diagnostics.Process.WaitForExitAsync
        M:System.Enum.GetNames``1 M:System.Enum.GetValues``1 M:System.Enum.IsDefined``1
        M:System.Net.Http.HttpContent.ReadAsByteArrayAsync(System.Threading.CancellationToken)
        M:System.Net.Http.HttpContent.ReadAsStreamAsync(System.Threading.CancellationToken)
        M:System.Net.Http.HttpContent.ReadAsStringAsync(System.Threading.CancellationToken)
        M:System.OperatingSystem.IsLinux M:System.OperatingSystem.IsMacOS M:System.OperatingSystem.IsWindows
        M:System.Security.Cryptography.MD5.HashData M:System.Security.Cryptography.SHA1.HashData
        M:System.Security.Cryptography.SHA256.HashData M:System.Security.Cryptography.SHA512.HashData
        P:System.Environment.ProcessId T:System.Half T:System.Threading.Tasks.TaskCompletionSource
    """,
    ("net6.0",): """
        M:System.ArgumentNullException.ThrowIfNull M:System.Linq.Enumerable.Chunk``1 M:System.Linq.Enumerable.DistinctBy``2
        M:System.Linq.Enumerable.ElementAt``1(System.Collections.Generic.IEnumerable{``0},System.Index)
        M:System.Linq.Enumerable.ExceptBy``2
        M:System.Linq.Enumerable.FirstOrDefault``1(System.Collections.Generic.IEnumerable{``0},``0)
        M:System.Linq.Enumerable.IntersectBy``2
        M:System.Linq.Enumerable.LastOrDefault``1(System.Collections.Generic.IEnumerable{``0},``0)
        M:System.Linq.Enumerable.MaxBy``2 M:System.Linq.Enumerable.MinBy``2
        M:System.Linq.Enumerable.SingleOrDefault``1(System.Collections.Generic.IEnumerable{``0},``0)
        M:System.Linq.Enumerable.Take``1(System.Collections.Generic.IEnumerable{``0},System.Range)
        M:System.Linq.Enumerable.TryGetNonEnumeratedCount``1 M:System.Linq.Enumerable.UnionBy``2
        M:System.Linq.Enumerable.Zip``3(System.Collections.Generic.IEnumerable{``0},System.Collections.Generic.IEnumerable{``1},System.Collections.Generic.IEnumerable{``2})
        M:System.Threading.Tasks.Parallel.ForEachAsync``1 M:System.Threading.Tasks.Task.WaitAsync
        M:System.Threading.Tasks.Task`1.WaitAsync P:System.Environment.ProcessPath P:System.Random.Shared
        T:System.Collections.Generic.PriorityQueue`2 T:System.DateOnly T:System.Threading.PeriodicTimer T:System.TimeOnly
    """,
    ("net7.0",): """
        M:System.ArgumentException.ThrowIfNullOrEmpty M:System.IO.Stream.ReadAtLeast M:System.IO.Stream.ReadExactly
        M:System.IO.Stream.ReadExactlyAsync M:System.Linq.Enumerable.Order``1 M:System.Linq.Enumerable.OrderDescending``1
        M:System.ObjectDisposedException.ThrowIf T:System.Diagnostics.UnreachableException T:System.Int128 T:System.UInt128
    """,
    ("net8.0",): """
        M:System.ArgumentException.ThrowIfNullOrWhiteSpace M:System.ArgumentOutOfRangeException.ThrowIfEqual``1
        M:System.ArgumentOutOfRangeException.ThrowIfGreaterThan``1 M:System.ArgumentOutOfRangeException.ThrowIfLessThan``1
        M:System.ArgumentOutOfRangeException.ThrowIfNegative``1 M:System.ArgumentOutOfRangeException.ThrowIfNegativeOrZero``1
        M:System.ArgumentOutOfRangeException.ThrowIfZero``1 M:System.Random.GetItems``1 M:System.Random.Shuffle``1
        M:System.Threading.CancellationTokenSource.CancelAsync
    """,
    ("net9.0",): """
        M:System.Guid.CreateVersion7 M:System.Linq.Enumerable.AggregateBy``3 M:System.Linq.Enumerable.CountBy``2
        M:System.Linq.Enumerable.Index``1 M:System.Threading.Tasks.Task.WhenEach M:System.Threading.Tasks.Task.WhenEach``1
        T:System.Collections.Generic.OrderedDictionary`2 T:System.Threading.Lock
    """,
    ("net10.0",): """
        M:System.Linq.Enumerable.LeftJoin``4 M:System.Linq.Enumerable.Reverse``1(``0[]) M:System.Linq.Enumerable.RightJoin``4
        M:System.Linq.Enumerable.Shuffle``1
    """,
}


@lru_cache(maxsize=64)
def absent_from(framework: str) -> frozenset[str]:
    """What a target framework lacks; nothing where that is not known. Texts alone are remembered."""
    if not framework or nearest_framework(framework, (framework,)) is None:
        return frozenset()
    return frozenset(
        symbol_id
        for first, listed in _ADDITIONS.items()
        if nearest_framework(framework, first) is None
        for symbol_id in listed.split()
    )


@lru_cache(maxsize=1 << 14)
def is_absent(symbol_id: str, absent: frozenset[str]) -> bool:
    """It, all overloads of its name, or its type is among those."""
    if symbol_id in absent:
        return True
    name = symbol_id.partition("(")[0]
    return name in absent or f"T:{name[2:].rpartition('.')[0]}" in absent
