"""A slow count of ages and of the last consolidation, from the written rules alone.

This module shares nothing with the package under test: it reads Markdown, git and the rules on its
own, so that agreement is evidence. It starts a process for nearly every question, and reads each
tree and blob once.

If the rules leave a choice, it takes the most literal one:

- The file has one name per commit and line of descent. If a parent lacks the path, it takes the
  source of a rename (``git diff-tree -M``), then a name that a rename elsewhere took or gave (a
  branch knows only the older name, and a merge returns to it). Otherwise the name stays, so that
  events before a deletion still count.
- Every version is read in its own dialect, even if two neighbouring versions differ in it; only
  what was there in the later dialect was not introduced.
- Timestamped: every H2 is an entry, so that none disappears from the totals; the text in brackets
  before its title is its stamp, whether it parses or not. A last heading `Themes` is the tail of
  the file and not an entry.
- In the dialect ``heading`` the bracket is removed only if it holds a date or an id. Headings
  inside list items or quotations are not entries.
- A file with only a comment below most H2 is a template without entries.
- Bullets are top-level items of unordered lists; the first line is the heading, the rest the body.
- A body is every line after the heading up to the next entry or to a heading of the same or a
  higher level, including a closing ``---``.
- An entry is followed from each commit to all of its parents, one commit at a time. If several
  parents of a merge have it (or a heading it was made from), the oldest date counts.
- Of several entries with one heading, the one with the same words is the same entry, else the most
  similar, else the one at the same rank. A heading in a fence was in the file, though it was not an
  entry; if it still is in one, an entry with the same heading is another.
- An entry that a version shows no more, though it has its line more often without an entry, is
  hidden, and still there; at another level the text below must be alike as well. It is removed
  when the line goes, unless it is an item of a version whose entries are headings: that is text.
- An entry of the file itself that no parent has was there before if an ancestor removed one with
  the same title relative to any parent, or with the file, and the same text: the same letters, or
  alike with twelve words on both sides. Of several such ancestors those count that have no other
  one after them.
- A commit ends a consolidation if it comes before it in git's order, its subject is `Revert` and
  the quoted subject of the consolidation, and it has one of the removed entries.
- Else an entry that no parent has came from another Markdown or text file that the commit changed,
  if that file has a line with its title, and the lines below share forty letters and digits with
  it.
- A reworded or moved heading keeps the date of the older heading, even if author dates run
  backwards and the commit that changed it has an earlier one.
- A merge introduces a heading if no parent has its identity; only such headings pair with removed
  ones. A merge removes the headings that every parent has and it lacks.
- Pairs of equal similarity: the earlier heading of the new version first, then of the old one.
- A merge consolidates the entries that every parent has and it lacks; an archive must hold their
  text from the first parent.
- A merge commit at the end of history counts as one of a pull request, and adds no day, if its
  subject is ``Merge <40 hex> into <40 hex>``.
- The automatic preamble ends at or before the first entry heading and so hides no entry.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from functools import cache
from itertools import count, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

ALIKE = 0.6
MIN_REMOVED = 3
BLOCK = 40
ENOUGH = 12
CHAPTER_WORDS = 3
KEPT = ("renamed-heading", "restored")
ENTRY = ("title", "line", "added", "commit", "active_days", "basis")
CONSOLIDATION = ("commit", "date", "active_days", "removed")
DATE = r"\d{4}-\d{2}(?:-\d{2})?(?:[ T-]\d{2}:?\d{2}(?::?\d{2})?)?"
STAMPED = re.compile(r"\[(\d{4}-\d{2}(?!\d)[^\]]*)\]\s*(.*)")
BRACKETED = re.compile(r"\[([^\[\]]*)\](?!\()\s*(.*)")
IDENTIFIED = re.compile(r"\[([A-Z]+(?:-\d+)+)\]\s*(.*)|([A-Z]+(?:-\d+)+):\s*(.*)")
LEADING_DATE = re.compile(rf"(?:\*\*{DATE}(?: \([^)]*\))?:?\*\*|\[{DATE}\]|{DATE})(?!\d)[\s:—–-]*")
TRAILING_DATE = re.compile(rf"\s*[(\[]?{DATE}[)\]]?\.?$")
PULL_REQUEST = re.compile(r"Merge [0-9a-f]{40} into [0-9a-f]{40}")
RENAMES = ("-z", "-M", "-l0", "--diff-filter=R", "--name-status")
NEUTRAL = {
    "blame.ignoreRevsFile": "",
    "color.ui": "false",
    "core.quotePath": "false",
    "diff.algorithm": "default",
    "diff.indentHeuristic": "true",
    "diff.orderFile": os.devnull,
    "log.follow": "false",
    "log.showSignature": "false",
}


@dataclass(frozen=True, slots=True)
class Aged:
    """An entry with its age; ``line`` is 1-based, ``added`` the author-local date in ISO form."""

    title: str
    line: int
    added: str
    commit: str
    active_days: int
    basis: str


@dataclass(frozen=True, slots=True)
class Consolidation:
    """The newest commit that removed entries, and their number."""

    commit: str
    date: str
    active_days: int
    removed: int


@dataclass(frozen=True, slots=True)
class Expected:
    """The values of a correct report; dates are ISO and ascending, entries are in file order."""

    active_days: list[str]
    as_of: str | None
    entries: list[Aged]
    last_consolidation: Consolidation | None


class Compared(NamedTuple):
    """One value of the report: its name, the expected and the actual value."""

    what: str
    expected: object
    reported: object


class Entry(NamedTuple):
    """One entry of one version."""

    title: str
    line: int
    identity: str
    words: tuple[str, ...]
    lines: tuple[str, ...] = ()


class Place(NamedTuple):
    """An entry heading (or any line) in one version of one file."""

    commit: str
    path: str
    line: int


class Origin(NamedTuple):
    """The start of an age; the smallest of several is the oldest."""

    date: str
    commit: str
    basis: str


class Heading(NamedTuple):
    line: int
    level: int
    text: str


class Bullet(NamedTuple):
    line: int
    after: int
    text: str


def expected(
    repo: Path, file: str, *, rev: str = "HEAD", min_removed: int = MIN_REMOVED
) -> Expected:
    """Count everything for ``file`` (its name at ``rev``, from the root of the repository).

    ``min_removed`` removed entries make a consolidation, with or without an archive. Raises
    FileNotFoundError if ``rev`` has no such file.
    """
    head = _git(repo, "rev-parse", "--verify", f"{rev}^{{commit}}").strip()
    if _content(repo, head, file) is None:
        raise FileNotFoundError(f"{file} at {rev}")
    # Each commit on the way of an entry takes one call.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + 5 * len(_parents(repo, head))))
    days = _active_days(repo, head)
    entries = [_aged(repo, head, file, entry, days) for entry in _version(repo, head, file)]
    return Expected(
        active_days=days,
        as_of=days[-1] if days else None,
        entries=entries,
        last_consolidation=_last_consolidation(repo, head, file, days, min_removed),
    )


def compared(count: Expected, document: dict[str, Any]) -> list[Compared]:
    """Return every value that the count shares with a document of ``learnings ages --format json``.

    Entries are matched by line; an entry on one side only is compared with None.
    """
    wanted = {entry.line: _shown(asdict(entry), ENTRY) for entry in count.entries}
    got = {entry["line"]: _shown(entry, ENTRY) for entry in document["entries"]}
    lines = sorted(wanted.keys() | got.keys())
    consolidation = count.last_consolidation
    return [
        Compared("as_of", count.as_of, document["as_of"]),
        Compared("active_days", len(count.active_days), document["history"]["active_days"]),
        Compared(
            "last_consolidation",
            _shown(asdict(consolidation) if consolidation else None, CONSOLIDATION),
            _shown(document["last_consolidation"], CONSOLIDATION),
        ),
        *(Compared("entry", wanted.get(line), got.get(line)) for line in lines),
        Compared("order", list(wanted), list(got)),
    ]


def _shown(values: dict[str, Any] | None, names: tuple[str, ...]) -> dict[str, Any] | None:
    return None if values is None else {name: values[name] for name in names}


def names_by_commit(repo: Path, head: str, file: str) -> dict[str, set[str]]:
    """Return the name of ``file`` in every commit reachable from ``head``, a full hash."""
    names: dict[str, set[str]] = {head: {file}}
    parents = _parents(repo, head)
    for commit in _git(repo, "rev-list", "--topo-order", head).split():
        for parent in parents[commit]:
            known = names.setdefault(parent, set())
            known.update(
                _name_in(repo, head, parent, child=commit, path=name) for name in names[commit]
            )
    return names


# -- the clock


def _active_days(repo: Path, head: str) -> list[str]:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    dates = dict(_dates(repo, head))
    if len(_parents(repo, head)[head]) > 1 and PULL_REQUEST.fullmatch(_subject(repo, head)):
        del dates[head]
    return sorted({date for date in dates.values() if date <= tomorrow})


def _age(date: str, days: list[str]) -> int:
    return sum(day > date for day in days)


# -- ages


def _aged(repo: Path, head: str, file: str, entry: Entry, days: list[str]) -> Aged:
    own = frozenset((file, *_other_names(repo, head, file)))
    origin = _origin(repo, head, Place(head, file, entry.line), own)
    age = _age(origin.date, days)
    return Aged(entry.title, entry.line, origin.date, origin.commit, age, origin.basis)


@cache
def _origin(repo: Path, head: str, place: Place, own: frozenset[str]) -> Origin:
    """Return the oldest date that any way back, one commit at a time, leads to."""
    held, reworded = _earlier(repo, head, place)
    if held:
        return min(_origin(repo, head, before, own) for before in held)
    if reworded:
        oldest = min(_origin(repo, head, before, own) for before in reworded)
        return oldest if oldest.basis == "restored" else oldest._replace(basis="renamed-heading")
    returned = _removals_before(repo, head, place) if place.path in own else []
    if returned:
        oldest = min(_origin(repo, head, before, own) for before in returned)
        return oldest._replace(basis="restored")
    source = _from_another_file(repo, head, place)
    if source is not None:
        oldest = _origin(repo, head, source, own)
        return oldest if oldest.basis in KEPT else oldest._replace(basis="moved")
    return Origin(_dates(repo, head)[place.commit], place.commit, "commit")


def _earlier(repo: Path, head: str, place: Place) -> tuple[list[Place], list[Place]]:
    """Return the same heading in the parents' versions, and the headings it was made from."""
    version = _version(repo, place.commit, place.path)
    entry = next((entry for entry in version if entry.line == place.line), None)
    text = _line(repo, place.commit, place.path, place.line)
    held: list[Place] = []
    reworded: list[Place] = []
    parents = _parents(repo, head)[place.commit]
    for parent in parents:
        path = _name_in(repo, head, parent, child=place.commit, path=place.path)
        old = _version(repo, parent, path)
        line = _same_entry(old, version, entry) if entry else None
        if not entry:  # hidden here, perhaps not there
            line = next((e.line for e in old if _shape(e.lines[0]) == _shape(text)), None)
        before, now = _plain_lines(repo, parent, path), _plain_lines(repo, place.commit, place.path)
        if not entry or len(now.get(_shape(text), [])) < len(before.get(_shape(text), [])):
            line = line or _hidden(repo, parent, path, text, old)
        held += [Place(parent, path, line)] if line else []
        made_from = None
        if entry:
            made_from = _reworded(repo, head, parent, place.commit, place.path).get(entry.identity)
        reworded += [Place(parent, path, e.line) for e in old if e.identity == made_from]
    return held, reworded


