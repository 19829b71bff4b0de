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


class Facts(Protocol):
    """The working tree and the history of HEAD. Paths are POSIX, relative to the root."""

    def has(self, path: str) -> bool:
        """Return True if a file or folder exists, with exactly these letters."""

    def ending_in(self, path: str) -> Sequence[str]:
        """Return the files and folders whose last names, of several, are those of a path."""

    def elsewhere(self, paths: Iterable[str]) -> Container[str]:
        """Return the paths that git ignores, or that are in a submodule: others may have them."""

    def packages_around(self, folder: str) -> Sequence[str]:
        """Return the packages that contain a folder, without the root."""

    def has_part(self, path: str, line: int | None, anchor: str | None) -> bool:
        """Return True if a file has a line or else an anchor, or if it is not a text with such."""

    def defines(self, tool: str, name: str, folder: str) -> bool:
        """Return True if a tool may know a name, judged by the files of the root or a folder."""

    def beginning(self) -> int:
        """Return when the history began, in seconds since 1970."""

    def past_path(self, path: str) -> PastThing | None:
        """Return what is known about a file or folder; None if no commit had it."""

    def past_ending_in(self, path: str) -> Sequence[str]:
        """Return the files and folders of the history with an end, as ending_in()."""

    def past_part(self, path: str, line: int | None, anchor: str | None) -> PastThing | None:
        """Return what is known about a line of a file that is now shorter, or about an anchor."""

    def past_definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        """Return what is known about a tool's name, defined in the root or a folder.

        None if another file defines it now: the text may mean that one.
        """

    def successors(self, paths: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Return what removed files and folders became, followed through all moves."""


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
    facts: Facts,
    *,
    written_at: Callable[[Sequence[int]], Mapping[int, float]],
) -> Judged:
    """Return the dead references of a file in a folder.

    written_at returns when lines were written, by number, in seconds since 1970; the line did not
    mean anything that was added later. It is not asked about things as old as the history. A line
    of unknown date counts as new.
    """
    named: list[NamedPath] = []
    gone: list[tuple[Reference, list[_Former], bool]] = []
    taken: set[tuple[int, int]] = set()
    for reference in references:
        if (reference.line, reference.column) in taken:
            continue  # a word of a code span that is a path as a whole
        path, former = _target(reference, folder, facts)
        if path is None:
            continue
        named.append(NamedPath(reference.line, path))
        taken.update((reference.line, reference.column + n) for n in range(len(reference.text)))
        if former and not reference.is_said_gone:
            # A line that came later means another path with the same end, or no path of this
            # repository if several former files had a common name: `src/index.ts`.
            has_double = not facts.has(path) and reference.end and facts.ending_in(reference.end)
            is_common = not _DISTINCT_NAME.fullmatch(reference.end.rpartition("/")[2])
            is_vague = bool(has_double) or (is_common and len(former) > 1)
            gone.append((reference, former, is_vague))
    elsewhere = facts.elsewhere(former[0].path for _, former, _ in gone) if gone else ()
    gone = [one for one in gone if one[1][0].path not in elsewhere]
    beginning = facts.beginning() if gone else 0
    doubtful = {
        reference.line
        for reference, former, is_vague in gone
        if is_vague or len(former) > 1 or former[0].thing.first > beginning
    }
    dates = written_at(sorted(doubtful)) if doubtful else {}
    meant: list[tuple[Reference, list[_Former]]] = []
    for reference, former, is_vague in gone:
        written = dates.get(reference.line, inf)
        known = [one for one in former if one.thing.first <= max(beginning, written)]
        there_then = [one for one in known if one.thing.until > written]
        if there_then or (known and not is_vague):
            meant.append((reference, there_then or known))
    paths = {path for one, former in meant if one.tool is None for path, _ in former}
    lost = [path for path in paths if not facts.has(path)]
    became = facts.successors(lost) if lost else {}
    dead = (_dead(reference, former, became, folder, facts) for reference, former in meant)
    return Judged(tuple(named), tuple(filter(None, dead)))


def _target(reference: Reference, folder: str, facts: Facts) -> tuple[str | None, list[_Former]]:
    """Return the target of a reference, None if unknown, and what it was if it is gone.

    Of several things that it may have been, the newest comes first.
    """
    text, tool = reference.text, reference.tool
    if tool is not None:
        is_there = facts.defines(tool, text, folder)
        thing = None if is_there else facts.past_definition(tool, text, folder)
        return (text if is_there or thing else None), [_Former(text, thing)] if thing else []
    paths = _meanings(reference, folder, facts)
    there = next(filter(facts.has, paths), None)
    if there is not None:
        part = there, reference.line_number, reference.anchor
        lost = None if facts.has_part(*part) else facts.past_part(*part)
        return there, [_Former(there, lost)] if lost else []
    end = reference.end
    is_elsewhere = bool(end and facts.ending_in(end))
    if is_elsewhere and "/" not in end:
        return None, []  # ambiguous
    former = _known(paths, facts)[:1]
    if is_elsewhere and not former:
        return end, []
    if not former and ("/" in end or (_DISTINCT_NAME.fullmatch(end) and text[-1] != "/")):
        ends = facts.past_ending_in(end)
        former = _known(ends if len(ends) <= _MOST_ENDS else (), facts)
        former.sort(key=lambda one: one.thing.until, reverse=True)
    return (former[0].path if former else None), former


def _meanings(reference: Reference, folder: str, facts: Facts) -> Sequence[str]:
    """Return the paths that a reference can mean: from the root, its folder, or a package."""
    if reference.is_link:
        return reference.paths
    return *reference.paths, *paths_from(reference.text, facts.packages_around(folder))


def _known(paths: Iterable[str], facts: Facts) -> list[_Former]:
    return [_Former(path, thing) for path in paths if (thing := facts.past_path(path))]


def _dead(
    reference: Reference,
    former: Sequence[_Former],
    became: Mapping[str, frozenset[str]],
    folder: str,
    facts: Facts,
) -> DeadReference | None:
    """Return a dead reference, or None if its text records the move, or tells to write the file.

    Former paths of one file became one path. If they were different files, no successor is certain.
    """
    path, thing = former[0]
    line = reference.line_number
    dead = DeadReference(reference, path, path in became, thing.removal)
    if not dead.is_path:
        anchors = [one for one in thing.successors if facts.has_part(path, None, one)]
        if len(anchors) != 1:
            return dead
        new = reference.written.replace(f"#{reference.anchor}", f"#{anchors[0]}")
        return dead._replace(successor=path, replacement=new)
    ends = {frozenset(filter(facts.has, became[one.path])) for one in former}
    if len(ends) != 1 or len(sole := ends.pop()) != 1:
        return None if reference.is_made else dead
    (successor,) = sole
    new_thing = facts.past_path(successor)
    is_new = new_thing is not None and new_thing.first >= thing.until
    if is_new and reference.is_next_to(successor, path):
        return None
    dead = dead._replace(successor=successor)
    # In a file that had other lines, a number says nothing, and what one avoids is only a part.
    is_same = is_new or (line is None and not reference.is_advised_against)
    if is_same and facts.has_part(successor, line, reference.anchor):
        return dead._replace(replacement=_written(reference, path, successor, folder, facts))
    return dead


def _written(
    reference: Reference, path: str, successor: str, folder: str, facts: Facts
) -> str | None:
    """Return a successor in the style of a reference: same base folder, or the end of its path.

    It must lead there alone, so the end is as long as this needs.
    """
    text = reference.text
    inner = text.removeprefix("./").strip("/")
    bases = (folder, *facts.packages_around(folder))
    base = next((one for one in bases if f"{one}/{inner}" == path), None)
    if reference.is_link and not text.startswith("/"):
        forms = [relpath(successor, folder or ".")]
    elif inner == path or text.startswith("/"):
        forms = [successor]
    elif base is not None or not path.endswith(f"/{inner}"):
        forms = [relpath(successor, base or folder or ".")]
    else:
        least = len(successor.removeprefix(path.removesuffix(inner)))
        starts = [0, *(n + 1 for n, sign in enumerate(successor) if sign == "/")]
        forms = [successor[n:] for n in reversed(starts) if len(successor) - n >= least]
    for form in forms:
        start = "/" if text.startswith("/") else "./" if text.startswith("./") else ""
        new = f"{'' if form.startswith('../') else start}{form}"
        if reference.is_link or _leads_to(successor, new, folder, facts):
            new = quote(new, safe="/-_.~()@+,&=!") if "%" in text and reference.is_link else new
            return f"{new}/" if text.endswith("/") else new
    return None


def _leads_to(path: str, text: str, folder: str, facts: Facts) -> bool:
    """Return True if a text in code leads to a path and to no other one."""
    bases = ("", folder, *facts.packages_around(folder))
    there = next(filter(facts.has, paths_from(text, bases)), None)
    return there == path if there else [*facts.ending_in(text)] == [path]


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
