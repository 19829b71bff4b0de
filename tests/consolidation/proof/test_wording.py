from __future__ import annotations

import pytest

from learnings.consolidation.proof.wording import (
    Wording,
    WordStream,
    is_same,
    word_changes,
    wording_of,
)

TEXT = """\
- Limit: `-1` means "no limit", and a wait of 48 hours -- never more -- is usual.
- Read /etc/queue.conf first.
|cell|padded|

```diff
-retries = 3
+retries = 5
    # a comment
```
"""


def words(text: str) -> Wording:
    return wording_of(tuple(text.splitlines(keepends=True)))


RETYPED = {
    "quotes": ('"no limit"', "“no limit”"),
    "dashes": (" -- never more -- ", " — never more — "),
    "a line break": ("hours -- never", "hours\n  -- never"),
    "a list mark": ("- Read", "* Read"),
    "no list mark": ("- Read", "Read"),
    "the padding of cells": ("|cell|padded|", "| cell | padded |"),
    "a longer fence": ("```", "````"),
    "escapes": ("- Limit: `-1` means", "- Limit\\: `-1` means"),
    "a reference": (", and a wait", "&#44; and&nbsp;a wait"),
}
ALTERED = {
    "a sign in a code span": ("`-1`", "`1`"),
    "a number": ("48", "84"),
    "a path": ("/etc", "./etc"),
    "an escape in a code span": ("`-1`", "`\\-1`"),
    "an escape in code": ("+retries", "\\+retries"),
    "a diff": ("-retries", "+retries"),
    "a comment sign": ("# a comment", "a comment"),
    "the indentation of one line of code": ("    # a", "# a"),
    "a negation": ("never ", ""),
}


@pytest.mark.parametrize("name", RETYPED)
def test_retypings_keep_a_text(name: str) -> None:
    before, after = RETYPED[name]
    assert before in TEXT
    assert is_same(words(TEXT), words(TEXT.replace(before, after)))


@pytest.mark.parametrize("name", ALTERED)
def test_alterations_are_named(name: str) -> None:
    before, after = ALTERED[name]
    altered = words(TEXT.replace(before, after, 1))
    assert not is_same(words(TEXT), altered)
    changes = word_changes(words(TEXT), altered)
    assert any(change.matters for change in changes)


def test_words_of_a_line_of_code_are_compared_one_by_one() -> None:
    code = "```\nretries = 3 # per host\n```\n"
    [change] = word_changes(words(code), words(code.replace("host", "user")))
    assert ("host" in change.before, "user" in change.after) == (True, True)
    assert (change.before.split()[0], change.matters) == ("#", True)


def test_blanks_in_a_line_of_code_are_shown() -> None:
    [change] = word_changes(words("```\na  b\n```\n"), words("```\na b\n```\n"))
    assert change == ("a··b", "a·b", True, False)


@pytest.mark.parametrize("shift", ["  ", "\t", "> "])
def test_a_shift_of_all_lines_keeps_a_text(shift: str) -> None:
    shifted = "".join(f"{shift}{line}" for line in TEXT.splitlines(keepends=True))
    assert is_same(words(TEXT), words(shifted))


def test_punctuation_around_words_is_a_retyping() -> None:
    one, other = words("Wait, then stop → retry."), words("Wait; then **stop** -> retry!")
    assert is_same(one, other)


def test_lines_of_scripts_without_spaces_may_break_anywhere() -> None:
    one, other = words("再実行する前に必ず確認する。"), words("再実行する前に\n必ず確認する。")
    assert is_same(one, other)
    [change] = word_changes(words("待ち時間は30秒"), words("待ち時間は90秒"))
    assert ("30" in change.before, "90" in change.after, change.matters) == (True, True, True)


def test_a_copy_is_found_by_its_words_whatever_is_around_it() -> None:
    lines = ["# Notes\n", "\n", "Before. Wait for\n", "the lock; then go.\n", "After.\n"]
    [(line, found)] = WordStream(lines).copies(["Wait for the lock, then go.\n"])
    assert (line, list(found)) == (3, lines[2:4])
    assert list(WordStream(lines).copies(["Wait for the key.\n"])) == []
