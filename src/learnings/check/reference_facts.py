"""Finds the dead references in the files of a repository, by its history and working tree.

A target that never existed is not a finding, such as a path of another repository or of a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import islice
from math import inf
from posixpath import relpath, splitext
from typing import NamedTuple
from urllib.parse import quote
from zlib import crc32

from learnings.core.entries.dialects import SECTIONS
from learnings.core.entries.document import Document
from learnings.core.errors import LearningsError
from learnings.core.file_names import MARKDOWN_ENDINGS
from learnings.core.markdown.links import as_target, loose_anchor
from learnings.core.markdown.parser import code_lines
from learnings.core.past import PastThing
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import is_log_or_record
from learnings.history.change_dates import written_at
from learnings.history.git.cached import Cache
from learnings.history.git.repository import open_repository, shallow_clone
from learnings.history.past import Past, by_end
from learnings.references.dead import DeadReference, Judged
from learnings.references.definitions import FILES, anchors_in, may_define_more, names_defined
from learnings.references.written import Reference, ends_of, paths_from, references_in
from learnings.workspace.tree import Tree

NOTHING = Judged((), ())
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


class References:
    """The references of files in a repository, judged by one reading of its tree and its history.

    The history is opened if something is not in the tree. Paths are POSIX, from the root.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.has = tree.has
        self.packages_around = tree.packages_around
        self._parts = cache(self._parts_of)
        self._things = cache(self._things_of)

    def in_file(self, path: str, document: Document, *, is_learnings: bool) -> Judged:
        """Return the references of a file.

        Raises UntrustedHistory if the history cannot tell: none, a shallow one, a broken one. A
        file without references needs no history.
        """
        if is_log_or_record(path, document.lines, document.outline, is_memory=is_learnings):
            return NOTHING

        def written(lines: Sequence[int]) -> Mapping[int, float]:
            version = f"{crc32(document.text.encode('utf-8', 'surrogateescape')):08x}"
            past = self.past
            return written_at(past.repository, past.stored, path, lines, version=version)

        references = [*_references(path, document)]
        return judge(references, path.rpartition("/")[0], self, written_at=written)

    # The tree.

    @cached_property
    def _ending_in(self) -> Callable[[str], list[str]]:
        return by_end(self._tree.index.files)

    def ending_in(self, path: str) -> Sequence[str]:
        """Return the files and folders whose last names, of several, are those of a path."""
        return [one for one in self._ending_in(path) if self.has(one)]

    def elsewhere(self, paths: Iterable[str]) -> frozenset[str]:
        """Return the paths that git ignores, or that are in a submodule: others may have them."""
        asked, tree = frozenset(paths), self._tree
        tree.expect(asked)
        return frozenset(p for p in asked if tree.submodule_of(p) or tree.is_ignored(p))

    def _parts_of(self, path: str, kind: str) -> Collection[str] | None:
        """Return the parts that a file has, or None if it may have any: see _parts()."""
        try:
            data = self._tree.read(path)
        except LearningsError:
            return () if kind in FILES else None
        is_open = may_define_more(kind, data) if kind in FILES else b"\0" in data
        found = None if is_open else _parts(kind, data)
        return frozenset(map(loose_anchor, found)) if found and kind == _ANCHORS else found

    def has_part(self, path: str, line: int | None, anchor: str | None) -> bool:
        """Return True if a file has a line or else an anchor, or if it is not a text with such."""
        if line is not None:
            return (parts := self._parts(path, _LINES)) is None or line <= max(map(int, parts))
        if not anchor or not path.lower().endswith(MARKDOWN_ENDINGS):
            return True
        return (parts := self._parts(path, _ANCHORS)) is None or loose_anchor(anchor) in parts

    def defines(self, tool: str, name: str, folder: str) -> bool:
        """Return True if a tool may know a name, judged by the files of the root or a folder."""
        return self._is_in(_definers(tool, folder), tool, name) or (bool(tool) and self.has(name))

    def _is_in(self, paths: Iterable[str], tool: str, name: str) -> bool:
        defined = (self._parts(path, tool) for path in paths)
        return any(names is None or name in names for names in defined)

    # The history.

    @cached_property
    def past(self) -> Past:
        repository = open_repository(self._tree.root)
        if repository.shallow:
            raise shallow_clone()
        return Past(repository, Cache(repository.cache_folder))

    @property
    def lacks_content(self) -> bool:
        """True if renames are unknown because older blobs are missing."""
        return "past" in vars(self) and self.past.lacks_content

    def past_part(self, path: str, line: int | None, anchor: str | None) -> PastThing | None:
        """Return what is known about a line of a file that is now shorter, or about an anchor."""
        if line is None:
            things, loose = self._things(path, _ANCHORS), loose_anchor(anchor or "")
            return next((things[one] for one in things if loose_anchor(one) == loose), None)
        lengths = self._things(path, _LINES).items()
        longer = (thing for name, thing in lengths if int(name) >= line and thing.removal)
        return max(longer, key=lambda one: one.removal.date if one.removal else "", default=None)

    def past_definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        """Return what is known about a tool's name, defined in the root or a folder.

        None if another file defines it now, or is called so as a program: the text may mean that.
        """
        # One list of all paths costs less than asking git about each.
        paths = filter(self.past.has_file, _definers(tool, folder))
        thing = next(filter(None, (self._things(path, tool).get(name) for path in paths)), None)
        others = (path for file in FILES[tool] for path in self._ending_in(file))
        names = (part for path in self._tree.index.files for part in path.split("/"))
        if thing is None or (not tool and name in (splitext(one)[0] for one in names)):
            return None
        return None if self._is_in(others, tool, name) else thing

    def _things_of(self, path: str, kind: str) -> Mapping[str, PastThing]:
        return self.past.parts(path, kind, partial(_parts, kind))