def _same_entry(old: tuple[Entry, ...], new: tuple[Entry, ...], entry: Entry) -> int | None:
    """Return the line of the entry in the older version; words tell twins apart."""
    before = [e for e in old if _unnumbered(e) == _unnumbered(entry)]
    after = [e for e in new if _unnumbered(e) == _unnumbered(entry)]
    if len(before) < 2 and len(after) < 2:
        return before[0].line if before else None
    pairs: dict[str, int] = {}
    for one in after:
        _pair(pairs, one, [e for e in before if e.words == one.words])
    for _, _, one, other in sorted(
        (-_similarity(b, o), b.line, o, b)
        for b in before
        for o in after
        if _similarity(b, o) >= ALIKE
    ):
        _pair(pairs, one, [other])
    for one in after:
        _pair(pairs, one, before)
    return pairs.get(entry.identity)


def _pair(pairs: dict[str, int], entry: Entry, candidates: list[Entry]) -> None:
    free = [e.line for e in candidates if e.line not in pairs.values()]
    if free and entry.identity not in pairs:
        pairs[entry.identity] = free[0]


def _unnumbered(entry: Entry) -> str:
    return re.sub(r" #\d+$", "", entry.identity)


def _hidden(
    repo: Path, commit: str, path: str, text: str, version: tuple[Entry, ...]
) -> int | None:
    """Return a line with the same mark and letters that starts no entry, as in a fence."""
    shown = {entry.line for entry in version}
    lines = _lines(_content(repo, commit, path) or b"")
    numbers = [n for n, line in enumerate(lines, start=1) if _shape(line) == _shape(text)]
    return next((n for n in numbers if n not in shown), None)


