"""The three-way merge of a memory file by entry: `learnings merge-driver`.

The base is the common ancestor of both sides. A change on one side alone is taken over byte for
byte. If neither side changed a text, the bytes of our side stay. Text from the other side gets our
line ends.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import Markers, without_conflicts
from learnings.consolidation.merge.losses import refuse_losses
from learnings.consolidation.merge.numbers import IsReferred, SharedId, shared_ids
from learnings.consolidation.merge.order import between, merged_order, usual_gap
from learnings.consolidation.merge.texts import Style, Text, TextMerge, merged
from learnings.consolidation.merge.trios import Trio, matched
from learnings.consolidation.merge.versions import Lines, in_one_dialect, is_alike, parts_of
from learnings.core.entries.document import AUTO, ReadOptions, read, read_older
from learnings.core.entries.layout import CATEGORY
from learnings.core.markdown.line_edits import LineWriter
from learnings.core.text import BOM, LINE_ENDS, chomp, decode, encode, newline_of


class Merge(NamedTuple):
    """The merged file.

    conflicts are the titles of parts that both sides changed, which are in the file with markers.
    twice are the titles of entries that both sides added with different texts; both texts are in
    the file. disputed are the titles of entries that one side has, and the base only in a conflict;
    they are in the file. shared_ids are the ids that each side gave to a different entry.
    """

    data: bytes
    conflicts: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    shared_ids: tuple[SharedId, ...] = ()


def merge(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    *,
    merge_text: TextMerge,
    options: ReadOptions = AUTO,
    markers: Markers | None = None,
    is_referred: IsReferred = lambda _: False,
) -> Merge:
    """Merge two versions of a memory file with their base, which is empty if both are new.

    If two new entries share an id, the second gets another one, unless is_referred is true of the
    id. Raises NotMerged if no version has an entry, and Lost if the result lacks what it should
    have.
    """
    if theirs in (base, ours):
        return Merge(ours)
    if ours == base:
        return Merge(theirs)
    like = decode(ours or theirs)
    texts = [_in_style(decode(version).removeprefix(BOM), like) for version in (base, ours, theirs)]
    texts[0], unclear = without_conflicts(*texts)
    documents, dialect = in_one_dialect([read_older(encode(text), options) for text in texts])
    versions = [parts_of(document, dialect.level) for document in documents]
    trios = matched(versions, unclear)
    style = Style(newline_of(like), markers or Markers(), merge_text)
    parts = [merged(trio, style) for trio in trios]
    # In another dialect, a heading at their level would be an entry.
    if all(is_alike(document.dialect, dialect) for document in documents):
        _keep_categories(trios, parts)
    shared = shared_ids(versions, trios, is_referred)
    for index, (old, _, new) in shared.items():
        first, *others = parts[index].lines
        parts[index] = Text((first.replace(old, new or old, 1), *others))

    order = _order(trios, parts)
    usual = usual_gap(versions, style.newline)
    gaps = [between(trios[upper], trios[lower], usual) for upper, lower in pairwise(order)]
    if gaps and versions[0][0].lines and not parts[0].lines:
        gaps[0] = ()
    gaps.append(versions[1 if ours else 2][-1].below or ())
    data = _written([parts[index].lines for index in order], gaps, like)
    conflicts = tuple(trios[index].part.title for index in order if parts[index].is_conflict)
    planned = [
        trios[n].part.entry._replace(lines=parts[n].lines) for n in order if trios[n].part.is_entry
    ]
    result = read(data, options).read_as(dialect)
    refuse_losses(documents, [] if conflicts else planned, result, options)
    twice, disputed = _added(trios, unclear)
    return Merge(data, conflicts, twice, disputed, tuple(shared.values()))


def _added(trios: Sequence[Trio], unclear: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Return the titles of new entries: those on both sides, and those that the base disputes."""
    added = [trio for trio in trios if trio.base is None and trio.part.is_entry]
    our_keys = {trio.ours.entry.key for trio in added if trio.ours}
    twice = (trio.part for trio in added if not trio.ours and trio.part.entry.key in our_keys)
    alone = (trio.part for trio in added if None in (trio.ours, trio.theirs))
    disputed = (part.title for part in alone if part.content[0] in unclear)
    return tuple(part.title for part in twice), tuple(disputed)


def _in_style(text: str, like: str) -> str:
    """Return a text with the line ends of another one, unless both have the same style."""
    newline = newline_of(like)
    is_same = newline_of(text) == newline or not LINE_ENDS.search(like)
    return text if is_same else LINE_ENDS.sub(newline, text)


def _in_file_order(trios: Sequence[Trio], side: int) -> list[int]:
    """Return the indexes of the categories and entries of a version (0 for the base)."""
    places = {n: part.place for n, trio in enumerate(trios[:-1]) if n and (part := trio[side])}
    return sorted(places, key=places.__getitem__)


def _keep_categories(trios: Sequence[Trio], parts: list[Text]) -> None:
    """Restore a category that one side removed above entries that only the other side has."""
    for side, other in ((1, 2), (2, 1)):
        category = None
        for index in _in_file_order(trios, side):
            is_alone = parts[index].lines and not trios[index][other]
            if trios[index].part.kind == CATEGORY:
                category = index
            elif category is not None and is_alone and not parts[category].lines:
                parts[category] = Text(trios[category].part.lines)


def _order(trios: Sequence[Trio], parts: Sequence[Text]) -> Sequence[int]:
    kept = [index for index, text in enumerate(parts[:-1]) if index and text.lines]
    order = merged_order(
        [_in_file_order(trios, side) for side in range(3)],
        kept,
        lambda index: trios[index].part.entry.stated,
        appends=not any(trios[index].part.kind == CATEGORY for index in kept),
    )
    return [0, *order, *([len(parts) - 1] if parts[-1].lines else [])]


def _written(parts: Sequence[Lines], gaps: Sequence[Lines], like: str) -> bytes:
    """Return the file, with the byte order mark and the last line end of another one."""
    writer = LineWriter(like)
    for lines, gap in zip(parts, gaps, strict=True):
        writer.keep((*lines, *gap))
    writer.end_line()
    if chomp(like) == like:
        writer.lines[-1:] = map(chomp, writer.lines[-1:])
    return writer.to_bytes()
