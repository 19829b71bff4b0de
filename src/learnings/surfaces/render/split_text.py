"""How a file is split, or was, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.consolidation.split.names import plain
from learnings.core.text import counted, printable

if TYPE_CHECKING:
    from learnings.app.consolidate.division import Division
    from learnings.consolidation.split.pieces import Piece
    from learnings.consolidation.split.splitting import Split
    from learnings.store.files import Change


def render(division: Division, *, is_applied: bool, room: int = 0) -> str:
    """Return what goes where, or why nothing does; room are the lines that are to fit in."""
    lines = _lines(division, is_applied=is_applied, room=room)
    return "".join(f"{printable(line)}\n" for line in lines)


def _lines(division: Division, *, is_applied: bool, room: int) -> Iterator[str]:
    size = f"{division.path} has {counted(division.lines, 'line')}"
    split = division.split
    if split is None and division.obstacle:
        yield f"{size} and cannot be cut: {division.obstacle}"
    elif split is None:
        yield f"{size}, and the limit is {division.limit}; nothing to split"
    else:
        files = counted(len(split.files), "new file")
        done = f"Split {division.path}, {counted(division.lines, 'line')}, into {files}:"
        yield done if is_applied else f"{size}, and the limit is {division.limit}: {files}"
        yield from _plan(split)
        yield from _changed("links into it follow", division.links)
        yield from _changed("rows follow", division.indexes)
        if not is_applied:
            option = f" --room {room}" if room else ""
            yield f"Nothing is written; `learnings split {division.path}{option} --apply` does this"


def _plan(split: Split) -> Iterator[str]:
    for file in split.files:
        yield ""
        yield f"{file.path}: {counted(file.lines, 'line')}"
        yield from _sections(split, file.pieces)
    yield ""
    yield f"{split.path} keeps {counted(split.lines, 'line')}, with a cross-reference to each"
    yield from _sections(split, split.staying)
    if split.links:
        yield f"  {counted(split.links, 'line')} with links between these files changed"


def _sections(split: Split, pieces: Sequence[Piece]) -> Iterator[str]:
    titles = {piece.first: plain(piece.title) for file in split.files for piece in file.pieces}
    titles |= {piece.first: plain(piece.title) for piece in split.staying}
    for piece in pieces:
        others = sorted({*_related(split, piece)})
        related = f", refers to or from {', '.join(titles[o] for o in others)}" if others else ""
        yield f"  lines {piece.first}-{piece.last}: {titles[piece.first]}{related}"


def _related(split: Split, piece: Piece) -> Iterator[int]:
    for first, second in split.references:
        if piece.first in (first, second):
            yield second if piece.first == first else first


def _changed(what: str, changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        yield f"{change.path}: {what}"