def _line(repo: Path, commit: str, path: str, number: int) -> str:
    return _lines(_content(repo, commit, path) or b"")[number - 1]


def _removals_before(repo: Path, head: str, place: Place) -> list[Place]:
    """Return the entries of the file that were removed last and had the title and the text."""
    version = _version(repo, place.commit, place.path)
    entry = next((entry for entry in version if entry.line == place.line), None)
    if entry is None:
        return []
    found: dict[str, list[Place]] = {}
    for removal, places in _removals(repo, head, place.commit, place.path).items():
        same = [where for where, old in places if _is_back(old, entry)]
        found |= {removal: same} if same else {}
    last = [c for c in found if not any(c in _ancestors(repo, head, other) for other in found)]
    return [where for commit in last for where in found[commit]]


def _is_back(old: Entry, new: Entry) -> bool:
    if _letters(_unnumbered(old)) != _letters(_unnumbered(new)):
        return False
    if _letters(" ".join(old.words)) == _letters(" ".join(new.words)):
        return True
    return min(len(old.words), len(new.words)) >= ENOUGH and _similarity(old, new) >= ALIKE


@cache
def _removals(
    repo: Path, head: str, commit: str, path: str
) -> dict[str, list[tuple[Place, Entry]]]:
    """Return what each ancestor removed from the file, and where a parent had it."""
    found: dict[str, list[tuple[Place, Entry]]] = {}
    parents = _parents(repo, head)
    for ancestor, known in names_by_commit(repo, commit, path).items():
        # A file that was away may have come back under a name that others gave it meanwhile.
        names = {_existing(repo, head, ancestor, name) for name in known}
        for name, parent in product(names, parents[ancestor] if ancestor != commit else ()):
            old = _name_in(repo, head, parent, child=ancestor, path=name)
            if _content(repo, ancestor, name) != _content(repo, parent, old):
                found.setdefault(ancestor, []).extend(
                    (Place(parent, old, line), entry)
                    for entry, line in _lost(repo, head, parent, ancestor, name)
                )
    return found


