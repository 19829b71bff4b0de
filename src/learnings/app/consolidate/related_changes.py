"""The changes of a consolidation in decisions, in a memory folder and in the indexes."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import SourceFile, content_if_there, read_if_there
from learnings.check.memory_index import form_of, load_index, other_form_of
from learnings.consolidation.plan.plan import ESCALATE, Plan, written_identity
from learnings.consolidation.plan.resolved_steps import ResolvedStep
from learnings.consolidation.split.names import slug_of
from learnings.core.entries.archives import archive_folder
from learnings.core.entries.decisions import (
    ESCALATED,
    KEPT,
    NO_DECISIONS,
    Decision,
    Decisions,
    decisions_path,
    decisions_text,
    read_decisions,
    without_decisions,
)
from learnings.core.entries.document import Entry, digest_of
from learnings.core.entries.memory_folder import front_matter_lines, read_folder_file, title_key
from learnings.core.errors import FixRefused, GitNotStarted, UntrustedHistory
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, counted, decode, encode, newline_of, split_lines
from learnings.history.decided import decision_files
from learnings.index.forms import with_lines
from learnings.index.headings import IndexedFile
from learnings.index.index_file import MemoryIndex
from learnings.index.index_fixes import IndexFixer
from learnings.index.index_problems import ORPHAN_ROW, IndexProblem, problems_of
from learnings.index.links import with_links
from learnings.store.files import Change
from learnings.workspace.disk import exists, read_file
from learnings.workspace.memory_file import MemoryFile
from learnings.workspace.memory_folders import index_of
from learnings.workspace.workspace import Workspace


class NewDecisions(NamedTuple):
    """A plan's decisions about entries that stay: sentences, and the change of the file if any."""

    path: str
    sentences: tuple[str, ...] = ()
    change: Change | None = None


def new_decisions(
    plan: Plan,
    memory_file: MemoryFile,
    source: SourceFile,
    steps: Sequence[ResolvedStep],
    *,
    removed: Iterable[Entry],
    today: str,
) -> NewDecisions:
    """Return a plan's decisions about entries that stay; end those about others.

    steps are the judged ones. A second run does not extend the rest. A plan that decides every
    entry of the batch counts as a consolidation.
    """
    gone = {digest_of(entry) for entry in removed}
    left = {digest_of(entry) for entry in source.document.entries} - gone
    known, batch = _known(memory_file)
    new = {}
    for step in (step for step in steps if not step.step.leaves):
        kind = ESCALATED if step.step.action == ESCALATE else KEPT
        for entry in step.entries:
            digest, identity = digest_of(entry), written_identity(entry)
            new[digest] = Decision(kind, today, digest, identity, step.step.subject)
    if plan.result:
        new |= {digest: known.by_digest[digest] for digest in new if digest in known.by_digest}
    done = gone | new.keys() | {member.digest for step in steps for member in step.done}
    is_whole = batch is not None and batch <= done and bool(batch or left <= done)
    needs_date = new or len(gone) < memory_file.settings.consolidation_min_removed
    earlier = {digest: one for digest, one in known.by_digest.items() if digest in left}
    decisions = Decisions({**earlier, **new}, today if is_whole and needs_date else known.settled)

    path = decisions_path(memory_file.home)
    before = content_if_there(source.root, path)
    has_some = before is not None or decisions.by_digest or decisions.settled
    after = decisions_text(decisions, before) if has_some else None
    change = Change(path, before, after) if after is not None and after != before else None
    sentences = []
    kept = sum(one.kind == KEPT for one in new.values())
    if kept:
        they = "it rests" if kept == 1 else "they rest"
        days = counted(memory_file.settings.keep_days, "active day")
        sentences.append(f"{counted(kept, 'entry', 'entries')} kept: {they} for {days}")
    if len(new) > kept:
        entries = counted(len(new) - kept, "entry", "entries")
        sentences.append(f"{entries} escalated; run `learnings resolve ENTRY` after the decision")
    is_repeated = plan.result and all(known.by_digest.get(d) == new[d] for d in new)
    return NewDecisions(path, () if is_repeated else tuple(sentences), change)


