"""Earlier decisions about entries that end: what is to be written to the files that hold them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.core.entries.decisions import without_decisions
from learnings.core.entries.digests import digest_of
from learnings.core.entries.document import Entry
from learnings.history.decided import decision_files
from learnings.store.files import Change


def ended_decisions(
    source: SourceFile, entries: Iterable[Entry], *, settled: Collection[str] = ()
) -> tuple[Change, ...]:
    """Return the changes that end the decisions about entries of a learnings file.

    settled are dates at which a plan had decided a whole batch, and which count no more.
    """
    digests = {digest_of(entry) for entry in entries}
    changes = (
        Change(path, data, without_decisions(data, digests, settled=settled))
        for path, data in decision_files(source.root, source.path)
    )
    return tuple(change for change in changes if change.after != change.before)
