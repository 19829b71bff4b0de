"""Lost index rows, lost decisions, and archives missing from the compared version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from learnings.app.verify.versions import MemoryPaths, MemoryVersions, plain_text
from learnings.consolidation.proof.results import FilePlace, Kind, Result
from learnings.core.entries.archives import archive_folder, is_archive_like, is_archive_name
from learnings.core.entries.decisions import is_decisions, joined, read_decisions
from learnings.core.entries.document import LARGEST_FILE, ReadOptions, digest_of, excess_of, read
from learnings.core.file_names import FOLDER_INDEXES
from learnings.core.markdown.blocks import blocks_of
from learnings.core.roles import exclusion, matches
from learnings.history.git.attributes import disk_text
from learnings.history.git.ignoring import ignoring_rules, remedy
from learnings.history.git.process import paths_in
from learnings.history.git.snapshots import COMMIT, INDEX, Snapshot
from learnings.history.regular_file import read_regular
from learnings.index.comparison import Comparison
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.link_rows import link_rows
from learnings.index.problems import MISSING_FILE, ORPHAN_ROW
from learnings.index.rows import Index, has_block, read_index


def rows_lost(versions: MemoryVersions) -> Iterator[Result]:
    """Yield rows of changed indexes, or of changed files, whose headings a change lost."""
    paths = versions.paths
    older, newer, settings = paths.before, paths.after, paths.base_settings
    blocks = (
        path for path in versions.before.learnings if has_block(versions.older.get(path) or b"")
    )
    for path in dict.fromkeys((*filter(None, settings.index), *blocks)):
        before, after = older.read(path), newer.read(path)
        if not before or not after or excess_of(before) or excess_of(after):
            continue
        is_block = path in versions.before.learnings and has_block(before)
        form = "block" if is_block else settings.index_form
        past = _indexed(paths, older, read_index(before, form=form, path=path))
        now = _indexed(paths, newer, read_index(after, form=form, path=path))
        listed = {file.path for file in (*past.files, *now.files)}
        named = {*past.memory_index.named_paths(), *now.memory_index.named_paths()}
        real = {v.real(name) for v in (older, newer) for name in (path, *listed, *named)}
        if not real.isdisjoint(versions.older):
            yield from lost_rows(past, now)


def _indexed(paths: MemoryPaths, snapshot: Snapshot, index: Index) -> IndexedMemory:
    if index.form.is_block:
        options = ReadOptions.of(paths.base_file_settings(index.path))
        return IndexedMemory(index, [entries_of(index.path, read(index.to_bytes(), options))])
    settings, named = paths.base_settings, frozenset(index.named_paths())
    real: dict[str, str] = {}
    for name in dict.fromkeys((*snapshot.paths(), *named)):
        is_listed = any(matches(name, pattern) for pattern in settings.indexed)
        is_listed = is_listed and exclusion(name, settings) is None
        end = snapshot.real(name) if is_listed or name in named else None
        if end is not None and name not in settings.index:
            real[name] = end
    contents = snapshot.contents(dict.fromkeys(real.values()))
    found = ((name, contents[end]) for name, end in real.items() if end in contents)
    files = [headings_of(name, data) for name, data in found if excess_of(data) is None]
    return IndexedMemory(index, files)


def links_lost(versions: MemoryVersions) -> Iterator[Result]:
    """Yield the remaining index rows of memory folders whose file is no longer in its place."""
    older, newer = versions.paths.before, versions.paths.after
    folders: dict[str, set[str]] = {}
    for path, data in versions.newer.items():
        folder = versions.paths.role(path, older).folder
        if folder is not None and data is None and newer.read(path) is None:
            folders.setdefault(folder, set()).add(path)
    for folder, missing in folders.items():
        for path in (f"{folder}/{name}" for name in FOLDER_INDEXES):
            before, after = older.read(path), newer.read(path)
            if not before or not after:
                continue
            past = {row.target: row.line for row in link_rows(path, blocks_of(before))}
            for row in link_rows(path, blocks_of(after)):
                if row.target in missing and row.target in past:
                    places = FilePlace(path, past[row.target]), FilePlace(path, row.line)
                    detail = f"there is no file {row.target}"
                    yield Result(Kind.ROW, row.title, row.title, *places, detail=detail)


def lost_decisions(versions: MemoryVersions) -> Iterator[Result]:
    """Yield a notice for each removed decision whose entry is unchanged."""
    older = {path: data for path, data in versions.older.items() if is_decisions(path, data or b"")}
    if not older:
        return
    newer = [
        data or b"" for path, data in versions.newer.items() if is_decisions(path, data or b"")
    ]
    left = joined(map(read_decisions, newer)).by_digest
    entries = {
        digest_of(entry): (path, entry)
        for path, document in versions.after.learnings.items()
        for entry in document.entries
    }
    for path, data in older.items():
        for digest, decision in read_decisions(data or b"").by_digest.items():
            if digest in entries and digest not in left:
                file, entry = entries[digest]
                yield Result(
                    Kind.DECISION,
                    entry.title,
                    entry.identity,
                    FilePlace(path, 1),
                    FilePlace(file, entry.first),
                    missing=(f"{decision.kind} on {decision.date}",),
                )


def unstaged_archives(versions: MemoryVersions, snapshot: Snapshot) -> dict[str, bytes]:
    """Return the archives on disk that git's index, or the checked-out commit, lacks, by path."""
    repository = snapshot.repository
    if snapshot.kind == COMMIT:
        head = repository.run("rev-parse", "--verify", "HEAD").decode("ascii").strip()
        if snapshot.commit != head:
            return {}
    top, staged = repository.top, versions.after.archives
    own = {}
    for learnings_file in versions.before.learnings:
        folder = archive_folder(learnings_file)
        for name in sorted(path.name for path in (top / folder).glob("*")):
            data = _read(top, f"{folder}/{name}") if is_archive_name(name, learnings_file) else None
            if data is not None and staged.get(f"{folder}/{name}") != data:
                own[f"{folder}/{name}"] = data
    listing = ("--no-literal-pathspecs", "ls-files", "--others", "-z", "--", ":(icase)*archive*")
    others = filter(is_archive_like, paths_in(repository.run(*listing)))
    contents = {path: _read(top, path) for path in others if path not in staged}
    foreign = {path: plain_text(path, data) for path, data in contents.items() if data is not None}
    return foreign | own


