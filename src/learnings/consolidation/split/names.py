"""What new files are called: a topic for their title, and a file name made from it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.split.links import without_markup
from learnings.consolidation.split.pieces import Piece
from learnings.consolidation.text.keywords import keywords, keywords_of, words
from learnings.core.patterns import lazy_pattern

LONGEST_SLUG = 40
"""Characters of the topic in a file name; that of a file and its folder have to fit as well."""
_TOO_COMMON = 3  # groups; what so many titles say, as `patterns`, tells none of them from another
# Stems of words for the form of a text, which say nothing of its subject. In five real target files
# `pattern` gave names to files that had nothing else in common.
_FORMS = frozenset(("pattern", "approach", "overview", "note", "general", "misc"))
_MOST_WORDS = 3  # of a title in a name; people write two or three
# What a file name has no need for: all but letters, digits and marks of any script.
_NO_LETTERS = lazy_pattern(r"[\W_]+")
# What leads a title and is none of its words: the dot of a structural heading, `3.`, `2.1)`, `[…]`.
_LEAD = lazy_pattern(r"^\s*(?:\.+(?=\w)|\d+(?:\.\d+)*[.)]\s+|\[[^\]]*\]\s+)")


class Topic(NamedTuple):
    """What the pieces of a new file are about: words for its title, and its part of the name."""

    title: str
    slug: str


def topics_named(groups: Sequence[Sequence[Piece]], *, stem: str) -> list[Topic]:
    """Return the topic of each group of pieces; stem is the name of the file they come from."""
    titles = Counter(key for group in groups for piece in group for key in {*_keys(piece.title)})
    spread = Counter(
        key for group in groups for key in {key for piece in group for key in _keys(piece.title)}
    )
    known = {*_keys(re.sub("[-_.]", " ", stem))}
    common = {key for key, number in spread.items() if number >= _TOO_COMMON}
    return [_topic(group, titles, known, common) for group in groups]


def candidates(topic: Topic, *, stem: str, suffix: str) -> Iterator[str]:
    """Give names for the file of a topic, the best first and without an end."""
    slug = topic.slug or "part"
    if topic.slug:
        yield f"{stem}-{slug}{suffix}"
    number = 1 if not topic.slug else 2
    while True:
        yield f"{stem}-{slug}-{number}{suffix}"
        number += 1


def plain(title: str) -> str:
    """Return a title without the markup and the numbers that lead it."""
    text = without_markup(title)
    return _LEAD.sub("", text).strip() or text.strip()


def _topic(
    group: Sequence[Piece], titles: Counter[str], known: Collection[str], common: Collection[str]
) -> Topic:
    """Return the topic of a group: the title of its one piece, or the words that titles share."""
    parents = {piece.parent for piece in group}
    parent = next(iter(parents))
    if len(group) == 1:
        title = plain(group[0].title)
        return Topic(title, _slug(_words(title, known)))
    if len(parents) == 1 and parent is not None:
        known = {*known, *_keys(parent.title)}
    known = {*known, *common, *_FORMS}
    shared = _shared(group, titles, known)
    if shared and not any(_is_most(piece, group) for piece in group):
        return Topic(" and ".join(word[:1].upper() + word[1:] for word in shared), _slug(shared))
    largest = sorted(group, key=lambda piece: -piece.lines)[:2]
    if _is_most(largest[0], group):
        largest = largest[:1]
    largest.sort(key=lambda piece: piece.first)
    names = [plain(piece.title) for piece in largest]
    best = [word for name in names for word in _words(name, known)[: 2 + (len(largest) == 1)]]
    once = {word.casefold(): word for word in best}
    return Topic(" and ".join(filter(None, names)), _slug([*once.values()]))


def _is_most(piece: Piece, group: Sequence[Piece]) -> bool:
    """Return True if a piece has more than two thirds of the lines of a group."""
    return 3 * piece.lines > 2 * sum(other.lines for other in group)


def _shared(group: Sequence[Piece], titles: Counter[str], known: Collection[str]) -> list[str]:
    """Return up to two words of a third of the titles of a group, and of few other titles."""
    own: Counter[str] = Counter()
    written: dict[str, str] = {}
    for piece in group:
        own.update({*_keys(piece.title)})
        for keyword in keywords(plain(piece.title)):
            written.setdefault(keyword.key, keyword.word)
    best = [
        key
        for key in written
        if key not in known and max(2, len(group) / 3) <= own[key] and titles[key] <= 2 * own[key]
    ]
    best.sort(key=lambda key: (-own[key] * own[key] / titles[key], list(written).index(key)))
    return [written[key] for key in best[:2]]


def _keys(title: str) -> list[str]:
    return [keyword.key for keyword in keywords(plain(title))]


def _words(title: str, known: Collection[str]) -> list[str]:
    """Return the words of a title that say what it is about, as written."""
    keys = {word: {keyword.key for keyword in keywords_of(word)} for word in words(title)}
    telling = [word for word, own in keys.items() if own.difference(known)]
    return (telling or [word for word, own in keys.items() if own] or title.split())[:_MOST_WORDS]


def _slug(parts: Sequence[str]) -> str:
    r"""Return words as a part of a file name, in lower case; empty where nothing is left.

    Letters of any script stay, accents of Latin ones don't: some systems store them in two ways.
    """
    slug = ""
    for word in parts:
        decomposed = unicodedata.normalize("NFKD", word.casefold())
        is_latin = any("a" <= character <= "z" for character in decomposed)
        marks = (c for c in decomposed if not (is_latin and unicodedata.combining(c)))
        text = unicodedata.normalize("NFC", "".join(marks))
        longer = _NO_LETTERS.sub("-", f"{slug}-{text}").strip("-")
        if slug and len(longer) > LONGEST_SLUG:
            break
        slug = longer[:LONGEST_SLUG].rstrip("-")
    return slug