def _known(memory_file: MemoryFile) -> tuple[Decisions, set[str] | None]:
    try:
        verdict = memory_file.verdict()
    except GitNotStarted:  # a second try knows what was decided
        raise
    except UntrustedHistory:
        path = memory_file.workspace.root / decisions_path(memory_file.home)
        known = read_decisions(read_file(path, shown=path.name)) if exists(path) else NO_DECISIONS
        return known, None
    return verdict.report.decisions, {digest_of(age.entry) for age in verdict.batch}


def ended_decisions(
    source: SourceFile, entries: Iterable[Entry], *, settled: Collection[str] = ()
) -> tuple[Change, ...]:
    """Return the changes that end decisions about entries, and the dates of `settled` plans."""
    digests = {digest_of(entry) for entry in entries}
    changes = (
        Change(path, data, without_decisions(data, digests, settled=settled))
        for path, data in decision_files(source.root, source.home)
    )
    return tuple(change for change in changes if change.after != change.before)


# A top-level key of a front matter with a value on its line.
_PAIR = lazy_pattern(r"[\w-]+:[ \t]+\S")
# A title that YAML reads as a string without quotes.
_PLAIN = lazy_pattern(r"[^\W\d_][\w ().,/-]*")


def read_entries(source: SourceFile, entries: Iterable[Entry]) -> dict[str, bytes]:
    """Read the entries that are whole files, by path. Raises MissingFile and UnusableFile."""
    return {entry.path: read_file(source.root / entry.path, shown=entry.path) for entry in entries}


def archive_changes(source: SourceFile, files: Mapping[str, bytes]) -> tuple[Change, ...]:
    """Return the changes that archive files, numbered if taken; raises as read_file()."""
    changes: dict[str, Change] = {}
    for path, data in files.items():
        inner = path.removeprefix(f"{source.path}/")
        for name in _numbered(f"{archive_folder(source.home)}/{inner}"):
            before = read_if_there(source.root / name, shown=name)
            if name not in changes and before in (None, data):
                changes[name] = Change(name, before, data)
                break
    return tuple(changes.values())


def link_index_changes(
    source: SourceFile, gone: Collection[str], new: Mapping[str, bytes]
) -> tuple[Change, ...]:
    """Return the changes of link indexes; the index of the folder gets rows for new files."""
    own = index_of(source.root, source.path)
    changes = []
    workspace = source.workspace
    for index in (*workspace.loaded_indexes(), *workspace.link_indexes):
        data = read_file(source.root / index.path, shown=index.path)
        files = new if index.path == own else {}
        read = {path: read_folder_file(path, content) for path, content in files.items()}
        rows = {path: (file.title, file.description) for path, file in read.items()}
        after = with_links(index.path, data, gone=gone, new=rows)
        if after != data:
            changes.append(Change(index.path, data, after))
    return tuple(changes)


def merged_file(
    source: SourceFile, title: str, new: Sequence[str], text: str, files: Mapping[str, bytes]
) -> Change:
    """Return the file that replaces others; unchanged if an earlier run has written it.

    new are its lines, a heading first, with the text in them.
    """
    texts = [decode(data) for data in files.values()]
    matter = _common_front_matter(texts, title)
    lines = [*matter, *new[2:]] if matter else new
    folder = posixpath.dirname(next(iter(files)))
    names = _numbered(posixpath.join(folder, f"{slug_of(title) or 'merged'}.md"))
    data = _as_bytes(lines, newline_of(texts[0]))
    while (before := read_if_there(source.root / (name := next(names)), shown=name)) is not None:
        if read_folder_file(name, before).title == title and _ends_with(before, text):
            return Change(name, before, before)
    return Change(name, None, data)


def joined_file(path: str, data: bytes, lines: Sequence[str], text: str) -> Change:
    """Return the change of a file that others join; no change if it already has the text."""
    is_written = _ends_with(data, text)
    return Change(path, data, data if is_written else _as_bytes(lines, newline_of(decode(data))))


