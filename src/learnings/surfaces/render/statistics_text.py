"""The numbers of a confidence memory, for people."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.confidence.settings import NEAR_ARCHIVE
from learnings.confidence.statistics import Statistics
from learnings.confidence.values import Entry
from learnings.core.text import counted, number_text, printable, shortened
from learnings.surfaces.render.memory_words import FILE_NOUNS, headline

_WIDEST = 70  # characters of an entry; with id and confidence it fits a screen of 100


def render(statistics: Statistics) -> str:
    """Return a line for each file, then the strongest and weakest entries, then the growth."""
    return "".join(f"{line}\n" for line in _lines(statistics))


def _lines(statistics: Statistics) -> Iterator[str]:
    for kind in statistics.kinds:
        counts = f"{kind.active} active of {kind.limit} at most, {kind.archived} archived"
        superseded = f", {kind.superseded} superseded" if kind.superseded else ""
        yield f"{FILE_NOUNS[kind.key]}s: {counts}{superseded}"
    if statistics.strongest:
        yield "strongest"
        yield from map(_entry, statistics.strongest)
    yield f"near archive (below {number_text(NEAR_ARCHIVE)}): {len(statistics.near_archive)}"
    yield from map(_entry, statistics.near_archive)
    yield f"at 1.00: {statistics.certain} of {statistics.active} active"
    if 2 * statistics.certain > statistics.active:
        yield "  which tells nothing apart; one-reinforcement-per-story = true slows that"
    if statistics.growth:
        yield "growth"
    for growth in statistics.growth:
        created = counted(growth.created, "new entry", "new entries")
        yield f"  {growth.month}  {created}, {growth.total} in all"


def _entry(entry: Entry) -> str:
    text = shortened(printable(headline(entry)), _WIDEST)
    return f"  {printable(entry.id)}  {number_text(entry.confidence)}  {text}"
