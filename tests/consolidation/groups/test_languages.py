from __future__ import annotations

from pathlib import Path

import pytest

from learnings.consolidation.groups.groups import propose
from learnings.core.entries.document import read

FOLDER = Path(__file__).parent / "languages"
LANGUAGES = ("arabic", "chinese", "japanese", "portuguese", "russian")
# By their places in the file: migrations, the cache of profiles, the queue, tests, payments.
OVERLAPS = {frozenset(pair) for pair in ((0, 6), (2, 8), (3, 11), (4, 12), (10, 14))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_groups_are_those_of_a_reader(language: str) -> None:
    entries = read((FOLDER / f"{language}.md").read_bytes()).entries
    place = {entry.first: index for index, entry in enumerate(entries)}
    groups = propose(entries).groups
    members = [{place[member.entry.first] for member in group.members} for group in groups]
    assert len(entries) == 20
    assert len(groups) == len(OVERLAPS)
    assert all(any(pair <= group for group in members) for pair in OVERLAPS)
    assert sum(map(len, members)) <= 11


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reasons_are_words_of_the_language(language: str) -> None:
    text = (FOLDER / f"{language}.md").read_text(encoding="utf-8")
    for group in propose(read(text.encode()).entries).groups:
        assert 2 <= len(group.keywords) <= 5
        assert all(word in text for word in group.keywords)
        # A particle or a half of a word would show that words are cut at the wrong place.
        assert not any(
            word[0] in "のがをー的之" or word[-1] in "のがを的之" for word in group.keywords
        )
