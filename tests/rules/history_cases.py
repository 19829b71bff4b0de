"""What git knows, written into an example as comments.

`<!-- added 2026-03-02 by 1a2b3c4: when a build hangs -->` is the origin of an entry, by identity;
`<!-- removed 2026-03-02 by 1a2b3c4, back 2026-03-09 by 5d6e7f8: when a build hangs -->` says that a
merge brought it back. `<!-- committed: When a build hangs; When a test is slow -->` names what the
last commit had. `<!-- renamed 2026-03-02 by 1a2b3c4: src/a.py to src/b.py -->` is about a path that
the text names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from learnings.check.reference_facts import judge
from learnings.core.due.ages import COMMIT, Origin
from learnings.core.due.history_facts import HistoryFacts, ResurrectedEntry
from learnings.core.entries.archives import MissingEntries
from learnings.core.entries.document import Document
from learnings.core.past import PastThing, Removal
from learnings.references.dead import Judged
from learnings.references.written import references_in

_ADDED = re.compile(r"^<!-- added (\S+) by (\w+): (.+) -->$", re.MULTILINE)
_BACK = re.compile(r"^<!-- removed (\S+) by (\w+), back (\S+) by (\w+): (.+) -->$", re.MULTILINE)

_RENAMED = re.compile(r"^<!-- renamed (\S+) by (\w+): (\S+) to (\S+) -->$", re.MULTILINE)
_COMMITTED = re.compile(r"^<!-- committed: (.+) -->$", re.MULTILINE)


def gone_in(document: Document) -> MissingEntries | None:
    """The entries of the last commit that a comment states, if there is none any more."""
    match = _COMMITTED.search(document.text)
    if match is None or document.entries:
        return None
    titles = tuple(match[1].split("; "))
    return MissingEntries("HEAD", len(titles), titles)


def references_in_example(path: str, document: Document) -> Callable[[Document], Judged] | None:
    """What the comments of an example say of the paths that it names; None where there are none."""
    rows = _RENAMED.findall(document.text)
    if not rows:
        return None
    moved = {old: PastThing(0, Removal(commit, date), until=1) for date, commit, old, _ in rows} | {
        new: PastThing(1, None) for _, _, _, new in rows
    }
    there = {new for _, _, _, new in rows}
    # A history that held the renamed paths and no others, and a tree with their new ones.
    past = SimpleNamespace(
        beginning=0,
        find=moved.get,
        ending_in=lambda _: [],
        successors=lambda paths: {p: frozenset(n for _, _, o, n in rows if o == p) for p in paths},
    )
    facts: Any = SimpleNamespace(
        past=past,
        past_definition=_none,
        has=there.__contains__,
        has_part=lambda *_: True,
        ending_in=lambda _: [],
        elsewhere=lambda _: (),
        packages_around=lambda _: (),
        defines=_none,
    )

    def found(version: Document) -> Judged:
        references = references_in(path, version.lines, hidden=version.hidden_lines)
        return judge(references, "", facts, written_at=lambda _: {})

    return found


def _none(*_: object) -> None:
    return None


def facts_in(data: bytes) -> HistoryFacts | None:
    """The facts that the comments of an example state; None where there are none."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    origins = {key: Origin(COMMIT, date, commit) for date, commit, key in _ADDED.findall(text)}
    back = tuple(
        ResurrectedEntry(key, removed, day, merge, later, by_merge=True)
        for day, removed, later, merge, key in _BACK.findall(text)
    )
    return HistoryFacts(origins, back, {}, frozenset()) if origins or back else None