def _existing(repo: Path, head: str, commit: str, path: str) -> str:
    names = (path, *_other_names(repo, head, path))
    return next((name for name in names if _content(repo, commit, name) is not None), path)


def _lost(repo: Path, head: str, parent: str, commit: str, path: str) -> list[tuple[Entry, int]]:
    """Return the entries that a commit removed from one parent, with their lines there."""
    old_path = _name_in(repo, head, parent, child=commit, path=path)
    if _content(repo, parent, old_path) is None:
        return []
    reworded = set(_reworded(repo, head, parent, commit, path).values())
    now = {name for name, _ in _there(repo, head, commit, path)}
    if _content(repo, commit, path) is None:
        now, reworded = set(), set()
    there = _there(repo, head, parent, old_path)
    has_headings = any(_level(e.lines[0]) for e in _version(repo, parent, old_path))
    return [
        (entry, line)
        for (name, line), entry in there.items()
        if name not in now and name not in reworded
        if _level(entry.lines[0]) or not has_headings
    ]


def _reworded(repo: Path, head: str, parent: str, commit: str, path: str) -> dict[str, str]:
    """Map the identities of reworded entries to those in a parent; hidden ones stay."""
    name = _name_in(repo, head, parent, child=commit, path=path)
    there = {identity for identity, _ in _there(repo, head, commit, path)}
    new = _version(repo, commit, path)
    left = there - {entry.identity for entry in new}
    old = tuple(e for e in _version(repo, parent, name) if e.identity not in left)
    return _pairs(old, new, _introduced(repo, head, commit, path))


@cache
def _there(repo: Path, head: str, commit: str, path: str) -> dict[tuple[str, int], Entry]:
    """Return the entries of a version by identity and line, with the hidden ones."""
    shown = _version(repo, commit, path)
    known = {(entry.identity, entry.line): entry for entry in shown}
    names = {entry.identity for entry in shown}
    plain = _plain_lines(repo, commit, path)
    for parent in _parents(repo, head)[commit]:
        name = _name_in(repo, head, parent, child=commit, path=path)
        before = _plain_lines(repo, parent, name)
        shown_before = {e.identity for e in _version(repo, parent, name)}
        for (identity, _), entry in _there(repo, head, parent, name).items():
            key = _shape(entry.lines[0])
            lines = plain.get(key, [])
            more = len(lines) > (len(before.get(key, [])) if identity in shown_before else 0)
            text = _lines(_content(repo, commit, path) or b"")
            if identity not in names and more:
                same = [
                    n
                    for n in lines
                    if _level(text[n - 1]) == _level(entry.lines[0])
                    or identity not in shown_before
                    or _is_below(entry, text[n : n - 1 + len(entry.lines)])
                ]
                known |= {(identity, same[0]): entry} if same else {}
                names |= {identity} if same else set()
    return known


def _is_below(entry: Entry, lines: list[str]) -> bool:
    words = _words(lines)
    return words == entry.words or (_similarity(entry, entry._replace(words=words)) >= ALIKE)


