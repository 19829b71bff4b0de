"""The target of a move, `FILE` or `FILE#HEADING`, and the names of the sections of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from learnings.consolidation.text.sections import Section
from learnings.core.findings.finding import quoted
from learnings.core.text import nearest

BELOW = " > "
"""What stands between the titles of nested headings in a name: `Tests > Fixtures`."""


def split_subject(subject: str) -> tuple[str, str]:
    """Return the file and the name of the section in it, empty for the end of the file."""
    path, _, name = subject.partition("#")
    return path.strip(), name.strip()


def names_of(sections: Sequence[Section]) -> list[str]:
    """Return the shortest name that only this section has, for each of a file; empty for none."""
    counts = Counter(_key(name) for section in sections for name in _names(section))
    return [
        next((name for name in _names(section) if counts[_key(name)] == 1), "")
        for section in sections
    ]


def section_called(name: str, sections: Sequence[Section]) -> Section | str:
    """Return the section with a name, else the sentence that says what to write instead."""
    key = _key(name)
    named = [section for section in sections if key in map(_key, _names(section))]
    if len(named) == 1:
        return named[0]
    if named:
        return _ambiguous(named, sections)
    titles = {_key(title): title for section in sections for title in _names(section)}
    path = sections[0].path if sections else "the file"
    near = nearest(key, titles)
    advice = f"the nearest is {quoted(titles[near])}" if near else "name one that is there"
    return f"{path} has no heading {quoted(name)}; {advice}, or name the file alone"


def _ambiguous(named: Sequence[Section], sections: Sequence[Section]) -> str:
    lines = ", ".join(str(section.line) for section in named)
    names = zip(sections, names_of(sections), strict=True)
    longer = [quoted(name) for section, name in names if name and section in named]
    advice = f"write {' or '.join(longer)}" if longer else "rename one of them"
    return f"{named[0].path} has that heading in lines {lines}; {advice}"


def _names(section: Section) -> Iterator[str]:
    """Give the title of a section, then the same with the titles of the headings around it."""
    titles = [" ".join(title.split()) for title in (*section.trail, section.title)]
    if section.title:
        yield from (BELOW.join(titles[start:]) for start in range(len(titles) - 1, -1, -1))


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
