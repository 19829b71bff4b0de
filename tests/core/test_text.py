from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from learnings.core.text import (
    as_single_line,
    chomp,
    count_lines,
    decode,
    encode,
    nearest,
    newline_of,
    printable,
    printable_lines,
    short_commit,
    split_lines,
)

# Text in which the characters that decide about lines come often.
LINED = st.text(st.sampled_from("ab\n\r\0\x0b\x0c\x85\u2028\ufeff\udcff"), max_size=12)


@given(st.binary())
@example(b"\xff\xfe\x00\xc3(\r\n\xed\xa0\x80")
@example(b"\xef\xbb\xbf# x")
def test_any_bytes_come_back(data: bytes) -> None:
    assert encode(decode(data)) == data
    with pytest.raises(UnicodeEncodeError):
        encode("\ud800")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a\n", ["a\n"]),
        ("\n\n", ["\n", "\n"]),
        ("a\r\nb\nc", ["a\r\n", "b\n", "c"]),
        ("a\rb\n", ["a\rb\n"]),
        ("a\r\rb", ["a\r", "\r", "b"]),
        ("a\u2028b\x0bc\x0cd\x85e\x1cf\n", ["a\u2028b\x0bc\x0cd\x85e\x1cf\n"]),
    ],
)
def test_split_lines(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(LINED)
def test_lines_joined_are_the_text(text: str) -> None:
    lines = split_lines(text)
    separator = "\n" if "\n" in text else "\r"

    assert "".join(lines) == text
    assert count_lines(encode(text)) == len(lines)
    assert all(line.find(separator) in {-1, len(line) - 1} for line in lines)
    assert all(line.endswith(separator) for line in lines[:-1])
    assert "" not in lines
    for line in lines:
        single = as_single_line(line)
        assert single.index("\n") == len(single) - 1
        assert "\r" not in single
        encode(single).decode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Wann 確認　事項\xa0– é", "Wann 確認　事項\xa0– é"),
        ("\x1b[31m\x07\x9b\x7f", r"\x1b[31m\x07\x9b\x7f"),
        ("a\tb\r\n", r"a\tb\r\n"),
        ("\u202e\u2066\u200b\u2060\ufeff\xad", r"\u202e\u2066\u200b\u2060\ufeff\xad"),
        ("a\u2028b\u2029", r"a\u2028b\u2029"),
        ("\udcff\U000e0041\U000e0101\ufe01", r"\udcff\U000e0041\U000e0101\ufe01"),
        ("\u3164\u115f", r"\u3164\u115f"),
        ("👩\u200d💻 ❤\ufe0f\u200d🔥", "👩\u200d💻 ❤\ufe0f\u200d🔥"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("ad\u200dmin\u200c", r"ad\u200dmin\u200c"),
        ("\u200dа\u200dб", r"\u200dа\u200dб"),
    ],
)
def test_what_is_not_seen_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("line", "rest", "single"),
    [
        ("a", "a", "a\n"),
        ("a\r\n", "a", "a\n"),
        ("a\r", "a", "a\n"),
        ("a\r\r\n", "a\r", "a \n"),
        ("a \n", "a ", "a \n"),
        ("a\0b\udcffc\n", "a\0b\udcffc", "a\ufffdb\ufffdc\n"),
        ("a\u2028b\x0c\n", "a\u2028b\x0c", "a\u2028b\x0c\n"),
    ],
)
def test_a_line_without_its_end_and_as_one_of_git(line: str, rest: str, single: str) -> None:
    assert chomp(line) == rest
    assert as_single_line(line) == single


def test_the_line_end_of_a_text() -> None:
    texts = {"a\nb\n": "\n", "a\r\nb\r\n": "\r\n", "a\r\nb\r\nc\n": "\r\n", "a\r\nb\n": "\n"}
    texts |= {"a\rb": "\r", "a\rb\n": "\n"}
    assert {text: newline_of(text) for text in texts} == texts


def test_names_that_were_meant_and_short_names_and_lines_for_a_terminal() -> None:
    meant = {"chek": "check", "CHECK": "check", "ages": "ages", "zzz": None, "": None}
    assert {word: nearest(word, ["check", "ages"]) for word in meant} == meant
    assert nearest("chek", ["check"], cutoff=0.95) is None
    assert nearest("c" * 1_000_000, ["check"]) is None
    assert short_commit("0123456789abcdef0123456789abcdef01234567") == "0123456789ab"
    assert printable_lines("a\tb\r\nc\rd\n\x1b\n") == "a\tb\nc\nd\n\\x1b\n"
