"""The changes of a consolidation in decisions, in a memory folder and in the indexes."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count

from learnings.app.consolidate.archives_on_disk import SourceFile, content_if_there
from learnings.check.memory_index import form_of, load_index, other_form_of
from learnings.consolidation.plan.plan import ESCALATE, Plan, PlanStep, written_identity
from learnings.consolidation.split.names import slug_of
from learnings.core.entries.decisions import (
    ESCALATED,
    KEPT,
    Decision,
    Decisions,
    decisions_text,
    read_decisions,
    without_decisions,
)
from learnings.core.entries.document import Entry, digest_of
from learnings.core.entries.memory_folder import front_matter_lines, read_folder_file, title_key
from learnings.core.errors import FixRefused, GitNotStarted, UntrustedHistory
from learnings.core.file_names import archive_folder, decisions_path
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, counted, decode, encode, newline_of, split_lines
from learnings.history.cached_history import decision_files
from learnings.index.comparison import problems_of
from learnings.index.fixing import fixed
from learnings.index.headings import IndexedFile
from learnings.index.links import with_links
from learnings.index.problems import ORPHAN_ROW, IndexProblem
from learnings.index.rows import Index
from learnings.store.files import Change
from learnings.store.safe_moves import Move
from learnings.workspace.disk import read_file
from learnings.workspace.places import index_of
from learnings.workspace.workspace import Workspace


def new_decisions(
    plan: Plan,
    source: SourceFile,
    steps: Sequence[PlanStep],
    removed: Iterable[Entry],
    today: str,
) -> tuple[Change, tuple[str, ...]]:
    """Decide about entries that stay, and end decisions about others.

    Return the change of the decisions file, perhaps without effect, and sentences about it. steps
    are the judged ones. A second run does not extend the rest. A plan that decides every entry of
    the batch counts as a consolidation.
    """
    path, settings = decisions_path(source.home), source.memory.settings
    before = content_if_there(source.root, path)
    batch = None
    try:
        verdict = source.memory.verdict()
    except GitNotStarted:  # a second try knows what was decided
        raise
    except UntrustedHistory:
        known = read_decisions(before or b"")
    else:
        known = verdict.report.decisions
        batch = {digest_of(age.entry) for age in verdict.batch}

    gone = {*map(digest_of, removed)}
    left = {*map(digest_of, source.document.entries)} - gone
    new = {}
    for step in (step for step in steps if not step.leaves):
        kind = ESCALATED if step.action == ESCALATE else KEPT
        for entry in step.entries:
            digest, identity = digest_of(entry), written_identity(entry)
            new[digest] = Decision(kind, today, digest, identity, step.subject)
    if plan.result:
        new |= {digest: known.by_digest[digest] for digest in new if digest in known.by_digest}
    done = gone | new.keys() | {member.digest for step in steps for member in step.done}
    is_whole = batch is not None and batch <= done and bool(batch or left <= done)
    needs_date = new or len(gone) < settings.consolidation_min_removed
    earlier = {digest: one for digest, one in known.by_digest.items() if digest in left}
    decisions = Decisions({**earlier, **new}, today if is_whole and needs_date else known.settled)
    after = before
    if before is not None or decisions.by_digest or decisions.settled:
        after = decisions_text(decisions, before)
    is_repeated = plan.result and all(known.by_digest.get(d) == new[d] for d in new)
    said = () if is_repeated else tuple(_sentences(new.values(), settings.keep_days))
    return Change(path, before, after), said


def _sentences(decisions: Iterable[Decision], keep_days: int) -> Iterator[str]:
    kinds = [decision.kind for decision in decisions]
    if kept := kinds.count(KEPT):
        they = "it rests" if kept == 1 else "they rest"
        days = counted(keep_days, "active day")
        yield f"{counted(kept, 'entry', 'entries')} kept: {they} for {days}"
    if escalated := kinds.count(ESCALATED):
        entries = counted(escalated, "entry", "entries")
        yield f"{entries} escalated; run `learnings resolve ENTRY` after the decision"


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


def folder_move(
    source: SourceFile,
    files: Mapping[str, bytes],
    *,
    merged: Sequence[Change] = (),
    targets: Sequence[Change] = (),
) -> Move:
    """Return the move of files to the archive of their folder, as `name~2.md` if that is taken.

    merged are files that replace some of them. Raises as read_file() does.
    """
    archives: dict[str, Change] = {}
    for path, data in files.items():
        inner = path.removeprefix(f"{source.path}/")
        for name in _numbered(f"{archive_folder(source.home)}/{inner}", "~"):
            before = content_if_there(source.root, name)
            if name not in archives and before in (None, data):
                archives[name] = Change(name, before, data)
                break
    return Move(
        archives=tuple(archives.values()),
        originals=tuple(files.values()),
        sources=tuple(Change(path, data, None) for path, data in files.items()),
        targets=(*merged, *targets),
        indexes=link_index_changes(source, gone=files, new=merged),
    )


def link_index_changes(
    source: SourceFile, *, gone: Collection[str] = (), new: Sequence[Change] = ()
) -> tuple[Change, ...]:
    """Return the changes of link indexes; the index of the folder gets rows for new files."""
    own = index_of(source.workspace.tree, source.path)
    read = [read_folder_file(change.path, change.after or b"") for change in new]
    rows = {c.path: (file.title, file.description) for c, file in zip(new, read, strict=True)}
    changes = []
    for index in (*source.workspace.found.loaded_indexes, *source.workspace.found.link_indexes):
        path = source.workspace.tree.real(index.path) or index.path
        data = read_file(source.root / path, shown=index.path)
        after = with_links(path, data, gone=gone, new=rows if path == own else {})
        if after != data:
            changes.append(Change(path, data, after))
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
    while (before := content_if_there(source.root, name := next(names))) is not None:
        if read_folder_file(name, before).title == title and _ends_with(before, text):
            return Change(name, before, before)
    return Change(name, None, data)


def joined_file(path: str, data: bytes, lines: Sequence[str], text: str) -> Change:
    """Return the change of a file that others join; no change if it already has the text."""
    is_written = _ends_with(data, text)
    return Change(path, data, data if is_written else _as_bytes(lines, newline_of(decode(data))))


def _ends_with(data: bytes, text: str) -> bool:
    whole, end = ([line.rstrip() for line in split_lines(t.rstrip())] for t in (decode(data), text))
    return whole[-len(end) :] == end


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


def _numbered(path: str, mark: str = "-") -> Iterator[str]:
    stem, ending = posixpath.splitext(path)
    return chain([path], (f"{stem}{mark}{number}{ending}" for number in count(2)))


def with_index_rows(
    workspace: Workspace,
    move: Move,
    *,
    earlier: Mapping[str, bytes] | None = None,
    merged: Collection[str] = (),
) -> Move:
    """Add the changes of indexes to a move, also in the index block of its source.

    earlier are contents of targets before an interrupted run, and merged the titles of merged
    entries. A note says why an index stays as it is. Raises as read_file() does.
    """
    changed = [change for change in (*move.targets, *move.sources) if change.after is not None]
    before = {**{change.path: change.before or b"" for change in changed}, **(earlier or {})}
    after = {change.path: change.after or b"" for change in changed}
    notes = []

    def updated(path: str, old: bytes, new: bytes) -> bytes:
        """Return an updated index; errors that it had already stay."""
        index, files = load_index(workspace, path, old, before)
        known = {(p.kind, p.subject) for p in problems_of(index, files)}
        index, files = load_index(workspace, path, new, after)
        if other_form_of(workspace, index, files) is not None:
            return new
        try:
            index = _without_orphans(index, files, known, merged)
            return fixed(index, files, add_missing=True, ignored=known).after.to_bytes()
        except FixRefused as error:
            notes.append(str(error))
            return new

    for path in (c.path for c in move.sources if c.after is not None):
        if form_of(workspace, path, after[path]) is not None:
            after[path] = updated(path, before[path], after[path])
    indexes = []
    for candidate in workspace.found.indexes:
        if candidate.included and candidate.path not in after:
            data = read_file(workspace.tree.full(candidate.path), shown=candidate.path)
            indexes.append(Change(candidate.path, data, updated(candidate.path, data, data)))
    return move._replace(
        sources=tuple(c._replace(after=after.get(c.path)) for c in move.sources),
        targets=at_ends(workspace, move.targets),
        indexes=at_ends(workspace, (*move.indexes, *(c for c in indexes if c.after != c.before))),
        notes=(*move.notes, *notes),
    )


# Between the key of a row and what only the row says: keywords or a summary.
_ROW_END = lazy_pattern(r"[ \t]+[|—][ \t]*\S")


def with_former_rows(workspace: Workspace, move: Move) -> Move:
    """Give the new rows of restored entries the keywords or summary that the last commit has.

    No archive keeps these, so a note names the rows that may lack them.
    """
    committed = workspace.found.at_base([change.path for change in move.indexes])
    indexes, bare = [], []
    for change in move.indexes:
        before = split_lines(decode(change.before or b""))
        former = split_lines(decode(committed.get(change.path, ("", b""))[1]))
        lines = split_lines(decode(change.after or b""))
        has_ends = any(_ROW_END.search(old) for old in before if old[0] not in "#|")
        for number, line in enumerate(lines):
            row = chomp(line)
            if line in before or not row.strip() or row[0] in "#|" or _ROW_END.search(row):
                continue
            whole = (old for old in former if old.startswith(row) and _ROW_END.match(old, len(row)))
            lines[number] = chomp(next(whole, row)) + line[len(row) :]
            if lines[number] == line and has_ends:
                bare.append(f"`{row.strip()}` in {change.path}")
        indexes.append(change._replace(after=encode("".join(lines))))
    words = f"archives keep no keywords of an index; add those of {', '.join(bare)}"
    return move._replace(indexes=tuple(indexes), notes=(*move.notes, *([words] if bare else [])))


def at_ends(workspace: Workspace, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return changes with the real paths of the files: git stages no path behind a link."""
    real = workspace.tree.real
    return tuple(change._replace(path=real(change.path) or change.path) for change in changes)


def _without_orphans(
    index: Index,
    files: Sequence[IndexedFile],
    known: set[tuple[str, str]],
    merged: Collection[str],
) -> Index:
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
    if not lines or index.form.is_block:  # there fixed() removes them
        return index
    return index.with_lines(line for n, line in enumerate(index.lines, 1) if n not in lines)
