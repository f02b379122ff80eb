"""Telling text from binary, its encoding and its language."""

from __future__ import annotations

import pytest

from codemap_core.repository import decode_text, is_binary, language_of

TEXT = "class Ünï { } // 漢😀\r\n"


@pytest.mark.parametrize(
    ("content", "encoding", "problems"),
    [
        (TEXT.encode(), "utf-8", []),
        (TEXT.encode("utf-8-sig"), "utf-8", []),
        (b"\xff\xfe" + TEXT.encode("utf-16-le"), "utf-16", []),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16", []),
        (b"\xff\xfe\0\0" + TEXT.encode("utf-32-le"), "utf-32", []),
        (b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"), "utf-32", []),
    ],
)
def test_a_byte_order_mark_decides(content: bytes, encoding: str, problems: list[str]) -> None:
    text, name, found = decode_text(content)
    assert (text, name, [problem.code for problem in found]) == (TEXT, encoding, problems)
    assert not is_binary(content)


def test_bytes_that_are_not_utf8_are_windows_1252_and_reported() -> None:
    text, encoding, problems = decode_text(b"a\nM\xfcller \x80 \x81\n")
    assert (text, encoding) == ("a\nMüller € \ufffd\n", "cp1252")
    assert [(problem.code, problem.line) for problem in problems] == [("not_utf8", 2)]


@pytest.mark.parametrize(
    "content", [b"\xff\xfeA", b"\xff\xfe\x00\xd8A\0", b"\xef\xbb\xbf\xff", b"\xed\xa0\x80", b"\0\0\xfe\xff\0\0\xd8\0"]
)
def test_broken_encodings_never_raise_or_let_lone_surrogates_out(content: bytes) -> None:
    text, _, problems = decode_text(content)
    text.encode()
    assert problems


def test_binary_is_a_nul_near_the_beginning() -> None:
    assert is_binary(b"MZ\0\0")
    assert not is_binary(b"x" * 8192 + b"\0")
    assert not is_binary(b"")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/B.CS", "csharp"),
        ("x.csproj", "xml"),
        ("Views/Index.cshtml", "razor"),
        ("appsettings.Development.json", "json"),
        ("README.md", "markdown"),
        ("Dockerfile", "dockerfile"),
        ("ci/Dockerfile.web", "dockerfile"),
        (".editorconfig", "ini"),
        ("LICENSE", "text"),
        ("dir.cs/file", "text"),
        (".cs", "csharp"),
    ],
)
def test_language_by_name(path: str, language: str) -> None:
    assert language_of(path) == language