def _plain_lines(repo: Path, commit: str, path: str) -> dict[tuple[str, str], list[int]]:
    """Return the numbers of the lines that begin no entry, by mark and letters."""
    shown = {entry.line for entry in _version(repo, commit, path)}
    found: dict[tuple[str, str], list[int]] = {}
    for number, line in enumerate(_lines(_content(repo, commit, path) or b""), start=1):
        if number not in shown:
            found.setdefault(_shape(line), []).append(number)
    return found


def _shape(line: str) -> tuple[str, str]:
    seen = line.strip().lstrip("\ufeff\u200b\u2060").strip()
    mark = "#" if seen.startswith("#") else "-" if seen[:1] in ("-", "*", "+") else ""
    return mark, _letters(line)


def _level(line: str) -> int:
    seen = line.strip().lstrip("\ufeff\u200b\u2060").strip()
    return len(seen) - len(seen.lstrip("#"))


@cache
def _ancestors(repo: Path, head: str, commit: str) -> frozenset[str]:
    """Return all ancestors of a commit, without the commit itself."""
    parents = _parents(repo, head)
    commits: set[str] = set()
    waiting = list(parents[commit])
    while waiting:
        name = waiting.pop()
        if name not in commits:
            commits.add(name)
            waiting.extend(parents[name])
    return frozenset(commits)


def _from_another_file(repo: Path, head: str, place: Place) -> Place | None:
    """Return another file changed by the commit, with the title and the lines after it.

    If the commit created the file, every other file of a parent counts.
    """
    entry = _entry_at(repo, place)
    if entry is None:
        return None
    sizes: list[tuple[int, Place]] = []
    for parent in _parents(repo, head)[place.commit]:
        created = _content(repo, parent, place.path) is None
        changes = ("diff-tree", "-r", "-z", "--name-only", parent, place.commit)
        for path in _tree(repo, parent) if created else _git(repo, *changes).split("\0"):
            if path.endswith((".md", ".txt")) and path != place.path:
                lines = _titled(_content(repo, parent, path) or b"")
                sizes += [
                    (size, Place(parent, path, number))
                    for number in range(1, len(lines) + 1)
                    if (size := _block(entry, lines[number - 1 :])) >= BLOCK
                ]
    return max(sizes, key=lambda sized: sized[0])[1] if sizes else None


def _entry_at(repo: Path, place: Place) -> Entry | None:
    """Return the entry that starts at a line, even if a fence hides it, as in an archive."""
    entries = _version(repo, place.commit, place.path)
    lines = _lines(_content(repo, place.commit, place.path) or b"")[place.line - 1 :]
    ends = (n for n, line in enumerate(lines) if n and line.startswith(("#", "~~~", "```")))
    alone = re.sub("^#+", "##", "\n".join(lines[: next(ends, len(lines))]))
    hidden = parse(alone.encode("utf-8", "surrogateescape"))
    shown = (entry for entry in entries if entry.line == place.line)
    return next(shown, next((entry for entry in hidden if entry.line == 1), None))


def _titled(data: bytes) -> list[str]:
    """Return the lines of a file; lines that start entries lose their dates and marks."""
    titles = {entry.line: entry.title for entry in parse(data)}
    return [titles.get(number, line) for number, line in enumerate(_lines(data), start=1)]


def _block(entry: Entry, lines: list[str]) -> int:
    """Count letters and digits of the title and of the lines below that belong to the entry."""
    headings = (_letters(entry.lines[0]), _letters(entry.title))
    if _letters(lines[0]) not in headings:
        return 0
    size = len(_letters(lines[0]))
    body = [letters for line in entry.lines[1:] if (letters := _letters(line))]
    below = [letters for line in lines[1:] if (letters := _letters(line))]
    for mine, other in zip(body, below, strict=False):
        if mine != other:
            break
        size += len(mine)
    return size


def _letters(line: str) -> str:
    return "".join(character for character in line.casefold() if character.isalnum())


def _introduced(repo: Path, head: str, commit: str, path: str) -> frozenset[str]:
    """Return the entries that no parent has, whichever of the two dialects it is read in."""
    parents = _parents(repo, head)[commit]
    names = {parent: _name_in(repo, head, parent, child=commit, path=path) for parent in parents}
    dialect = _own_dialect(_content(repo, commit, path) or b"")
    texts = [_content(repo, parent, names[parent]) or b"" for parent in parents]
    known = {e.identity for text in texts for e in (*parse(text), *parse(text, dialect))}
    return frozenset(e.identity for e in _version(repo, commit, path)) - known


