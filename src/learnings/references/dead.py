"""Finds dead references, in a file and by entry: once in git history, now not in the tree.

A target that never existed is not a finding, such as a path of another repository or of a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from math import inf
from posixpath import relpath
from typing import NamedTuple, Protocol
from urllib.parse import quote

from learnings.core.entries.document import Document
from learnings.core.file_names import MARKDOWN_ENDINGS
from learnings.core.past import PastThing, Removal
from learnings.core.patterns import lazy_pattern
from learnings.references.written import Reference, paths_from

# A name alone means a file in some folder only if hardly any other file has that name: it has at
# least two words (`blame_walk.py`, `readConfig.ts`, `config.schema.json`), or it is source code and
# its word is not a common one.
_DISTINCT_NAME = lazy_pattern(
    r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+(?:\.[A-Za-z0-9]+)+|(?=\w*[a-z][A-Z])\w++\.\w+|\w{3,}\.\w{3,}\.\w+"
    r"|(?!(?:admin|apps?|base|cli|client|common|config|conftest|const(?:ants)?|core|db|errors?"
    r"|helpers?|index|init|lib|logg(?:er|ing)|main|manage|mod|models?|routes?|run|server|settings"
    r"|setup|tests?|types?|urls?|utils?|version|views?)\.)\w{3,}"
    r"\.(?:c|cc|cpp|cs|css|go|h|java|js|jsx|kt|lua|mjs|php|pl|py|r|rb|rs|scala|sh|sql|swift|ts|tsx|vue)"
)


class Past(Protocol):
    """The history of HEAD. Paths are POSIX, relative to the root."""

    def find(self, path: str) -> PastThing | None:
        """Return what is known about a file or folder; None if no commit had it."""

    def ending_in(self, path: str) -> Sequence[str]:
        """Return files and folders elsewhere whose last names are those of a path."""

    def line(self, path: str, number: int) -> PastThing | None:
        """Return what is known about a line by its number, for a file that is now shorter."""

    def anchor(self, path: str, anchor: str) -> PastThing | None:
        """Return what is known about the heading that an anchor led to."""

    def beginning(self) -> int:
        """Return when the history began, in seconds since 1970."""

    def definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        """Return what is known about a tool's name, defined in the root or a folder."""


class Present(Protocol):
    """The working tree. Paths are POSIX, relative to the root."""

    def has(self, path: str) -> bool:
        """Return True if a file or folder exists, with exactly these letters."""

    def ending_in(self, path: str) -> bool:
        """Return True if a file or folder elsewhere has the last names of a path."""

    def elsewhere(self, paths: Iterable[str]) -> Container[str]:
        """Return the paths that git ignores, or that are in a submodule: others may have them."""

    def packages_around(self, folder: str) -> Sequence[str]:
        """Return the packages that contain a folder, without the root."""

    def line_count(self, path: str) -> int | None:
        """Return the number of lines of a file, None if it is not a text file."""

    def has_anchor(self, path: str, anchor: str) -> bool:
        """Return True if an anchor leads to a heading or a mark of a Markdown file."""

    def defines(self, tool: str, name: str, folder: str) -> bool:
        """Return True if a tool may know a name, judged by the files of the root or a folder."""


class DeadReference(NamedTuple):
    """A reference to something that is gone.

    path is its target, relative to the root; for a command, its name. is_path is False if the file
    exists but lacks the line or heading. removal is None if the removal is uncommitted. successor
    is the only path that renames lead to, and replacement the same in the form of the reference;
    both are None without one.
    """

    reference: Reference
    path: str
    is_path: bool
    removal: Removal | None
    successor: str | None = None
    replacement: str | None = None


class NamedPath(NamedTuple):
    """A path on a line of a file: from the root, existing or not; for a command, its name."""

    line: int
    path: str


class Judged(NamedTuple):
    """The things that a file names that exist or existed, and the dead references to them."""

    named: tuple[NamedPath, ...]
    dead: tuple[DeadReference, ...]


def judge(
    references: Iterable[Reference],
    folder: str,
    past: Past,
    present: Present,
    *,
    written_at: Callable[[Sequence[int]], Mapping[int, float]],
) -> Judged:
    """Return the dead references of a file in a folder.

    written_at returns when lines were written, by number, in seconds since 1970; the line did not
    mean anything that was added later. It is not asked about things as old as the history. A line
    of unknown date counts as new.
    """
    named: list[NamedPath] = []
    gone: list[tuple[Reference, str, PastThing]] = []
    taken: set[tuple[int, int]] = set()
    for reference in references:
        if (reference.line, reference.column) in taken:
            continue  # a word of a code span that is a path as a whole
        found = _found(reference, folder, past, present)
        if found is None:
            continue
        named.append(NamedPath(reference.line, found[0]))
        taken.update((reference.line, reference.column + n) for n in range(len(reference.text)))
        path, thing = found
        if thing is not None and not reference.is_said_gone:
            gone.append((reference, path, thing))
    elsewhere = present.elsewhere(path for _, path, _ in gone) if gone else ()
    gone = [one for one in gone if one[1] not in elsewhere]
    beginning = past.beginning() if gone else 0
    doubtful = {reference.line for reference, _, thing in gone if thing.first > beginning}
    dates = written_at(sorted(doubtful)) if doubtful else {}
    dead = (
        _dead(reference, folder, path, thing, present)
        for reference, path, thing in gone
        if thing.first <= max(beginning, dates.get(reference.line, inf))
    )
    return Judged(tuple(named), tuple(dead))


