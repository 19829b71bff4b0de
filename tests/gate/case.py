"""A case of the acceptance table: files before and after, and the expected answer of the gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypedDict, Unpack

from tests.gate.entries import POOL, SHORT, SORT, TOKENS
from tests.gate.shapes import SHAPES, Entry, archive, beside, memory

Want = Literal["lost", "told", "named", "shown", "silent", "quiet"]
"""lost: exit code 1, and each of the entries is a loss. told: lost, or else named.

The others pass. named: a notice about each of the entries. shown: also the words before and after
in the text output. silent: no notice. quiet: with or without a notice.
"""
HARMLESS = ("silent", "quiet")
Way = Literal["tree", "staged", "commit", "merge"]
Changes = Mapping[str, str | bytes | None]
"""Texts by path; None removes a file."""
State = str | bytes | tuple[Entry, ...] | Changes | None
"""The memory file as its text or its entries, or any files."""
ITEMS = ("bullet", "dated", "numbered", "table", "sections", "paragraph")
ARCHIVE = "archive/learnings-consolidated-2026-03-20.md"


class Options(TypedDict, total=False):
    """Additional options of a case.

    `given` are other files that exist before, `files` other files that change, `archived` the
    entries of a new archive beside the memory. `also` may be mentioned besides the entries; `words`
    have to be in the text output. A merge has the sides `ours` and `theirs`, both changes of
    `before`; the gate looks at the range from ours to the merge. `later` is on disk alone, after
    everything else was staged.
    """

    given: Changes
    files: Changes
    archived: tuple[Entry, ...]
    also: tuple[str, ...]
    words: str
    way: Way
    ours: State
    theirs: State
    later: State


class Case(NamedTuple):
    """A change of a memory: `after` changes files of `before`.

    `entries` are meant, by a piece of their first line or by the path of their file.
    """

    name: str
    shape: str
    want: Want
    before: Changes
    after: Changes
    entries: tuple[str, ...]
    also: tuple[str, ...]
    words: tuple[str, ...]
    way: Way
    ours: Changes
    theirs: Changes
    later: Changes

    @property
    def is_alteration(self) -> bool:
        """True for a loss or an alteration, False for a harmless change."""
        return self.want not in HARMLESS


class Table:
    """The cases of one theme, in order; `company` stands beside an entry that changes."""

    def __init__(self, theme: str, *company: Entry) -> None:
        self.theme, self.company = theme, company
        self.cases: list[Case] = []

    def change(
        self,
        want: Want,
        name: str,
        shapes: str,
        entry: Entry,
        new: Entry | None,
        *entries: str,
        **options: Unpack[Options],
    ) -> None:
        """Add a case for each shape in which one entry changes, or leaves the memory."""
        for shape in shapes.split():
            usual = SHORT if shape in ITEMS else (POOL, SORT, TOKENS)
            others = [one for one in self.company or usual if one.title != entry.title]
            before = (*others[:2], entry, *others[2:])
            after = (*others[:2], *([new] if new else ()), *others[2:])
            self.add(want, name, shape, before, after, *entries, **options)

    def add(
        self,
        want: Want,
        name: str,
        shapes: str,
        before: State,
        after: State,
        *entries: str,
        **options: Unpack[Options],
    ) -> None:
        """Add a case for each shape; without `entries` those that change or leave are meant."""
        sides = before, options.get("ours", {}), options.get("theirs", {})
        had = [entry for side in sides if isinstance(side, tuple) for entry in side]
        kept = after if isinstance(after, tuple) else ()
        gone = dict.fromkeys(entry.title for entry in had if entry not in kept)
        for shape in shapes.split():
            files = dict(options.get("files", {}))
            if "archived" in options:
                files[beside(shape, ARCHIVE)] = archive(shape, *options["archived"])
            self.cases.append(
                Case(
                    name,
                    shape,
                    want,
                    before={**_files(shape, before), **options.get("given", {})},
                    after={**_files(shape, after), **files},
                    entries=() if want in HARMLESS else entries or tuple(gone),
                    also=options.get("also", ()),
                    words=(*options.get("words", "").split(),),
                    way=options.get("way", "commit" if "archived" in options else "tree"),
                    ours=_files(shape, options.get("ours", {})),
                    theirs=_files(shape, options.get("theirs", {})),
                    later=_files(shape, options.get("later", {})),
                )
            )


def _files(shape: str, state: State) -> Changes:
    if isinstance(state, Mapping):
        return state
    text = memory(shape, *state) if isinstance(state, tuple) else state
    return {SHAPES[shape].path: text}


def less(entries: tuple[Entry, ...], *gone: Entry) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry not in gone)


def put(entries: tuple[Entry, ...], old: Entry, new: Entry) -> tuple[Entry, ...]:
    return tuple(new if entry == old else entry for entry in entries)
