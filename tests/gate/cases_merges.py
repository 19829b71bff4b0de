"""Merges that keep less than the two sides had, and merges that may."""

from __future__ import annotations

from typing import Unpack

from tests.gate.case import Options, State, Table, Want
from tests.gate.entries import CACHE, CLOCK, FORMS, LIMIT, POOL, QUEUE, SHORT, SORT, STEPS, TOKENS
from tests.gate.shapes import SHAPES, archive, folder, memory, topic_path

TABLE = Table("merges")


def merge(
    want: Want,
    name: str,
    shapes: str,
    states: tuple[State, State, State, State],
    *entries: str,
    **options: Unpack[Options],
) -> None:
    before, ours, theirs, after = states
    options |= {"way": "merge", "ours": ours, "theirs": theirs}
    TABLE.add(want, name, shapes, before, after, *entries, **options)


BASE = (POOL, QUEUE, SORT)
SIDES = base, ours, theirs = BASE, (*BASE, CLOCK), (*BASE, TOKENS)
merge("lost", "their new entry left out", "timestamped", (*SIDES, ours))
merge("lost", "our new entry overwritten", "heading", (*SIDES, theirs))
merge("lost", "an old entry left out", "category", (*SIDES, (POOL, SORT, CLOCK, TOKENS)))
PATH = SHAPES["timestamped"].path
ARCHIVE = ".context/archive/learnings-consolidated-2026-03-20.md"
RESET = {PATH: memory("timestamped", POOL), ARCHIVE: archive("timestamped", QUEUE, SORT)}
MERGED = RESET | {PATH: memory("timestamped", POOL, CLOCK)}
HALF = MERGED | {ARCHIVE: archive("timestamped", QUEUE)}
merge("lost", "half of a reset", "timestamped", (base, ours, RESET, HALF), SORT.title)
IMPORTER, SEARCH, EXPORTER, WEBHOOK = FORMS
FORMED = FORMS[:2]
FORM_SIDES = (FORMED, (*FORMED, EXPORTER), (*FORMED, WEBHOOK))
merge("lost", "one of two new on a form", "timestamped", (*FORM_SIDES, FORM_SIDES[2]))
THREE = FORMS[:3]
ITEM_SIDES = (SHORT[:3], SHORT[:4], (*SHORT[:3], SHORT[4]))
merge("lost", "one of their list left out", "bullet table", (*ITEM_SIDES, SHORT[:4]))
TOPICS = folder(POOL, CLOCK)
REMOVED = TOPICS | {topic_path(STEPS): None}
merge(
    *("lost", "a topic file of theirs removed", "folder"),
    (TOPICS, {"README.md": "# Orders\n"}, folder(POOL, CLOCK, STEPS), REMOVED),
    topic_path(STEPS),
    also=(f"[{STEPS.title}]",),
)
ALL = (*BASE, CLOCK, TOKENS)
NEITHER = (POOL, QUEUE.but("0.3 %", "0.7 %"), *ALL[2:])
merge("shown", "another number", "timestamped", (*SIDES, NEITHER), words="0.3 0.7")
merge("silent", "both new entries", "timestamped", (*SIDES, ALL))
merge("silent", "both new entries on one form", "heading", (*FORM_SIDES, FORMS))
merge("silent", "archived on their side", "timestamped", (base, ours, RESET, MERGED))
SAME = (*BASE, LIMIT)
merge("silent", "the same entry added on both sides", "identified", (BASE, SAME, SAME, SAME))
merge("silent", "rows of both sides", "table", (*ITEM_SIDES, SHORT))
TOPIC_SIDES = (TOPICS, folder(POOL, CLOCK, CACHE), folder(POOL, CLOCK, STEPS))
BOTH_TOPICS = folder(POOL, CLOCK, STEPS, CACHE)
merge("silent", "topic files of both sides", "folder", (*TOPIC_SIDES, BOTH_TOPICS))
README, CODE = {"README.md": "# Shop\n"}, {"src/shop.py": "print('shop')\n"}
merge("silent", "a merge of other files", "bullet", (SHORT, README, CODE, README | CODE))
