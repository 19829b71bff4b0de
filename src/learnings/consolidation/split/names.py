"""The names of new files, after the heading that leads the sections of each."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from learnings.consolidation.split.pieces import Piece
from learnings.consolidation.text.keywords import keywords_of
from learnings.core.markdown.anchors import without_markup
from learnings.core.patterns import lazy_pattern

LONGEST_SLUG = 40
"""Most characters of the topic in a file name; the names of file and folder must fit too."""
# Characters left out of a file name: all but letters, digits and marks of any script.
_NO_LETTERS = lazy_pattern(r"[\W_]+")
# Characters that join the parts of one word: `don't`.
_APOSTROPHES = lazy_pattern(r"(?<=\w)['’](?=\w)")
# The start of a title that is not a word: the dot of a structural heading, `3.`, `2.1)`, `[…]`.
_LEAD = lazy_pattern(r"^\s*(?:\.+(?=\w)|\d+(?:\.\d+)*[.)]\s+|\[[^\]]*\]\s+)")


class Topic(NamedTuple):
    """The topic of a new file: words for its title, and its part of the name."""

    title: str
    slug: str


def topic_of(group: Sequence[Piece], *, stem: str) -> Topic:
    """Return the topic of a group of pieces; stem is the name of their file.

    The largest piece with a title leads the group, the first of several. It gives the name, cut
    between words; the title has both headings of a group of two.
    """
    leader = max(group, key=lambda piece: (slug_of(plain(piece.title)) != "", piece.lines))
    titles = [plain(piece.title) for piece in (group if len(group) == 2 else [leader])]
    slug = slug_of(plain(leader.title)).removeprefix(f"{slug_of(stem)}-")
    if len(slug) > LONGEST_SLUG:
        words = slug[: LONGEST_SLUG + 1].split("-")[:-1]
        while len(words) > 1 and not [*keywords_of(words[-1])]:  # no cut after `of` or `the`
            words.pop()
        slug = "-".join(words) or slug[:LONGEST_SLUG]
    return Topic(" and ".join(filter(None, titles)), slug)


def candidates(topic: Topic, *, stem: str, suffix: str) -> Iterator[str]:
    """Yield names for the file of a topic, best first and without an end."""
    slug = topic.slug or "part"
    if topic.slug:
        yield f"{stem}-{slug}{suffix}"
    yield from (f"{stem}-{slug}-{number}{suffix}" for number in count(2 if topic.slug else 1))


def plain(title: str) -> str:
    """Return a title without markup and leading numbers."""
    text = without_markup(title)
    return _LEAD.sub("", text).strip() or text.strip()


def slug_of(text: str) -> str:
    """Return a text as a part of a file name: its words in lower case, joined by `-`.

    Letters of any script stay. Latin letters lose their accents, because some systems store these
    in two ways. The slug is as long as the text, and empty for a text without letters and digits.
    """
    words = _APOSTROPHES.sub("", text).casefold().split()
    return _NO_LETTERS.sub("-", " ".join(map(_without_accents, words))).strip("-")


def _without_accents(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word)
    is_latin = any("a" <= character <= "z" for character in decomposed)
    marks = (c for c in decomposed if not (is_latin and unicodedata.combining(c)))
    return unicodedata.normalize("NFC", "".join(marks))
