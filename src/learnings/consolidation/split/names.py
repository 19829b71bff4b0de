"""The names of new files, and the sections that a user groups in one file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from learnings.consolidation.split.pieces import (
    Piece,
    Pieces,
    SourceHeading,
    SplitSource,
    places_to_cut,
)
from learnings.consolidation.text.keywords import keywords_of
from learnings.core.errors import UsageProblem
from learnings.core.findings.finding import quoted
from learnings.core.markdown.links import without_markup
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable

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


class GroupRequest(NamedTuple):
    """A user's input: headings separated by commas, and a name for their file."""

    headings: str
    name: str


class ChosenGroup(NamedTuple):
    """Sections by the first lines of their headings, and the topic of their file."""

    lines: frozenset[int]
    topic: Topic


def chosen_groups(requests: Sequence[GroupRequest], source: SplitSource) -> list[ChosenGroup]:
    """Return the requested groups. Raises UsageProblem for an unknown or repeated heading."""
    by_title = _by_title(source)
    groups: list[ChosenGroup] = []
    lines: set[int] = set()
    for request in requests:
        topic = _topic(request.name, source)
        if topic.slug in {group.topic.slug for group in groups}:
            raise UsageProblem(f"--name {quoted(request.name)} is given twice; name each file once")
        own: set[int] = set()
        for heading in _headings(request.headings, by_title, source):
            if heading.first in lines:
                raise UsageProblem(
                    f"--group names the section {quoted(heading.title)} twice; name it once"
                )
            lines.add(heading.first)
            own.add(heading.first)
        groups.append(ChosenGroup(frozenset(own), topic))
    return groups


def refuse_nested(groups: Sequence[ChosenGroup], pieces: Pieces, source: SplitSource) -> None:
    """Raise UsageProblem for a section that cannot move on its own.

    It is inside another named section, or above the first section of level 2.
    """
    starts = {piece.first for piece in pieces.pieces}
    titles = {heading.first: heading.title for heading in source.headings}
    for line in sorted(line for group in groups for line in group.lines - starts):
        inside = (piece for piece in pieces.pieces if piece.first < line <= piece.last)
        outer = next(inside, None)
        where = "above the first section of level 2 and stays there; leave it out of --group"
        if outer is not None:
            where = f"inside {quoted(outer.title)}, which moves as a whole; name only one of them"
        raise UsageProblem(f"the section {quoted(titles[line])} is {where}")


def _topic(name: str, source: SplitSource) -> Topic:
    """Return the topic that a name means, which may be that of the whole file."""
    stem, suffix = source.stem, source.suffix
    if "/" in name or "\\" in name:
        raise UsageProblem(
            f"--name {quoted(name)} is a path; give a word or two, because new files go next to "
            f"{printable(source.name)}"
        )
    words = " ".join(name.split()).removesuffix(suffix).removeprefix(f"{stem}-")
    slug = slug_of(words)
    if not slug:
        raise UsageProblem(f"--name {quoted(name)} has no letter or digit; give a word or two")
    if len(slug) > LONGEST_SLUG:
        raise UsageProblem(
            f"--name {quoted(name)} has more than {LONGEST_SLUG} characters; shorten it"
        )
    if words == slug:
        words = words.replace("-", " ")
        words = words[:1].upper() + words[1:]
    return Topic(words, slug)


def _by_title(source: SplitSource) -> Mapping[str, list[SourceHeading]]:
    """Return the sections by title, with and without markup; the highest of several levels."""
    by_title: dict[str, list[SourceHeading]] = {}
    for heading in places_to_cut(source):
        for key in {_key(heading.title), _key(plain(heading.title))}:
            others = by_title.setdefault(key, [])
            if others and heading.level < others[0].level:
                others.clear()
            if not others or heading.level == others[0].level:
                others.append(heading)
    return by_title


def _headings(
    text: str, by_title: Mapping[str, list[SourceHeading]], source: SplitSource
) -> Iterator[SourceHeading]:
    """Yield the sections that a text names; a title may contain commas."""
    parts = text.split(",")
    start = 0
    while start < len(parts):
        ends = range(len(parts), start, -1)
        keys = {end: _key(",".join(parts[start:end])) for end in ends}
        # The longest title first: `Queues, retries` is not `Queues`.
        end = next((end for end in ends if keys[end] in by_title), start + 1)
        found = by_title.get(keys[end], [])
        if not keys[end]:
            raise UsageProblem(f"--group {quoted(text)} has an empty heading; leave out the comma")
        if not found:
            raise UsageProblem(
                f"{printable(source.path)} has no section of level 2 or 3 with the heading "
                f"{quoted(parts[start].strip())}; write the heading as in the file"
            )
        if len(found) > 1:
            lines = ", ".join(str(heading.first) for heading in found)
            raise UsageProblem(
                f"{printable(source.path)} has {len(found)} sections with the heading "
                f"{quoted(found[0].title)} (lines {lines}); make the headings differ first"
            )
        yield found[0]
        start = end


def _key(title: str) -> str:
    return " ".join(title.strip().lstrip("#").split()).casefold()
