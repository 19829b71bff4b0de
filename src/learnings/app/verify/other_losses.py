"""Lost index rows, lost decisions, and archives missing from the compared version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from learnings.app.verify.versions import MemoryVersions, plain_text
from learnings.consolidation.proof.results import FilePlace, Kind, Result
from learnings.core.entries.decisions import is_decisions, joined, read_decisions
from learnings.core.entries.dialects import INDEX_MARK
from learnings.core.entries.document import LARGEST_FILE, digest_of, excess_of
from learnings.core.file_names import (
    FOLDER_INDEXES,
    archive_folder,
    is_archive_like,
    is_archive_name,
)
from learnings.history.git.process import paths_in
from learnings.history.git.snapshots import COMMIT, INDEX, Snapshot
from learnings.history.git.work_tree import disk_text, read_regular


def rows_lost(versions: MemoryVersions) -> Iterator[Result]:
    """Yield the index rows that a change left without their target."""
    older, newer = versions.past, versions.now
    blocks = (p for p in versions.before.learnings if INDEX_MARK in versions.older.get(p, b""))
    for path in dict.fromkeys((*filter(None, versions.settings.index), *blocks)):
        before, after = older.read(path), newer.read(path)
        if before and after and not excess_of(before) and not excess_of(after):
            from learnings.app.verify import lost_rows  # noqa: PLC0415  (where there is an index)

            yield from lost_rows.of_headings(versions, path, before, after)
    folders: dict[str, set[str]] = {}
    for path in versions.changed:
        folder = versions.places.of(path, older).folder
        if folder is not None and path not in versions.newer and newer.read(path) is None:
            folders.setdefault(folder, set()).add(path)
    for folder, missing in folders.items():
        for path in (f"{folder}/{name}" for name in FOLDER_INDEXES):
            before, after = older.read(path), newer.read(path)
            if before and after:
                from learnings.app.verify import lost_rows  # noqa: PLC0415  (as above)

                yield from lost_rows.of_links(path, before, after, missing)


def lost_decisions(versions: MemoryVersions) -> Iterator[Result]:
    """Yield a notice for each removed decision whose entry is unchanged."""
    older = {path: data for path, data in versions.older.items() if is_decisions(path, data)}
    if not older:
        return
    newer = (data for path, data in versions.newer.items() if is_decisions(path, data))
    left = joined(map(read_decisions, newer)).by_digest
    entries = {
        digest_of(entry): (path, entry)
        for path, document in versions.after.learnings.items()
        for entry in document.entries
    }
    for path, data in older.items():
        for digest, decision in read_decisions(data).by_digest.items():
            if digest in entries and digest not in left:
                file, entry = entries[digest]
                places = FilePlace(path, 1), FilePlace(file, entry.first)
                missing = (f"{decision.kind} on {decision.date}",)
                names = entry.title, entry.identity
                yield Result(Kind.DECISION, *names, *places, missing=missing)


def unstaged_archives(versions: MemoryVersions) -> dict[str, bytes]:
    """Return the archives on disk that git's index, or the checked-out commit, lacks, by path."""
    snapshot, staged = versions.now, versions.after.archives
    repository, top = snapshot.repository, snapshot.repository.top
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
    if (own or foreign) and snapshot.kind == COMMIT:
        head = repository.run("rev-parse", "--verify", "HEAD").decode("ascii").strip()
        return foreign | own if snapshot.commit == head else {}
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
    from learnings.history.git.ignoring import ignoring_rules, remedy  # noqa: PLC0415  (for a loss only)

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
