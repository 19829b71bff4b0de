"""A case of the acceptance table: files before and after, and the expected answer of the gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypedDict, Unpack

from tests.gate.shapes import path_of

Files = Mapping[str, str | bytes]
Changes = Mapping[str, str | bytes | None]
Want = Literal["lost", "told", "named", "shown", "silent", "quiet"]
"""lost: exit code 1, and each of the entries is a loss. told: lost, or else named.

The others pass. named: a notice about each of the entries. shown: also the words before and after
in the text output. silent: no notice. quiet: with or without a notice.
"""
Way = Literal["tree", "staged", "commit", "merge"]


class Options(TypedDict, total=False):
    """Additional options of a case, as in Case; a bare text is the memory file."""

    also: tuple[str, ...]
    words: tuple[str, ...]
    mute: tuple[str, ...]
    way: Way
    ours: str | Changes
    theirs: str | Changes
    later: str | Changes


class Case(NamedTuple):
    """A change of a memory.

    `after` changes files of `before`; None removes one. `entries` names those that are meant, by a
    piece of their first line or by the path of their file; `also` those that may be mentioned
    besides. `words` have to be in the text output, `mute` must not be. A merge has the two sides
    `ours` and `theirs`, both of them changes of `before`, and the result `after`; the gate looks at
    the range from ours to the merge. `later` is on disk alone, after everything else was staged.
    """

    name: str
    shape: str
    want: Want
    before: Files
    after: Changes
    entries: tuple[str, ...]
    also: tuple[str, ...]
    words: tuple[str, ...]
    mute: tuple[str, ...]
    way: Way
    ours: Changes
    theirs: Changes
    later: Changes

    @property
    def is_alteration(self) -> bool:
        """True for a loss or an alteration, False for a harmless change."""
        return self.want not in ("silent", "quiet")


class Table:
    """The cases of one theme, in order; names are unique."""

    def __init__(self, theme: str) -> None:
        self.theme = theme
        self.cases: list[Case] = []

    def lost(
        self,
        name: str,
        shape: str,
        before: str | Files,
        after: str | Changes,
        *entries: str,
        **options: Unpack[Options],
    ) -> None:
        """Add a change that must be refused, with the entries that it loses."""
        self._add("lost", (name, shape), (before, after), entries, options)

    def told(
        self,
        name: str,
        shape: str,
        before: str | Files,
        after: str | Changes,
        *entries: str,
        **options: Unpack[Options],
    ) -> None:
        """Add a change that is refused, or passes with a notice about each of the entries."""
        self._add("told", (name, shape), (before, after), entries, options)

    def named(
        self,
        name: str,
        shape: str,
        before: str | Files,
        after: str | Changes,
        *entries: str,
        **options: Unpack[Options],
    ) -> None:
        """Add a change that passes with a notice about each of the entries."""
        self._add("named", (name, shape), (before, after), entries, options)

    def shown(
        self,
        name: str,
        shape: str,
        before: str | Files,
        after: str | Changes,
        entry: str,
        *seen: str,
        **options: Unpack[Options],
    ) -> None:
        """Add a change that passes with a notice about an entry that shows certain words."""
        options["words"] = seen
        self._add("shown", (name, shape), (before, after), (entry,), options)

    def silent(
        self,
        name: str,
        shape: str,
        before: str | Files,
        after: str | Changes,
        **options: Unpack[Options],
    ) -> None:
        """Add a harmless change."""
        self._add("silent", (name, shape), (before, after), (), options)

    def quiet(
        self,
        name: str,
        shape: str,
        before: str | Files,
        after: str | Changes,
        **options: Unpack[Options],
    ) -> None:
        """Add a change that must pass, with or without a notice."""
        self._add("quiet", (name, shape), (before, after), (), options)

    def _add(
        self,
        want: Want,
        about: tuple[str, str],
        files: tuple[str | Files, str | Changes],
        entries: tuple[str, ...],
        options: Options,
    ) -> None:
        (name, shape), (before, after) = about, files
        first = {path_of(shape): before} if isinstance(before, str) else before
        self.cases.append(
            Case(
                name,
                shape,
                want,
                before=first,
                after=_changes(shape, after),
                entries=entries,
                also=options.get("also", ()),
                words=options.get("words", ()),
                mute=options.get("mute", ()),
                way=options.get("way", "tree"),
                ours=_changes(shape, options.get("ours", {})),
                theirs=_changes(shape, options.get("theirs", {})),
                later=_changes(shape, options.get("later", {})),
            )
        )


def _changes(shape: str, text: str | Changes) -> Changes:
    """Return changes of files; a bare text is the memory file of the shape."""
    return {path_of(shape): text} if isinstance(text, str) else text
