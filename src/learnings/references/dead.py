"""Finds dead references, in a file and by entry: once in git history, now not in the tree.

A target that never existed is not a finding, such as a path of another repository or of a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
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


# Former paths with one end, beyond which the end is a name of a kind of file: `src/index.ts`.
_MOST_ENDS = 10


class Past(Protocol):
    """The history of HEAD: what each thing was, and what became of it. Paths as below."""

    def find(self, path: str) -> PastThing | None:
        """Return what is known about a file or folder; None if no commit had it."""

    def ending_in(self, path: str) -> Sequence[str]:
        """Return files and folders elsewhere whose last names are those of a path."""

    def successors(self, paths: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Return what removed files and folders became, followed through all moves."""

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

    def ending_in(self, path: str) -> Sequence[str]:
        """Return files and folders elsewhere whose last names are those of a path."""

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
    is the only path that the target became, or the file of a renamed heading. replacement is what
    to write instead of `replaced`. Both are None if that is not certain.
    """

    reference: Reference
    path: str
    is_path: bool
    removal: Removal | None
    successor: str | None = None
    replacement: str | None = None

    @property
    def replaced(self) -> str:
        """The part of the text that the replacement stands for."""
        return self.reference.text if self.is_path else self.reference.written


class _Former(NamedTuple):
    """A thing of the past that a reference may mean, with its path."""

    path: str
    thing: PastThing


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
    gone: list[tuple[Reference, list[_Former]]] = []
    taken: set[tuple[int, int]] = set()
    for reference in references:
        if (reference.line, reference.column) in taken:
            continue  # a word of a code span that is a path as a whole
        path, former = _target(reference, folder, past, present)
        if path is None:
            continue
        named.append(NamedPath(reference.line, path))
        taken.update((reference.line, reference.column + n) for n in range(len(reference.text)))
        if former and not reference.is_said_gone:
            gone.append((reference, former))
    elsewhere = present.elsewhere(former[0].path for _, former in gone) if gone else ()
    gone = [one for one in gone if one[1][0].path not in elsewhere]
    beginning = past.beginning() if gone else 0
    doubtful = {
        reference.line
        for reference, former in gone
        if len(former) > 1
        or former[0].thing.first > beginning
        or _has_double(reference, former[0].path, present)
    }
    dates = written_at(sorted(doubtful)) if doubtful else {}
    found: list[tuple[Reference, list[_Former]]] = []
    for reference, former in gone:
        written = dates.get(reference.line, inf)
        meant = [one for one in former if one.thing.first <= max(beginning, written)]
        there_then = [one for one in meant if one.thing.until > written]
        if there_then or (meant and not _has_double(reference, former[0].path, present)):
            found.append((reference, there_then or meant))
    lost = {one.path for reference, meant in found if reference.tool is None for one in meant}
    became = past.successors([path for path in lost if not present.has(path)]) if lost else {}
    dead = (_dead(*one, became, folder, past, present) for one in found)
    return Judged(tuple(named), tuple(filter(None, dead)))


def _has_double(reference: Reference, gone: str, present: Present) -> bool:
    """Return True if another path has the same end, which a line that came later means."""
    return bool(reference.end and not present.has(gone) and present.ending_in(reference.end))


def _target(
    reference: Reference, folder: str, past: Past, present: Present
) -> tuple[str | None, list[_Former]]:
    """Return the target of a reference, None if unknown, and what it was if it is gone.

    Of several things that it may have been, the newest comes first.
    """
    if reference.tool is not None:
        is_there = present.defines(reference.tool, reference.text, folder)
        thing = None if is_there else past.definition(reference.tool, reference.text, folder)
        former = [_Former(reference.text, thing)] if thing else []
        return (reference.text if is_there or former else None), former
    paths = reference.paths
    if not reference.is_link:
        paths += tuple(paths_from(reference.text, present.packages_around(folder)))
    there = next(filter(present.has, paths), None)
    if there is not None:
        lost = _lost_part(reference, there, past, present)
        return there, [_Former(there, lost)] if lost else []
    end = reference.end
    is_elsewhere = bool(end and present.ending_in(end))
    if is_elsewhere and "/" not in end:
        return None, []  # ambiguous
    former = _known(paths, past)[:1]
    if is_elsewhere and not former:
        return end, []
    is_distinct = "/" in end or (_DISTINCT_NAME.fullmatch(end) and reference.text[-1] != "/")
    if end and is_distinct and not former:
        ends = past.ending_in(end)
        former = _known(ends, past) if len(ends) <= _MOST_ENDS else []
        former.sort(key=lambda one: one.thing.until, reverse=True)
    return (former[0].path if former else None), former


def _known(paths: Iterable[str], past: Past) -> list[_Former]:
    return [_Former(path, thing) for path in paths if (thing := past.find(path))]


def _lost_part(reference: Reference, path: str, past: Past, present: Present) -> PastThing | None:
    """Return what is known about the line or heading of an existing file, if it is gone."""
    if _has_part(reference, path, present):
        return None
    if reference.line_number is not None:
        return past.line(path, reference.line_number)
    return past.anchor(path, reference.anchor or "")


def _has_part(reference: Reference, path: str, present: Present) -> bool:
    """Return True if a file has the line or heading of a reference, or if nobody can tell."""
    if reference.line_number is not None:
        count = present.line_count(path)
        return count is None or reference.line_number <= count
    is_markdown = path.lower().endswith(MARKDOWN_ENDINGS)
    return not (reference.anchor and is_markdown) or present.has_anchor(path, reference.anchor)


def _dead(  # noqa: PLR0917
    reference: Reference,
    meant: Sequence[_Former],
    became: Mapping[str, frozenset[str]],
    folder: str,
    past: Past,
    present: Present,
) -> DeadReference | None:
    """Return a dead reference, or None if its text records the move.

    Former paths of one file became one path. If they were different files, no successor is certain.
    """
    path, thing = meant[0]
    is_path = path in became
    dead = DeadReference(reference, path, is_path, thing.removal)
    if not is_path:
        there = [one for one in thing.successors if present.has_anchor(path, one)]
        if len(there) != 1:
            return dead
        new = reference.written.replace(f"#{reference.anchor}", f"#{there[0]}")
        return dead._replace(successor=path, replacement=new)
    ends = {frozenset(filter(present.has, became[one.path])) for one in meant}
    sole = ends.pop() if len(ends) == 1 else frozenset()
    if len(sole) != 1:
        return dead
    (successor,) = sole
    new_thing = past.find(successor)
    is_new = new_thing is not None and new_thing.first >= thing.until
    if is_new and reference.is_next_to(successor, meant[0].path):
        return None
    has_part = _has_part(reference, successor, present) and (is_new or not reference.line_number)
    replacement = _in_the_form_of(reference, folder, path, successor, present) if has_part else None
    return dead._replace(successor=successor, replacement=replacement)


def _in_the_form_of(
    reference: Reference, folder: str, path: str, successor: str, present: Present
) -> str:
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
        if new != successor:
            new = _distinct_end(new, successor, present)
    else:
        new = relpath(successor, folder or ".")
    start = "/" if written.startswith("/") else "./" if written.startswith("./") else ""
    new = f"{start}{new.removeprefix('./')}" if not new.startswith("../") else new
    return (
        quote(new, safe="/-_.~()@+,&=!") if "%" in written and reference.is_link else new
    ) + slash


def _distinct_end(end: str, path: str, present: Present) -> str:
    """Return the end of a path, with as many folders before it as no other path has."""
    while end != path and (present.has(end) or len(present.ending_in(end)) > 1):
        before = path.removesuffix(f"/{end}")
        end = f"{before.rpartition('/')[2]}/{end}" if before != path else path
    return end


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
