from __future__ import annotations

import pytest

from tests.rules.cases import run


@pytest.mark.parametrize(
    ("data", "position", "wording"),
    [
        (b"## Caf\xe9\n", (1, 7), "byte 0xE9"),
        ("## Ä".encode() + b"\xfc\n", (1, 5), "byte 0xFC"),
        (b"\xed\xa0\x80\n", (1, 1), "byte 0xED"),
        (b"## A\n\nnul \0 nul \0\n", (3, 5), "NUL byte cannot occur in text (2 such bytes"),
    ],
)
def test_first_bad_byte_is_named(data: bytes, position: tuple[int, int], wording: str) -> None:
    (finding,) = run("invalid-encoding", data)
    assert wording in finding.message
    assert (finding.line, finding.column) == position


@pytest.mark.parametrize("text", ["## Café\n", "日本語\n", "\ufffd\n"])
def test_utf_8_is_fine(text: str) -> None:
    assert run("invalid-encoding", text) == []