@cache
def _pairs(
    old: tuple[Entry, ...], new: tuple[Entry, ...], introduced: frozenset[str]
) -> dict[str, str]:
    """Map new to old identities of headings that were reworded between the versions."""
    kept = {entry.identity for entry in new}
    candidates = [
        (-_similarity(before, after), after.line, before.line, after.identity, before.identity)
        for after in new
        for before in old
        if after.identity in introduced and before.identity not in kept
    ]
    pairs: dict[str, str] = {}
    for similarity, _, _, after_identity, before_identity in sorted(candidates):
        free = after_identity not in pairs and before_identity not in pairs.values()
        if free and -similarity >= ALIKE:
            pairs[after_identity] = before_identity
    return pairs


def _similarity(before: Entry, after: Entry) -> float:
    if not before.words or not after.words:
        return 0.0
    return SequenceMatcher(None, before.words, after.words, autojunk=False).ratio()


# -- consolidation


def _last_consolidation(
    repo: Path, head: str, file: str, days: list[str], min_removed: int
) -> Consolidation | None:
    names = names_by_commit(repo, head, file)
    dates = _dates(repo, head)
    newer: list[str] = []
    for commit in _git(repo, "rev-list", "--full-history", head).split():
        for name in names[commit]:
            removed = _removed(repo, head, commit, name)
            archived = any(_archives(repo, head, commit, name, entry) for entry in removed)
            again = {
                entry.identity
                for one in _takes_back(repo, head, commit, newer)
                for other in names[one]
                for entry in _version(repo, one, other)
            }
            is_back = any(entry.identity in again for entry in removed)
            if (len(removed) >= min_removed or archived) and not is_back:
                date = dates[commit]
                return Consolidation(commit, date, _age(date, days), len(removed))
        newer.append(commit)
    return None


def _takes_back(repo: Path, head: str, commit: str, newer: list[str]) -> list[str]:
    """Return the newer commits that reverted one and were not reverted themselves."""
    subjects = _subjects(repo, head)
    reverted = {subjects[one].removeprefix('Revert "').removesuffix('"') for one in newer}
    return [
        one
        for one in newer
        if subjects[one] == f'Revert "{subjects[commit]}"' and subjects[one] not in reverted
    ]


@cache
def _subjects(repo: Path, head: str) -> dict[str, str]:
    lines = _git(repo, "log", "--format=%H %s", head).splitlines()
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines}


def _archives(repo: Path, head: str, commit: str, name: str, entry: Entry) -> bool:
    """Return True if the commit added an entry to an archive group that no parent had."""
    folder = f"{Path(name).parent.as_posix()}/archive/".removeprefix("./")
    beginning = f"{folder}{Path(name).stem.lower()}-consolidated-"
    text = _dense(entry.lines)

    def archives(rev: str) -> list[list[str]]:
        files = _tree(repo, rev)
        paths = [path for path in files if path.startswith(beginning) and path.endswith(".md")]
        return [_lines(_content(repo, rev, path) or b"") for path in paths]

    parents = _parents(repo, head)[commit]
    before = [_dense(lines) for parent in parents for lines in archives(parent)]
    grouped = [_dense(part) for lines in archives(commit) for part in _groups(lines)]
    return any(_is_part(text, whole) for whole in grouped) and not any(
        _is_part(text, whole) for whole in before
    )


def _groups(lines: list[str]) -> list[list[str]]:
    headings = [h for h in _outline(lines)[0] if re.match("(Group|Dropped):", h.text)]
    ends = [*(h.line - 1 for h in headings[1:]), len(lines)]
    return [
        lines[h.line : end]
        for h, end in zip(headings, ends, strict=False)  # an archive may have no heading
        if h.text.startswith("Group:")
    ]


def _dense(lines: list[str] | tuple[str, ...]) -> list[str]:
    """Return the lines without indentation and marks, blank lines and separators."""
    dense = [line.strip().lstrip("\ufeff\u200b\u2060#-*+ \t") for line in lines]
    return [line for line in dense if line]


def _is_part(part: list[str], whole: list[str]) -> bool:
    return any(whole[n : n + len(part)] == part for n in range(len(whole) - len(part) + 1))


def _removed(repo: Path, head: str, commit: str, name: str) -> list[Entry]:
    """Return the entries that the commit removed from the file, relative to every parent."""
    parents = _parents(repo, head)[commit]
    if not parents or _content(repo, commit, name) is None:
        return []
    lost = [
        {entry.identity: entry for entry, _ in _lost(repo, head, parent, commit, name)}
        for parent in parents
    ]
    return [lost[0][name] for name in lost[0] if all(name in part for part in lost)]


@cache
def _name_in(repo: Path, head: str, parent: str, *, child: str, path: str) -> str:
    if _content(repo, parent, path) is not None:
        return path
    if _content(repo, child, path) is None:  # a merge may have left out a branch with another name
        return _existing(repo, head, parent, path)
    changes = _git(repo, "diff-tree", "-r", *RENAMES, parent, child).split("\0")
    renames = zip(changes[1::3], changes[2::3], strict=False)
    older = [old for old, new in renames if new == path]
    for name in (*older, *_other_names(repo, head, path)):
        if _content(repo, parent, name) is not None and _content(repo, child, name) is None:
            return name
    return path


