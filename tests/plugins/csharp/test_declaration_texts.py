"""What is read off the text of declarations: names with escapes, and hashes that no comment changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_core.model import DocumentStatus
from codemap_plugins.csharp.declarations.parts import content_hash
from codemap_plugins.csharp.front_end import CSharpFrontEnd

ESCAPES = st.one_of(
    st.integers(0, 0xFFFF).map("\\u{:04X}".format),
    st.integers(0, 0xFFFFFFFF).map("\\U{:08X}".format),
    st.sampled_from(["\\U00110000", "\\UFFFFFFFF", "\\uD800", "\\u00e9"]),
)


@settings(deadline=None)
@given(ESCAPES)
def test_an_escape_in_a_declared_name_never_fails_the_file(escape: str) -> None:
    source = (
        f"class A{escape} {{ int B{escape}; void C{escape}<T{escape}>(int p{escape}) {{ }} enum E {{ V{escape} }} }}"
    )
    assert CSharpFrontEnd().analyse(source.encode(), AnalysisSettings()).status is not DocumentStatus.FAILED


PIECES = (b"a", b"+", b'"//x"', b'"\\"/*"', b"'/'", b'@"\\"', b'@"""/*"', b'"""a"//b"""', b'$"{a}//"', b"1 / 2")
COMMENTS = (b"// c\n", b"/* c */", b"/**/", b'// "\n', b"/* ' */", b"/// <summary/>\n")


def digest(text: bytes) -> str:
    return content_hash(text, 0, len(text))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(COMMENTS)), max_size=12))
def test_comments_and_white_space_do_not_count(pieces: list[tuple[bytes, bytes]]) -> None:
    plain = b" ".join(piece for piece, _ in pieces)
    commented = b"".join(b" " + comment + b"\t" + piece for piece, comment in pieces)
    assert digest(commented) == digest(plain)


@pytest.mark.parametrize("literal", ['"//{}"', '"/*{}*/"', '@"\\" + "//{}"', '"""/*{}*/"""', "'{}'", '$"{{x}}//{}"'])
def test_what_looks_like_a_comment_in_a_literal_counts(literal: str) -> None:
    assert digest(literal.format("a").encode()) != digest(literal.format("b").encode())


@pytest.mark.parametrize("opening", [b"/*", b'"""', b'@"', b'"', b"'", b'""""'])
def test_what_stays_open_takes_no_longer_than_the_text(opening: bytes) -> None:
    assert digest(b"// x\n" + opening + b" a" * 10) == digest(opening + b" a" * 10) or opening == b"/*"
    digest((opening + b" ") * 300_000 + b"//")  # would take hours if it were quadratic
