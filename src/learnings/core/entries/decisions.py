"""Decisions of consolidations about entries that stayed in their file.

The decisions about `agents/learnings.md` are in `agents/archive/learnings-decisions.md`, one per
line, so that versions merge line by line:

    - kept 2026-11-23 `c0c0436faa2f` `When a build hangs`: still true, and only true here
    - escalated 2026-11-23 `0b6a1c7f2e11` `Which port the proxy takes`: two owners disagree
    - settled 2026-11-23

A decision applies to the text with that digest and ends when the entry is edited. `settled` is the
date of a plan that decided every entry of the batch. All other lines stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from learnings.core.entries.document import DIGEST_LENGTH
from learnings.core.file_names import ARCHIVE_FOLDER, is_decisions_name
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, decode, encode, newline_of, printable, shortened, split_lines

KEPT, ESCALATED = "kept", "escalated"
_LONGEST_TITLE = 60  # characters; the digest names the entry
_HEADING = "# Decisions about entries that stayed"
_HEAD = f"""\
{_HEADING}

Written by `learnings apply`. Consolidations leave a kept entry out for some time, and an escalated
one until somebody decides. Both end when the text of the entry changes, or if you remove the line.

"""
_DATE = r"(\d{4}-\d\d-\d\d)"
# `- kept 2026-11-23 `c0c0436faa2f` `When a build hangs`: why`; group 4 the ticks, 5 the identity. A
# whole row of ticks closes the code, so that each row is compared once.
_DECISION = lazy_pattern(
    rf"- ({KEPT}|{ESCALATED}) {_DATE} `([0-9a-f]{{{DIGEST_LENGTH}}})` "
    r"(`++) ?(.*?) ?(?<!`)\4(?!`)(?::[ ](.*))?"
)
_SETTLED = lazy_pattern(rf"- settled {_DATE}")
_TICKS = lazy_pattern("`+")


class Decision(NamedTuple):
    kind: str
    date: str
    digest: str
    identity: str
    reason: str = ""


class Decisions(NamedTuple):
    """Decisions by digest, the date of the newest settled batch, and unreadable lines (1-based)."""

    by_digest: Mapping[str, Decision] = {}
    settled: str | None = None
    broken: tuple[int, ...] = ()

    def until(self, date: str) -> Decisions:
        known = {digest: one for digest, one in self.by_digest.items() if one.date <= date}
        settled = self.settled if self.settled and self.settled <= date else None
        return self._replace(by_digest=known, settled=settled)


NO_DECISIONS = Decisions()


def is_decisions(path: str, data: bytes) -> bool:
    """Return True for a decision file: by its name, and the heading that `learnings apply` writes.

    If somebody removed the heading, a decision is enough, but only in an archive folder.
    """
    if not is_decisions_name(path):
        return False
    lines = split_lines(decode(data).removeprefix(BOM))
    if next(filter(str.strip, lines), "").rstrip() == _HEADING:
        return True
    return ARCHIVE_FOLDER in path.split("/")[:-1] and any(map(_is_decision, lines))


def read_decisions(data: bytes) -> Decisions:
    """Parse a decision file; of several decisions about one text the last counts."""
    decisions: dict[str, Decision] = {}
    settled: str | None = None
    broken = []
    for number, line in enumerate(split_lines(decode(data)), start=1):
        text = line.rstrip()
        decision, end = _DECISION.fullmatch(text), _SETTLED.fullmatch(text)
        if decision is not None:
            kind, date, digest, _, identity, reason = decision.groups()
            _add_later(decisions, Decision(kind, date, digest, identity, reason or ""))
        elif end is not None:
            settled = max(settled or "", end[1])
        elif text.startswith(("-", "<<<<<<<", "=======", ">>>>>>>")):
            broken.append(number)
    return Decisions(decisions, settled, tuple(broken))


def _add_later(decisions: dict[str, Decision], decision: Decision) -> None:
    known = decisions.get(decision.digest)
    if known is None or known.date <= decision.date:
        decisions[decision.digest] = decision


def joined(versions: Iterable[Decisions]) -> Decisions:
    """Join the decisions of several files; on the same day the last file wins."""
    decisions: dict[str, Decision] = {}
    dates: list[str] = []
    for version in versions:
        for decision in version.by_digest.values():
            _add_later(decisions, decision)
        dates += [version.settled] if version.settled else []
    return Decisions(decisions, max(dates, default=None))


def merged_decisions(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Merge the decisions of two sides: the later wins, and on the same day an escalated one."""
    old, one, other = (read_decisions(data) for data in (base, ours, theirs))
    merged = {}
    for digest in one.by_digest.keys() | other.by_digest.keys():
        before = old.by_digest.get(digest)
        sides = [side.by_digest.get(digest) for side in (one, other)]
        changed = [side for side in sides if side != before]
        if not changed:
            merged[digest] = sides[0]
        elif any(changed):
            known = (side for side in changed if side)
            merged[digest] = max(known, key=lambda side: (side.date, side.kind == ESCALATED))
    kept = {digest: decision for digest, decision in merged.items() if decision}
    dates = [side.settled for side in (one, other) if side.settled]
    text = decode(decisions_text(Decisions(kept, max(dates, default=None)), ours))
    present = {line.rstrip() for line in (*split_lines(decode(base)), *split_lines(text))}
    for line in split_lines(decode(theirs)):
        if not _is_decision(line) and line.rstrip() not in present:
            text += f"{line.rstrip()}{newline_of(text)}"
    return encode(text)


def decisions_text(decisions: Decisions, before: bytes | None) -> bytes:
    """Return the file with these decisions in place of its own, keeping its other lines."""
    old = split_lines(decode(before or b""))
    newline = newline_of("".join(old)) if old else "\n"
    first = next((n for n, line in enumerate(old) if _is_decision(line)), len(old))
    above = [f"{line.rstrip()}\n" for line in old[:first]]
    below = [f"{line.rstrip()}\n" for line in old[first:] if not _is_decision(line)]
    head = "" if f"{_HEADING}\n" in above else _HEAD
    return encode("".join((head, *above, *_lines(decisions), *below)).replace("\n", newline))


def without_decisions(
    data: bytes, digests: Collection[str], *, settled: Collection[str] = ()
) -> bytes:
    """Return the file without the lines for some digests and settled dates."""
    kept = ""
    for line in split_lines(decode(data)):
        decision, end = _DECISION.fullmatch(line.rstrip()), _SETTLED.fullmatch(line.rstrip())
        if not (decision and decision[3] in digests) and not (end and end[1] in settled):
            kept += line
    return encode(kept)


def _is_decision(line: str) -> bool:
    text = line.rstrip()
    return bool(_DECISION.fullmatch(text) or _SETTLED.fullmatch(text))


def _lines(decisions: Decisions) -> Iterator[str]:
    """Yield a line for each decision, by digest, so that branches seldom add at the same place."""
    for _, one in sorted(decisions.by_digest.items()):
        identity = shortened(" ".join(printable(one.identity).split()), _LONGEST_TITLE)
        ticks = "`" * (max(map(len, _TICKS.findall(identity)), default=0) + 1)
        gap = " " if identity.startswith("`") or identity.endswith("`") else ""
        reason = " ".join(printable(one.reason).split())
        line = f"- {one.kind} {one.date} `{one.digest}` {ticks}{gap}{identity}{gap}{ticks}"
        yield f"{line}: {reason}\n" if reason else f"{line}\n"
    if decisions.settled:
        yield f"- settled {decisions.settled}\n"
