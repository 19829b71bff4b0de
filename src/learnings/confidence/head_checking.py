"""What `learnings memory check` says of a memory that was changed since the last commit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from learnings.confidence.checking import finding
from learnings.confidence.kinds import Kind
from learnings.confidence.overlap import Limit, are_near, content_words
from learnings.confidence.values import ACTIVE, AnyEntry, Applied, Entry
from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import number_text

ID_REUSED, CLOSED_EDITED = "memory-id-reused", "memory-archived-edited"
CONFIDENCE_CHANGED = "memory-confidence-changed"

ANOTHER_TEXT = Limit(1, 10)
"""Up to this share of common words a text is not an edited one."""


def check_against_head(
    kind: Kind[AnyEntry],
    path: str,
    entries: Sequence[AnyEntry],
    head: Sequence[AnyEntry],
    *,
    rows: Iterable[Applied],
    head_rows: Iterable[Applied],
) -> Iterator[Finding]:
    """Give what was done to the entries of one file that no story can do.

    `rows` are the applied rows of now, `head_rows` those of the last commit.
    """
    before = {entry.id: entry for entry in head}
    known_rows = set(head_rows)
    explained = {row.entry for row in rows if row not in known_rows}
    used = {row.entry for row in known_rows} - set(before)
    for entry in entries:
        old = before.pop(entry.id, None)
        if old is None:
            if entry.id in used:
                yield finding(ID_REUSED, path, entry, _reused(entry, "that has left the file"))
        elif _is_another(kind, old, entry):
            yield finding(ID_REUSED, path, entry, _reused(entry, "in the last commit"))
        elif old.status != ACTIVE:
            yield from _check_closed(path, old, entry)
        elif old.confidence != entry.confidence and entry.id not in explained:
            yield finding(CONFIDENCE_CHANGED, path, entry, _unexplained(old, entry))
    for old in before.values():
        if old.status != ACTIVE:
            message = f"{old.id}, which is {old.status}, has left the file; put it back"
            yield Finding(CLOSED_EDITED, Severity.ERROR, path, 1, 1, message, subject=old.id)


def _check_closed(path: str, old: Entry, entry: Entry) -> Iterator[Finding]:
    if entry.status == ACTIVE:
        message = f"{old.id} was {old.status} and is active again; a new entry gets the next id"
        yield finding(CLOSED_EDITED, path, entry, message)
    elif old._replace(line=0) != entry._replace(line=0):
        message = f"{old.id} is {old.status} and was changed; take the change back"
        yield finding(CLOSED_EDITED, path, entry, message)


def _is_another(kind: Kind[AnyEntry], old: AnyEntry, entry: AnyEntry) -> bool:
    """Return True if two entries with one id say different things."""
    text, old_text = next(iter(kind.texts(entry))), next(iter(kind.texts(old)))
    if text == old_text:
        return False
    if old.created and entry.created and old.created != entry.created:
        return True
    words, old_words = content_words(text), content_words(old_text)
    return bool(words and old_words) and not are_near(words, old_words, ANOTHER_TEXT)


def _reused(entry: Entry, which: str) -> str:
    return f"{entry.id} is the id of another entry {which}; give this one the next id"


def _unexplained(old: Entry, entry: Entry) -> str:
    before, after = number_text(old.confidence), number_text(entry.confidence)
    return (
        f"the confidence of {entry.id} went from {before} to {after} without an observation; "
        "put it back, `learnings memory curate` computes it"
    )
