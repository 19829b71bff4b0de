"""The last check of a merge: the result, read again, has what both sides have and what one added.

It compares files, so it also finds an entry that disappears below a code block or comment that one
side left unclosed, and what a wrong match of two entries would remove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from learnings.consolidation.merge.conflicts import without_markers
from learnings.consolidation.merge.versions import NotMerged
from learnings.core.entries.document import Document, Entry, ReadOptions, read
from learnings.core.entries.pairing import certain_pairs, pairs, text_of
from learnings.core.markdown.line_edits import is_filler
from learnings.core.text import BOM, chomp, encode, shortened

# Most characters of a title or line in a message, to keep it on one line. Chosen, not measured.
_LONGEST_NAME = 80


class Lost(NotMerged):
    """The merged file would lack an entry or a line; the message names it."""


def refuse_losses(
    versions: Sequence[Document], planned: Sequence[Entry], result: Document, options: ReadOptions
) -> None:
    """Raise Lost if the result of base, ours and theirs lacks what it should have.

    That is each planned entry, each entry that a side added, and each entry and each line that both
    sides have, except a line that the base has twice: each side may have removed another copy. None
    is planned if conflicts stay. Then an entry may also have got text from them.
    """
    documents = [*versions, result]
    if not planned:
        documents = [_without_markers(document, options) for document in documents]
    entries = [document.entries for document in documents]
    keys = {entry.key for entry in entries[-1]}
    lost = [*_lost_entries(entries, planned, keys)]
    lost = [entry for entry in lost if entry.key not in keys] or (lost if planned else [])
    base, ours, theirs = (Counter(map(_plain, document.lines)) for document in versions)
    lines = ours.keys() & theirs.keys() - set(map(_plain, result.lines))
    names = [entry.heading for entry in lost]
    names += [line for line in lines if base[line] < 2 and not is_filler(line)]
    if names:
        raise Lost(f"“{shortened(names[0], _LONGEST_NAME)}” would be lost")


def _without_markers(document: Document, options: ReadOptions) -> Document:
    text = without_markers(document.text)
    is_same = text == document.text
    return document if is_same else read(encode(text), options).read_as(document.dialect)


def _lost_entries(
    versions: Sequence[Sequence[Entry]], planned: Sequence[Entry], keys: set[str]
) -> Iterator[Entry]:
    """Yield the entries that should be in the last version, which has the keys, and are not."""
    base, ours, theirs, result = versions
    counts, of_both = Counter(map(_text, result)), Counter(map(_text, ours))
    of_both &= Counter(map(_text, theirs))

    def is_lost(entry: Entry) -> bool:
        text = _text(entry)
        return counts[text] < of_both.get(text, 1)

    yield from filter(is_lost, planned)
    for side in (ours, theirs):
        lost = [(j, entry) for j, entry in enumerate(side) if is_lost(entry)]
        old = set(pairs(base, side).values()) if lost else set()
        yield from (entry for j, entry in lost if j not in old or _text(entry) in of_both)
    # What both sides changed may have the stamp of one and the title of the other.
    if any(entry.key not in keys for entry in ours):
        in_ours, in_theirs = certain_pairs(ours, result), certain_pairs(theirs, result)
        for i, j in certain_pairs(ours, theirs).items():
            is_there = not keys.isdisjoint((ours[i].key, theirs[j].key))
            if not (is_there or i in in_ours or j in in_theirs):
                yield ours[i]


def _text(entry: Entry) -> tuple[str, ...]:
    """Return the lines to compare; a heading may have another id, or have it in its title."""
    first, *others = map(_plain, text_of(entry))
    return (*(first.casefold().split()[-1:] if entry.level else [first]), *others)


def _plain(line: str) -> str:
    """Return a line without blanks at the end, and without the level of a heading."""
    plain = chomp(line).removeprefix(BOM).rstrip()
    return plain.strip("# ") if plain.startswith("#") else plain