def _definers(tool: str, folder: str) -> Iterator[str]:
    """Yield the files that may define the names of a tool, in the root and in a folder."""
    for place in dict.fromkeys(("", folder)):
        yield from (f"{place}/{file}".lstrip("/") for file in FILES[tool])


_LINES, _ANCHORS = "lines", "anchors"


def _parts(kind: str, data: bytes) -> Mapping[str, frozenset[str] | None]:
    """Return the parts of a file: its number of lines, its anchors, or the names of a tool."""
    if kind == _LINES:
        return {str(data.count(b"\n") + (not data.endswith(b"\n"))): None}
    return anchors_in(data) if kind == _ANCHORS else dict.fromkeys(names_defined(kind, data))


def _references(path: str, document: Document) -> Iterator[Reference]:
    """Yield the references of a document that somebody may still follow, in document order."""
    lines, front_matter = document.lines, document.front_matter
    text = "".join(lines)
    if "`" not in text and "](" not in text and "]:" not in text:
        return
    hidden = document.hidden_lines
    indented = (line for line in lines if line[:4] == "    " or "\t" in line[:4])
    if any("`" in line or "](" in line for line in indented):  # perhaps in code
        hidden |= {front_matter + number for number in code_lines(lines[front_matter:])}
    in_log = document.dialect.name == SECTIONS  # what is in no entry is history
    superseded: dict[int, bool] = {}
    for is_so, first, last in sorted((e.superseded, e.first, e.last) for e in document.entries):
        superseded |= dict.fromkeys(range(first, last + 1), is_so)
    for reference in references_in(path, lines, front_matter=front_matter, hidden=hidden):
        if not superseded.get(reference.line, in_log):
            yield reference


class _Gone(NamedTuple):
    """A reference and what it was, by path; is_vague: written later, it means something else."""

    reference: Reference
    former: Mapping[str, PastThing]
    is_vague: bool

    @property
    def path(self) -> str:
        return next(iter(self.former))


def judge(
    references: Iterable[Reference],
    folder: str,
    facts: References,
    *,
    written_at: Callable[[Sequence[int]], Mapping[int, float]],
) -> Judged:
    """Return the dead references of a file in a folder.

    written_at returns when lines were written, by number, in seconds since 1970; the line did not
    mean anything that was added later. It is not asked about things as old as the history. A line
    of unknown date counts as new.
    """
    named: list[tuple[int, str]] = []
    gone: list[_Gone] = []
    taken: set[tuple[int, int]] = set()
    for reference in references:
        if (reference.line, reference.column) in taken:
            continue  # a word of a code span that is a path as a whole
        path, former = _target(reference, folder, facts)
        if path is None:
            continue
        named.append((reference.line, path))
        taken.update((reference.line, reference.column + n) for n in range(len(reference.text)))
        if former and not reference.is_said_gone:
            # A line that came later means another path with the same end, or no path of this
            # repository if several former files had a common name: `src/index.ts`.
            has_double = not facts.has(path) and reference.end and facts.ending_in(reference.end)
            is_common = not _DISTINCT_NAME.fullmatch(reference.end.rpartition("/")[2])
            is_vague = bool(has_double) or (is_common and len(former) > 1)
            gone.append(_Gone(reference, former, is_vague))
    elsewhere = facts.elsewhere(one.path for one in gone) if gone else ()
    gone = [one for one in gone if one.path not in elsewhere]
    meant = [*_meant(gone, facts.past.beginning, written_at)] if gone else []
    paths = {path for one, former in meant if one.tool is None for path in former}
    lost = [path for path in paths if not facts.has(path)]
    became = facts.past.successors(lost) if lost else {}
    dead = (_dead(reference, former, became, folder, facts) for reference, former in meant)
    return Judged(tuple(named), tuple(filter(None, dead)))