def _ends_with(data: bytes, text: str) -> bool:
    lines = [chomp(line).rstrip() for line in split_lines(decode(data).rstrip())]
    end = [line.rstrip() for line in text.rstrip().split("\n")]
    return lines[-len(end) :] == end


def _as_bytes(lines: Sequence[str], newline: str) -> bytes:
    return encode("".join(f"{line}{newline}" for line in lines))


def _common_front_matter(texts: Sequence[str], title: str) -> Sequence[str]:
    matters = [[chomp(line) for line in front_matter_lines(text)] for text in texts]
    key = title_key(matters[0])
    if not key or not all(matters):
        return ()
    value = title if _PLAIN.fullmatch(title) else json.dumps(title, ensure_ascii=False)
    lines = (line for line in matters[0] if _PAIR.match(line) and not line.startswith(f"{key}:"))
    common = [line for line in lines if all(line in matter for matter in matters)]
    return ("---", f"{key}: {value}", *common, "---", "")


def _numbered(path: str) -> Iterator[str]:
    stem, ending = posixpath.splitext(path)
    return chain([path], (f"{stem}-{number}{ending}" for number in count(2)))


class ChangedContents(NamedTuple):
    """Contents of files by path before and after a consolidation, and titles of merged entries."""

    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    merged: tuple[str, ...] = ()


class IndexUpdates(NamedTuple):
    """The changes of indexes, and notes on those that stay as they are.

    own is the new content of the learnings file, with its index block.
    """

    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    own: bytes


def updated_indexes(
    workspace: Workspace, contents: ChangedContents, own: str | None = None
) -> IndexUpdates:
    """Update the indexes for changed files; own is their learnings file. Raises as read_file()."""
    after = dict(contents.after)
    changes, notes = [], []
    if own is not None and form_of(workspace, own, after[own]) is not None:
        after[own], note = _updated(workspace, own, contents.before[own], after[own], contents)
        notes.append(note)
        contents = contents._replace(after=after)
    for candidate in workspace.index_files():
        if candidate.included and candidate.path not in after:
            data = read_file(workspace.root / candidate.path, shown=candidate.path)
            updated, note = _updated(workspace, candidate.path, data, data, contents)
            notes.append(note)
            if updated != data:
                changes.append(Change(candidate.path, data, updated))
    return IndexUpdates(tuple(changes), tuple(filter(None, notes)), after.get(own or "", b""))


def _updated(
    workspace: Workspace, path: str, before: bytes, after: bytes, contents: ChangedContents
) -> tuple[bytes, str]:
    """Return an updated index, in which earlier errors stay, and a note if it stays as it is."""
    index, files = load_index(workspace, path, before, contents.before)
    known = {(p.kind, p.subject) for p in problems_of(index, files)}
    index, files = load_index(workspace, path, after, contents.after)
    if other_form_of(workspace, index, files) is not None:
        return after, ""
    try:
        index = _without_orphans(index, files, known, contents.merged)
        fixer = IndexFixer(files, add_missing=True, ignored=known)
        return fixer.fixed(index).to_bytes(), ""
    except FixRefused as error:
        return after, str(error)


def _without_orphans(
    index: MemoryIndex,
    files: Sequence[IndexedFile],
    known: set[tuple[str, str]],
    merged: Sequence[str],
) -> MemoryIndex:
    """Remove the rows whose headings have just gone.

    An interrupted run leaves a row for a merged entry with the time stamp of that run.
    """
    titles = "|".join(map(re.escape, merged))
    left_behind = re.compile(rf"[^\[\w]*\[\d[^\]]*\] (?:{titles})(?=\W|$)", re.IGNORECASE)

    def is_gone(problem: IndexProblem) -> bool:
        if problem.kind != ORPHAN_ROW or problem.path != index.path:
            return False
        is_left = bool(merged) and left_behind.match(index.lines[problem.line - 1]) is not None
        return is_left or (problem.kind, problem.subject) not in known

    lines = {problem.line for problem in problems_of(index, files) if is_gone(problem)}
    if not lines or index.form.lists_itself:  # there fixed() removes them
        return index
    return with_lines(index, [line for n, line in enumerate(index.lines, 1) if n not in lines])