def _read(top: Path, path: str) -> bytes | None:
    file = top / path
    try:
        data = None if file.is_symlink() else read_regular(file, most=LARGEST_FILE)
    except OSError:
        return None
    return None if data is None else disk_text(top, path, data)


def with_reasons(losses: Iterable[Result], snapshot: Snapshot) -> tuple[Result, ...]:
    """Return losses with the reason, if known, why an archive is not in a commit."""
    reason_of = cache(partial(_reason, snapshot))
    return tuple(
        loss._replace(detail=reason_of(loss.unstaged)) if loss.unstaged else loss for loss in losses
    )


def _reason(snapshot: Snapshot, archive: str) -> str:
    top = snapshot.repository.top
    for rule in ignoring_rules(top, [archive]).values():
        return f"git ignores it ({rule}); {remedy(top, archive)}"
    if snapshot.kind != INDEX:
        return ""
    # In git's index of the repository, but not in the index of this commit.
    listed = snapshot.repository.run("ls-files", "--cached", "--", archive)
    if not listed or snapshot.read(archive) is not None:
        return ""
    return "it is staged, but `git commit PATH` commits only the named paths; name the archive too"


# The row exists, but its target does not.
_UNRESOLVED = (ORPHAN_ROW, MISSING_FILE)


class IndexedMemory(NamedTuple):
    """A memory index with the files that it lists."""

    memory_index: Index
    files: Sequence[IndexedFile]


def lost_rows(before: IndexedMemory, after: IndexedMemory) -> Iterator[Result]:
    """Yield the rows that no longer resolve, but not new rows or rows that never resolved."""
    old, new = (Comparison(i.memory_index, i.files).matches for i in (before, after))
    resolved = Counter(m.row.text.strip() for m in old if m.problem not in _UNRESOLVED)
    lines = {m.row.text.strip(): m.row.line for m in old}
    for match in new:
        text = match.row.text.strip()
        if match.problem in _UNRESOLVED and resolved[text]:
            path = after.memory_index.path
            where = f"{match.path} has no such heading" if match.path else ""
            missing = f"there is no file {match.path}"
            yield Result(
                Kind.ROW,
                text,
                text,
                FilePlace(path, lines[text]),
                FilePlace(path, match.row.line),
                detail=missing if match.problem == MISSING_FILE else where,
            )