def _found(
    reference: Reference, folder: str, past: Past, present: Present
) -> tuple[str, PastThing | None] | None:
    """Return the target of a reference, and its history if it is gone; None otherwise."""
    if reference.tool is not None:
        if present.defines(reference.tool, reference.text, folder):
            return reference.text, None
        thing = past.definition(reference.tool, reference.text, folder)
        return None if thing is None else (reference.text, thing)
    paths = reference.paths
    if not reference.is_link:
        packages = present.packages_around(folder)
        paths += tuple(paths_from(reference.text, packages))
    for path in paths:
        if present.has(path):
            return path, _lost_part(reference, path, past, present)
    is_bare = "/" not in reference.text.strip("/")
    if is_bare and not reference.is_link and present.ending_in(reference.text.strip("/")):
        return None  # ambiguous
    for path in paths:
        thing = past.find(path)
        if thing is not None:
            return path, thing
    return _by_its_end(reference, past, present, is_bare=is_bare)


def _by_its_end(
    reference: Reference, past: Past, present: Present, *, is_bare: bool
) -> tuple[str, PastThing | None] | None:
    """Return the only file or folder ever whose path ends like a reference."""
    text = reference.text.strip("/").removeprefix("./")
    if reference.is_link or text.startswith("../"):
        return None
    if is_bare and (reference.text.endswith("/") or not _DISTINCT_NAME.fullmatch(text)):
        return None
    if present.ending_in(text):
        return text, None
    endings = past.ending_in(text)
    thing = past.find(endings[0]) if len(endings) == 1 else None
    return (endings[0], thing) if thing is not None else None


def _lost_part(reference: Reference, path: str, past: Past, present: Present) -> PastThing | None:
    """Return what is known about the line or heading of an existing file, if it is gone."""
    if reference.line_number is not None:
        count = present.line_count(path)
        if count is not None and reference.line_number > count:
            return past.line(path, reference.line_number)
    elif (
        reference.anchor
        and path.lower().endswith(MARKDOWN_ENDINGS)
        and not present.has_anchor(path, reference.anchor)
    ):
        return past.anchor(path, reference.anchor)
    return None


def _dead(
    reference: Reference, folder: str, path: str, thing: PastThing, present: Present
) -> DeadReference:
    is_path = reference.tool is None and not present.has(path)
    there = [successor for successor in thing.successors if present.has(successor)]
    if len(there) != 1:
        return DeadReference(reference, path, is_path, thing.removal)
    replacement = _in_the_form_of(reference, folder, path, there[0])
    return DeadReference(reference, path, is_path, thing.removal, there[0], replacement)


def _in_the_form_of(reference: Reference, folder: str, path: str, successor: str) -> str:
    """Return a successor's path in the style of a reference: same base folder, encoded."""
    written = reference.text
    slash = "/" if written.endswith("/") else ""
    inner = written.removeprefix("./").strip("/")
    if reference.is_link and not written.startswith("/"):
        new = relpath(successor, folder or ".")
    elif inner == path or written.startswith("/"):
        new = successor
    elif path.endswith(f"/{inner}") and path != f"{folder}/{inner}":  # the end of a path
        new = successor.removeprefix(path.removesuffix(inner))
    else:
        new = relpath(successor, folder or ".")
    start = "/" if written.startswith("/") else "./" if written.startswith("./") else ""
    new = f"{start}{new.removeprefix('./')}" if not new.startswith("../") else new
    return (
        quote(new, safe="/-_.~()@+,&=!") if "%" in written and reference.is_link else new
    ) + slash


class EntryReferences(NamedTuple):
    """The paths and names in an entry, one for each mention, and the dead ones."""

    paths: tuple[str, ...] = ()
    dead: tuple[DeadReference, ...] = ()

    @property
    def known(self) -> int:
        """The number of references whose target exists or existed."""
        return len(self.paths)

    @property
    def are_all_dead(self) -> bool:
        """True if the entry has references, and all of them are dead."""
        return 0 < self.known == len(self.dead)

    @property
    def are_all_removed(self) -> bool:
        """True if commits removed every target of the entry, and nothing replaced them."""
        return self.are_all_dead and all(
            one.removal is not None and one.successor is None for one in self.dead
        )

    @property
    def places(self) -> frozenset[str]:
        """The paths that the entry is about, and the paths that replaced them."""
        return frozenset((*self.paths, *(one.successor for one in self.dead if one.successor)))


def references_in_lines(judged: Judged, first: int, last: int) -> EntryReferences:
    """Return the references on some lines of a file, both ends included."""
    paths = (named.path for named in judged.named if first <= named.line <= last)
    dead = (one for one in judged.dead if first <= one.reference.line <= last)
    return EntryReferences(tuple(paths), tuple(dead))


def references_by_entry(document: Document, judged: Judged) -> Mapping[str, EntryReferences]:
    """Return the references of a file's entries by identity, without entries that have none."""
    entries = (
        (entry.identity, references_in_lines(judged, entry.first, entry.last))
        for entry in document.entries
    )
    return {identity: references for identity, references in entries if references.known}
