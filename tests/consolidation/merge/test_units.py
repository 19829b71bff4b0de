from __future__ import annotations

import pytest

from learnings.consolidation.merge.units import merged_units

SEEN = "Last seen: 2026-03-0{}"
MERGED = {
    "the later date": (SEEN.format(1), SEEN.format(4), SEEN.format(7), SEEN.format(7)),
    "a key of front matter": (
        "a: b\nupdated_at: 2026-03-01T10:00:00Z", "a: b\nupdated_at: 2026-03-02T10:00:00Z",
        "a: c\nupdated_at: 2026-03-01T12:00:00Z", "a: c\nupdated_at: 2026-03-02T10:00:00Z",
    ),
    "rows": ("| a |", "| a |\n| b |", "| a |\n| c |", "| a |\n| b |\n| c |"),
    "one row of both": ("| a |", "| a |\n| b |", "| a |\n| b |\n| c |", "| a |\n| b |\n| c |"),
    "other fields": ("- a", "- a\n**Fix**: x", "- a\n**Seen**: y", "- a\n**Fix**: x\n**Seen**: y"),
    "an edit and an item below it": ("- a", "- A", "- a\n- b", "- A\n- b"),
    "items with a blank line": ("- a", "- a\n\n- b", "- a\n\n- c", "- a\n\n- b\n\n- c"),
    "paragraphs": ("One.\n\nTwo.", "ONE.\n\nTwo.", "One.\n\nTWO.", "ONE.\n\nTWO."),
    "a paragraph and code": ("One.\n\n```\nx = 1\n\ny = 1\n```", "One!\n\n```\nx = 1\n\ny = 1\n```",
        "One.\n\n```\nx = 2\n\ny = 1\n```", "One!\n\n```\nx = 2\n\ny = 1\n```"),
}  # fmt: skip


@pytest.mark.parametrize("name", MERGED)
def test_merged(name: str) -> None:
    base, ours, theirs, expected = (tuple(text.split("\n")) for text in MERGED[name])
    assert merged_units(base, ours, theirs) == expected


CONFLICTS = {
    "a date that went back": (SEEN.format(5), SEEN.format(2), SEEN.format(7)),
    "a date of what happened": ("Broke 2026-03-01", "Broke 2026-03-02", "Broke 2026-03-03"),
    "dates of two precisions": (SEEN.format(1), SEEN.format(2), SEEN.format(3) + " 10:00"),
    "a date and a word": (SEEN.format(1), SEEN.format(2), SEEN.format(3) + " by Ada"),
    "a later date each": (
        "Updated: 2026-03-01, checked 2026-03-01", "Updated: 2026-03-09, checked 2026-03-01",
        "Updated: 2026-03-01, checked 2026-03-09",
    ),
    "two values of a field": ("x", "x\n- Status: open", "x\n- Status: done"),
    "two numbered items": ("1. a", "1. a\n2. b", "1. a\n2. c"),
    "two paragraphs": ("One.", "One.\n\nTwo.", "One.\n\nThree."),
    "lines of one paragraph": ("One\ntwo\nthree.", "ONE\ntwo\nthree.", "One\ntwo\nTHREE."),
    "lines of one code block": ("~~~\nx\n\ny\n~~~", "~~~\nX\n\ny\n~~~", "~~~\nx\n\nY\n~~~"),
    "another copy removed by each": ("- x\n- a\n- x", "- a\n- x", "- x\n- a"),
    "edited here, removed there": ("a\n\n- b", "a\n\n- B", "a"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFLICTS)
def test_a_conflict(name: str) -> None:
    base, ours, theirs = (tuple(text.split("\n")) for text in CONFLICTS[name])
    assert merged_units(base, ours, theirs) is None
    assert merged_units(base, theirs, ours) is None
