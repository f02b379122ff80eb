"""Telling text from binary, its encoding and its language."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.repository import decode_text, is_binary, language_of

TEXT = "class Ünï { } // 漢😀\r\n"


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (TEXT.encode(), []),
        (codecs.BOM_UTF8 + TEXT.encode(), []),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), []),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), []),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), []),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), []),
        (TEXT.encode("utf-16-le"), ["encoding"]),
        (TEXT.encode("utf-16-be"), ["encoding"]),
    ],
)
def test_encodings_give_one_text(content: bytes, codes: list[str]) -> None:
    decoded = decode_text(content)
    assert (decoded.text, decoded.source) == (TEXT, TEXT.encode())
    assert [problem.code for problem in decoded.problems] == codes
    assert not is_binary(content)


def test_bytes_that_are_not_utf8_are_windows_1252_and_reported() -> None:
    decoded = decode_text(b"a\nM\xfcller \x80 \x81\n")
    assert decoded.text == "a\nMüller € \ufffd\n"
    assert [(problem.code, problem.line) for problem in decoded.problems] == [("encoding", 2)]


@pytest.mark.parametrize(
    "content", [b"\xff\xfeA", b"\xff\xfe\x00\xd8A\0", b"\xef\xbb\xbf\xff", b"\xed\xa0\x80", b"\0\0\xfe\xff\0\0\xd8\0"]
)
def test_broken_encodings_are_reported(content: bytes) -> None:
    assert [problem.code for problem in decode_text(content).problems] == ["encoding"]


def test_nul_bytes_are_binary() -> None:
    decoded = decode_text(b"MZ\0\0\x01\x02\x03class C { }")
    assert decoded.is_binary
    assert (decoded.text, decoded.source) == ("", b"")


def test_pointers_of_git_lfs_say_nothing_of_their_files() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 12345\n"
    assert is_binary(pointer)
    assert [problem.message for problem in decode_text(pointer).problems] == [
        "a pointer of Git LFS: what the file holds is not in git"
    ]
    assert decode_text(pointer + b"x" * 1024).text.endswith("x")


@given(
    st.binary()
    | st.binary().map(lambda tail: codecs.BOM_UTF16_LE + tail)
    | st.binary().map(lambda tail: b"a\0b\0c\0" + tail)
)
def test_any_bytes_decode_and_no_lone_surrogate_comes_out(content: bytes) -> None:
    decoded = decode_text(content)
    assert decoded.source == decoded.text.encode()
    assert decoded.is_binary == is_binary(content)


def test_binary_is_a_nul_near_the_beginning() -> None:
    assert is_binary(b"MZ\0\0")
    assert not is_binary(b"x" * 8000 + b"\0")
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