def _meant(
    gone: Sequence[_Gone],
    beginning: int,
    written_at: Callable[[Sequence[int]], Mapping[int, float]],
) -> Iterator[tuple[Reference, Mapping[str, PastThing]]]:
    """Yield the references with what was there when their lines were written; see judge()."""
    doubtful = {
        reference.line
        for reference, former, is_vague in gone
        if is_vague or len(former) > 1 or any(one.first > beginning for one in former.values())
    }
    dates = written_at(sorted(doubtful)) if doubtful else {}
    for reference, former, is_vague in gone:
        written = dates.get(reference.line, inf)
        known = {p: one for p, one in former.items() if one.first <= max(beginning, written)}
        there_then = {path: one for path, one in known.items() if one.until > written}
        if there_then or (known and not is_vague):
            yield reference, there_then or known


def _target(
    reference: Reference, folder: str, facts: References
) -> tuple[str | None, dict[str, PastThing]]:
    """Return the target of a reference, None if unknown, and what it was if it is gone.

    Of several paths that it may have been, the newest comes first.
    """
    text, tool, end = reference.text, reference.tool, reference.end
    if tool is not None:
        is_there = facts.defines(tool, text, folder)
        thing = None if is_there else facts.past_definition(tool, text, folder)
        return text if is_there or thing else None, {text: thing} if thing else {}
    paths = reference.paths
    if not reference.is_link:
        paths += tuple(paths_from(text, facts.packages_around(folder)))
    there = next(filter(facts.has, paths), None)
    if there is not None:
        part = there, reference.line_number, reference.anchor
        lost = None if facts.has_part(*part) else facts.past_part(*part)
        return there, {there: lost} if lost else {}
    is_elsewhere = bool(end and facts.ending_in(end))
    if is_elsewhere and "/" not in end:
        return None, {}  # ambiguous
    known = ((path, one) for path in paths if (one := facts.past.find(path)))
    former = dict(islice(known, 1))
    if is_elsewhere and not former:
        return end, {}
    if not former and ("/" in end or (_DISTINCT_NAME.fullmatch(end) and text[-1] != "/")):
        ends = facts.past.ending_in(end)
        known = ((path, one) for path in ends if (one := facts.past.find(path)))
        if len(ends) <= _MOST_ENDS:
            former = dict(sorted(known, key=lambda item: item[1].until, reverse=True))
    return next(iter(former), None), former


def _dead(
    reference: Reference,
    former: Mapping[str, PastThing],
    became: Mapping[str, frozenset[str]],
    folder: str,
    facts: References,
) -> DeadReference | None:
    """Return a dead reference, or None if its text records the move, or tells to write the file.

    Former paths of one file became one path. If they were different files, no successor is certain.
    """
    path, thing = next(iter(former.items()))
    line, anchor = reference.line_number, reference.anchor
    dead = DeadReference(reference, path, path in became, thing.removal)
    if not dead.is_path:
        anchors = [one for one in thing.successors if facts.has_part(path, None, one)]
        if len(anchors) != 1:
            return dead
        new = reference.written.replace(f"#{anchor}", f"#{anchors[0]}")
        return dead._replace(successor=path, replacement=new)
    ends = {frozenset(filter(facts.has, became[one])) for one in former}
    if len(ends) != 1 or len(sole := ends.pop()) != 1:
        return None if reference.is_made else dead
    (successor,) = sole
    new_thing = facts.past.find(successor)
    is_new = new_thing is not None and new_thing.first >= thing.until
    if is_new and reference.is_next_to(successor, path):
        return None
    # In a successor that existed before, a line number means other lines, and advice against the
    # former file is about a part of it.
    is_same = is_new or (line is None and not reference.is_advised_against)
    is_clear = is_same and facts.has_part(successor, line, anchor)
    replacement = _written(reference, path, successor, folder, facts) if is_clear else None
    return dead._replace(successor=successor, replacement=replacement)


def _written(
    reference: Reference, path: str, successor: str, folder: str, facts: References
) -> str | None:
    """Return a successor in the style of a reference: same base folder, or the end of its path.

    In code it must lead there alone, so the end is as long as this needs.
    """
    text, is_link = reference.text, reference.is_link
    start = next((one for one in ("/", "./") if text.startswith(one)), "")
    inner = text.removeprefix("./").strip("/")
    around = folder, *facts.packages_around(folder)
    base = next((one for one in around if f"{one}/{inner}" == path), None)
    if start == "/" or (inner == path and not is_link):
        forms = [successor]
    elif is_link or base is not None or not path.endswith(f"/{inner}"):
        forms = [relpath(successor, (folder if is_link else base or folder) or ".")]
    else:
        least = len(successor.removeprefix(path.removesuffix(inner)))
        forms = sorted((one for one in ends_of(successor) if len(one) >= least), key=len)
    for form in forms:
        new = form if form.startswith("../") else f"{start}{form}"
        paths = () if is_link else paths_from(new, ("", *around))
        there = next(filter(facts.has, paths), None)
        if is_link or there == successor or (not there and [*facts.ending_in(new)] == [successor]):
            if is_link and "%" in text:
                new = quote(new, safe="/-_.~()@+,&=!")
            elif is_link:
                new = as_target(new, is_angled=" " in text)
            elif " " in new and not reference.is_whole:
                return None  # the words of a command
            return f"{new}/" if text.endswith("/") else new
    return None