@cache
def _other_names(repo: Path, head: str, path: str) -> tuple[str, ...]:
    """Return the names of the file before and after any rename, the nearest first."""
    changes = _git(repo, "log", "-m", *RENAMES, "--format=", head).split("\0")
    renames = list(zip(changes[1::3], changes[2::3], strict=False))
    older = _leading_to(path, renames)
    newer = _leading_to(path, [(new, old) for old, new in renames])
    return tuple(dict.fromkeys(older + newer))


def _leading_to(path: str, renames: list[tuple[str, str]]) -> list[str]:
    names, waiting = [path], [path]
    while waiting:
        name = waiting.pop(0)
        more = dict.fromkeys(old for old, new in renames if new == name and old not in names)
        names += more
        waiting += more
    return names[1:]


# -- what git says


def _git(repo: Path, *arguments: str) -> str:
    return _git_bytes(repo, *arguments).decode("utf-8", "surrogateescape")


def _git_bytes(repo: Path, *arguments: str) -> bytes:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    hermetic = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
    environment |= {key: os.environ[key] for key in hermetic if key in os.environ}
    settings = [part for key, value in NEUTRAL.items() for part in ("-c", f"{key}={value}")]
    command = ["git", "--no-pager", *settings, *arguments]
    return subprocess.run(
        command, cwd=repo, env=environment, check=True, capture_output=True
    ).stdout


@cache
def _parents(repo: Path, head: str) -> dict[str, tuple[str, ...]]:
    lines = _git(repo, "rev-list", "--parents", head).splitlines()
    return {line.split()[0]: tuple(line.split()[1:]) for line in lines}


@cache
def _dates(repo: Path, head: str) -> dict[str, str]:
    lines = _git(repo, "log", "--format=%H %ad", "--date=short", head).splitlines()
    return {line.split()[0]: line.split()[1] for line in lines}


def _subject(repo: Path, commit: str) -> str:
    return _git(repo, "log", "-1", "--format=%s", commit).strip()


def _content(repo: Path, commit: str, path: str) -> bytes | None:
    kind, name = _tree(repo, commit).get(path, ("", ""))
    return _blob(repo, name) if kind == "blob" else None


@cache
def _tree(repo: Path, commit: str) -> dict[str, tuple[str, str]]:
    """Map each path of a commit to its kind (`blob`, or `commit` for a submodule) and id."""
    rows = _git(repo, "ls-tree", "-r", "-z", "--full-tree", commit).split("\0")
    parts = (row.partition("\t") for row in rows if row)
    return {path: (head.split()[1], head.split()[2]) for head, _, path in parts}


@cache
def _blob(repo: Path, name: str) -> bytes:
    return _git_bytes(repo, "cat-file", "blob", name)


# -- what a version holds


def _version(repo: Path, commit: str, path: str) -> tuple[Entry, ...]:
    return parse(_content(repo, commit, path) or b"")


def _own_dialect(data: bytes) -> tuple[str, int]:
    lines = _lines(data)
    return _dialect(lines, *_outline(lines))


@cache
def parse(data: bytes, as_dialect: tuple[str, int] | None = None) -> tuple[Entry, ...]:
    """Return the entries of a memory file in file order, in the dialect that the rules detect."""
    lines = _lines(data)
    headings, bullets = _outline(lines)
    dialect, level = as_dialect or _dialect(lines, headings, bullets)
    if dialect == "bullet":
        entries = [_bullet_entry(lines, bullet) for bullet in bullets]
    else:
        entries = [
            _heading_entry(lines, headings, heading, dialect)
            for heading in headings
            if _is_entry(heading, dialect, level)
        ]
        if entries and entries[-1].title.casefold() == "themes":
            entries.pop()
    return _numbered(entries)


def _numbered(entries: list[Entry]) -> tuple[Entry, ...]:
    """Return unique identities: the second one with the same text gets `` #2``, and so on."""
    seen: set[str] = set()
    unique: list[Entry] = []
    for entry in entries:
        names = (f"{entry.identity} #{n}" if n > 1 else entry.identity for n in count(1))
        identity = next(name for name in names if name not in seen)
        seen.add(identity)
        unique.append(entry._replace(identity=identity))
    return tuple(unique)


