"""The names of new files, and the sections that a user groups in one file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain, count, pairwise
from posixpath import dirname, join
from typing import NamedTuple

from learnings.consolidation.split.source import Section, Source
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


class NewFile(NamedTuple):
    """The sections of a new file, its title (empty: they have one), and its part of the name.

    path (POSIX, from the root) and data are empty until all new files are named.
    """

    sections: tuple[Section, ...]
    title: str
    slug: str
    is_chosen: bool
    path: str = ""
    data: bytes = b""

    def paths(self, source: Source) -> Iterator[str]:
        """Yield possible paths, best first; only one if the user has chosen the name."""
        start = join(dirname(source.path), f"{source.stem}-{self.slug or 'part'}")
        if self.slug:
            yield start + source.suffix
        if not self.is_chosen:
            yield from (f"{start}-{n}{source.suffix}" for n in count(2 if self.slug else 1))


def proposed_file(sections: Sequence[Section], source: Source) -> NewFile:
    """Return a new file of some sections.

    The largest section with a title, the first of several, gives the name, cut between words. The
    title has both headings of two sections.
    """
    leader = max(sections, key=lambda s: (slug_of(plain(s.title)) != "", len(s.numbers)))
    titles = [plain(section.title) for section in (sections if len(sections) == 2 else [leader])]
    slug = slug_of(plain(leader.title)).removeprefix(f"{slug_of(source.stem)}-")
    if len(slug) > LONGEST_SLUG:
        words = slug[: LONGEST_SLUG + 1].split("-")[:-1]
        while len(words) > 1 and not keywords_of(words[-1]):  # no cut after `of` or `the`
            words.pop()
        slug = "-".join(words) or slug[:LONGEST_SLUG]
    title = _title(sections, " and ".join(filter(None, titles)), source)
    return NewFile(tuple(sections), title, slug, is_chosen=False)


def _title(sections: Sequence[Section], topic: str, source: Source) -> str:
    if len(sections) == 1 and sections[0].level == 1:
        return ""
    whole = source.stem if source.title is None else plain(source.title)
    return f"{whole}: {topic}" if topic else whole


def plain(title: str) -> str:
    """Return a title without markup and leading numbers."""
    text = without_markup(title)
    return _LEAD.sub("", text).strip() or text.strip()


def slug_of(text: str) -> str:
    """Return a text as a part of a file name: its words in lower case, joined by `-`.

    Letters of any script stay. Latin letters lose their accents, because some systems store these
    in two ways. The slug is as long as the text, and empty for a text without letters and digits.
    """
    words = []
    for word in _APOSTROPHES.sub("", text).casefold().split():
        decomposed = unicodedata.normalize("NFKD", word)
        is_latin = any("a" <= character <= "z" for character in decomposed)
        kept = (c for c in decomposed if not (is_latin and unicodedata.combining(c)))
        words.append(unicodedata.normalize("NFC", "".join(kept)))
    return _NO_LETTERS.sub("-", " ".join(words)).strip("-")


def chosen_files(requests: Sequence[tuple[str, str]], source: Source) -> list[NewFile]:
    """Return the files that a user wants: headings separated by commas, and a name for each.

    Raises UsageProblem for an unknown or repeated heading, and for a section inside another one.
    """
    files: list[NewFile] = []
    for headings, name in requests:
        topic, slug = _topic(name, source)
        if slug in {file.slug for file in files}:
            raise UsageProblem(f"--name {quoted(name)} is given twice; name each file once")
        own = sorted(_named_sections(headings, source))
        files.append(NewFile(tuple(own), _title(own, topic, source), slug, is_chosen=True))
    for outer, inner in pairwise(sorted(chain(*(file.sections for file in files)))):
        shown = quoted(inner.title)
        if inner == outer:
            raise UsageProblem(f"--group names the section {shown} twice; name it once")
        if inner.first in outer.numbers:
            raise UsageProblem(
                f"the section {shown} is inside {quoted(outer.title)}, which moves as a whole; "
                "name only one of them"
            )
    return files


def _topic(name: str, source: Source) -> tuple[str, str]:
    """Return the words and the slug that a name means, which may be that of the whole file."""
    if "/" in name or "\\" in name:
        raise UsageProblem(
            f"--name {quoted(name)} is a path; give a word or two, because new files go next to "
            f"{printable(source.name)}"
        )
    words = " ".join(name.split()).removesuffix(source.suffix).removeprefix(f"{source.stem}-")
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
    return words, slug


def _named_sections(text: str, source: Source) -> Iterator[Section]:
    """Yield the sections that a text names by their headings, which may contain commas."""
    by_title: dict[str, list[Section]] = {}  # with and without markup, the highest level alone
    for section in sorted(source.sections, key=lambda section: section.level):
        for key in {_key(section.title), _key(plain(section.title))}:
            found = by_title.setdefault(key, [])
            if not found or found[0].level == section.level:
                found.append(section)
    parts = text.split(",")
    while parts:
        # The longest title first: `Queues, retries` is not `Queues`.
        keys = {number: _key(",".join(parts[:number])) for number in range(len(parts), 0, -1)}
        number = next((number for number, key in keys.items() if key in by_title), 1)
        if not keys[number]:
            raise UsageProblem(f"--group {quoted(text)} has an empty heading; leave out the comma")
        found = by_title.get(keys[number], [])
        if not found:
            raise UsageProblem(
                f"{printable(source.path)} has no section of level 2, or of level 3 inside one, "
                f"with the heading {quoted(parts[0].strip())}; write the heading as in the file"
            )
        if len(found) > 1:
            lines = ", ".join(str(section.first) for section in found)
            raise UsageProblem(
                f"{printable(source.path)} has {len(found)} sections with the heading "
                f"{quoted(found[0].title)} (lines {lines}); make the headings differ first"
            )
        yield found[0]
        parts = parts[number:]


def _key(title: str) -> str:
    return " ".join(title.strip().lstrip("#").split()).casefold()
