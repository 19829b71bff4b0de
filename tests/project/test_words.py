"""One word for one thing, and the words of the field."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.support.guard import ROOT

# A reader of the code could not tell what these stood for: `each` was 576 different things.
NAMES = {"each", "found", "told", "taken", "heeded", "mend", "mended", "stray", "strays", "glued"}
NAMES |= {"wish", "wishes", "whoever", "sought", "evening", "evenings", "keeper", "desk"}
# Written so, a docstring or message has to be read twice.
PHRASES = ("say whether", "in vain", "held against", "hold against", "passed over", "of ours")
PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", flags=re.IGNORECASE)
WORD = re.compile(r"\w+")


def sources() -> Iterator[tuple[Path, str]]:
    """Give every module of the product with its text."""
    for folder in ("src/learnings", "hooks", "agent-core/bin"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def names(text: str) -> Iterator[tuple[str, int]]:
    """Give where one of NAMES is a name in a module, with the line."""
    if NAMES.isdisjoint(WORD.findall(text)):  # tokens take long
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string in NAMES:
            yield token.string, token.start[0]


def test_a_name_is_seen_and_a_word_of_a_comment_is_none() -> None:
    assert [*names("x = 1  # found\nfor each in y:\n    print('told', each)\n")] == [
        ("each", 2),
        ("each", 3),
    ]


def test_variables_are_named_by_the_noun() -> None:
    assert [
        f"{path}:{line}: {name}" for path, text in sources() for name, line in names(text)
    ] == []


def test_sentences_use_the_words_of_the_field() -> None:
    assert [
        f"{path}:{number}: {phrase[0]}"
        for path, text in sources()
        if PHRASE.search(text)
        for number, line in enumerate(text.splitlines(), start=1)
        for phrase in PHRASE.finditer(line)
    ] == []