def _lines(data: bytes) -> list[str]:
    """Return lines without ends; byte order mark and front matter blanked, so line numbers hold."""
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if "\n" in text:
        lines = [line.removesuffix("\r").replace("\r", " ") for line in text.split("\n")]
    else:
        lines = text.split("\r")
    if lines[0].rstrip() == "---":
        closing = (n for n, line in enumerate(lines) if n and line.rstrip() in {"---", "..."})
        end = next(closing, None)
        if end is not None:
            lines[: end + 1] = [""] * (end + 1)
    return lines


def _outline(lines: list[str]) -> tuple[list[Heading], list[Bullet]]:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse("\n".join(lines))
    headings: list[Heading] = []
    bullets: list[Bullet] = []
    for token, following in pairwise(tokens):
        first, after = token.map or (0, 0)
        if token.type == "heading_open" and token.level == 0 and token.markup[0] == "#":
            headings.append(Heading(first + 1, len(token.markup), following.content))
        if token.type == "list_item_open" and token.level == 1 and token.markup in {"-", "*", "+"}:
            text = lines[first].strip().removeprefix(token.markup).strip()
            bullets.append(Bullet(first + 1, after, text))
    return headings, bullets


def _dialect(lines: list[str], headings: list[Heading], bullets: list[Bullet]) -> tuple[str, int]:
    second = [h for h in headings if h.level == 2]
    third = [h for h in headings if h.level == 3]
    if 2 * len([h for h in second if _is_pending(lines, second, h)]) > len(second):
        return "unknown", 0
    stamped = [h for h in second if STAMPED.match(h.text)]
    named = [h for h in second + third if IDENTIFIED.match(h.text)]
    dated = [b for b in bullets if LEADING_DATE.match(b.text) or TRAILING_DATE.search(b.text)]
    bare = [h for h in second if _leads_straight_to_a_third(lines, headings, h)]
    if len(stamped) >= 2 or (stamped and 2 * len(stamped) >= len(second)):
        return "timestamped", 2
    if len(named) >= 2 or (named and 2 * len(named) >= len(second + third)):
        return "identified", 0
    if (dated and 2 * len(dated) >= len(bullets)) or all(h.level == 1 for h in headings):
        return "bullet", 0
    short = [h for h in second if len(h.text.split()) <= CHAPTER_WORDS]
    are_chapters = len(third) > 2 * len(second) and 2 * len(short) > len(second)
    if len(third) >= 2 and (2 * len(bare) > len(second) or are_chapters):
        return "heading", 3
    return ("heading", 2) if second else ("unknown", 0)


def _is_pending(lines: list[str], second: list[Heading], heading: Heading) -> bool:
    """Return True for a heading of a template, with only a comment below it."""
    end = next((h.line - 1 for h in second if h.line > heading.line), len(lines))
    body = "\n".join(lines[heading.line : end])
    return "<!--" in body and not re.sub(r"<!--.*?(-->|\Z)", "", body, flags=re.DOTALL).strip()


def _leads_straight_to_a_third(lines: list[str], headings: list[Heading], heading: Heading) -> bool:
    following = next((h for h in headings if h.line > heading.line), None)
    if following is None or following.level != 3:
        return False
    return not "".join(lines[heading.line : following.line - 1]).strip()


def _is_entry(heading: Heading, dialect: str, level: int) -> bool:
    if dialect == "identified":
        return heading.level in {2, 3} and IDENTIFIED.match(heading.text) is not None
    return heading.level == level


def _heading_entry(
    lines: list[str], headings: list[Heading], heading: Heading, dialect: str
) -> Entry:
    ends = (h.line - 1 for h in headings if h.line > heading.line and h.level <= heading.level)
    body = lines[heading.line : next(ends, len(lines))]
    match = STAMPED.match(heading.text) or IDENTIFIED.match(heading.text)
    if dialect == "timestamped":
        match = BRACKETED.match(heading.text)
    label, title = [group for group in match.groups() if group is not None] if match else ("", "")
    identity = _folded(f"{label} {title}" if match else heading.text)
    title = title if match else heading.text
    whole = (lines[heading.line - 1], *body)
    return Entry(title, heading.line, identity, _words(body), whole)


def _bullet_entry(lines: list[str], bullet: Bullet) -> Entry:
    text = TRAILING_DATE.sub("", LEADING_DATE.sub("", bullet.text, count=1))
    bold = re.match(r"\*\*(.+?)\*\*|__(.+?)__", text)
    sentence = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    title = (bold[1] or bold[2]) if bold else sentence
    body = lines[bullet.line : bullet.after]
    whole = (lines[bullet.line - 1], *body)
    return Entry(title[:80], bullet.line, _folded(text), _words(body), whole)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(lines: list[str]) -> tuple[str, ...]:
    return tuple(" ".join(lines).split())
