"""Bytes that stand in no UTF-8 text."""

from __future__ import annotations

import pytest

from tests.rules.cases import run


@pytest.mark.parametrize(
    ("data", "position", "wording"),
    [
        (b"## Caf\xe9\n", (1, 7), "byte 0xE9"),
        (b"## A\r\n\r\nx\xff\xfe\r\n", (3, 2), "byte 0xFF"),
        ("## Ä".encode() + b"\xfc\n", (1, 5), "byte 0xFC"),
        (b"## \x80\n", (1, 4), "byte 0x80"),
        (b"\xc3\n## A\n", (1, 1), "byte 0xC3"),
        (b"\xed\xa0\x80\n", (1, 1), "byte 0xED"),
        (b"```\n\xe9\n```\n", (2, 1), "byte 0xE9"),
        (b"---\na: \xe9\n---\n", (2, 4), "byte 0xE9"),
        (b"## A\n\nnul \0 nul \0\n", (3, 5), "NUL byte cannot occur in text (2 such bytes"),
        ("## A\n".encode("utf-16"), (1, 1), "UTF-16 or binary"),
        ("## A\n".encode("utf-16-le"), (1, 4), "UTF-16 or binary"),
    ],
)
def test_first_bad_byte_is_named(data: bytes, position: tuple[int, int], wording: str) -> None:
    (finding,) = run("invalid-encoding", data)
    assert wording in finding.message
    assert (finding.line, finding.column) >= (1, 1)
    if "UTF-16" not in wording:
        assert (finding.line, finding.column) == position


@pytest.mark.parametrize(
    "text", ["## Café\n", "\ufeff## A\n", "日本語\n", "🎉\n", "\ufffd\n", "\x01\x7f\n", ""]
)
def test_utf_8_is_fine(text: str) -> None:
    assert run("invalid-encoding", text) == []
