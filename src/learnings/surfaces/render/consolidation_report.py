"""The report on a consolidation as Markdown, each section in the same place, empty or not.

A row about an entry begins with its outcome and its name. A retry adds to the report of the first
run: rows about the same entry replace the earlier ones, and everything else stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile

from learnings.consolidation.plan.memory_edits import title_of
from learnings.consolidation.plan.plan import (
    ADD,
    APPLIED,
    DROP,
    ESCALATE,
    FILE,
    INDEX,
    JOIN,
    KEEP,
    MERGE,
    MOVE,
    Plan,
    PlanMember,
    PlanStep,
    labelled,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted
from learnings.surfaces.render.writing import span

_LIMITS, _UPDATES = "File Limits (ESCALATION)", "Discovery Updates"
_DETAILS, _REDUNDANT = "Consolidation Details", "Redundancy Decisions"
_FINDINGS = {
    "supersession": "Supersession Decisions",
    "covered": _REDUNDANT,
    "redundancy": _REDUNDANT,
    "contradiction": "Contradictions (ESCALATION)",
}
_SECTIONS = (*dict.fromkeys(_FINDINGS.values()), _LIMITS, _UPDATES, _DETAILS)
_WORDS = {MERGE: "Merged", JOIN: "Joined", MOVE: "Moved", ADD: "Added", DROP: "Dropped"}
_KINDS = {"Dropped": "Dropped", "Escalated": "Escalated", "Kept": "Skipped"}
_NAME = r"((`+)(?!`).*?(?<!`)\{}(?!`))"
# A row about an entry: its outcome, and its name as code; and one with its place.
_ROW = lazy_pattern(rf"- ({'|'.join(_WORDS.values())}|Escalated|Kept) {_NAME.format(3)}(.*)")
_MOVED = lazy_pattern(rf"(- (?:Moved|Added) {_NAME.format(3)}) → (.*)")
_FILE_ROW = lazy_pattern(r"- File: `([^`]+)`.*")
# The lines of a target that is full.
_FULL = lazy_pattern(r"`([^`]+) has (\d+) lines?, (\d+) with ")
# The first line of a finding among notes, as proposed_plan.py writes it, or as a reader of both
# texts writes a contradiction.
_FINDING = lazy_pattern(
    r"(covered|supersession|redundancy|contradiction)(?:, (drop|add|escalate|look))?(?:: (.+))?",
    re.IGNORECASE,
)

# The reason that a reader of the plan gives to drop an entry.
_REASON = lazy_pattern(r"(superseded|covered)\b", re.IGNORECASE)

_Rows = dict[str, list[str]]
"""The rows by section; the lines below a row are part of it."""


def as_markdown(
    plan: Plan,
    *,
    about: str,
    earlier: str = "",
    lines_of: Callable[[str], int | None],
    place_of: Callable[[str, str], str],
) -> str:
    """Return the report on an applied plan.

    about names the file and the commit. An earlier report with the same name is continued.
    lines_of() returns the lines of a file now, None if it is gone; place_of() returns where an
    entry is now, from the target of its step and its name.
    """
    rows = _rows_of(plan)
    marker = f"<!-- {about} -->"
    if earlier.rstrip().endswith(marker):
        rows = _continued(earlier.replace(marker, ""), rows)
    rows = {title: [_as_now(row, lines_of, place_of) for row in own] for title, own in rows.items()}
    files = dict.fromkeys(row for row in rows[_DETAILS] if _FILE_ROW.fullmatch(row))
    details = [row for row in rows[_DETAILS] if row not in files]
    rows[_DETAILS] = [*details, *files]
    counts = Counter(_KINDS.get(m[1], "Consolidated") for m in map(_ROW.fullmatch, details) if m)
    summary = [f"- Processed: {counts.total()}"]
    summary += (f"- {word}: {counts[word]}" for word in ("Consolidated", *_KINDS.values()))
    sections = (
        f"\n## {title}\n\n" + ("\n".join(own) or "None.") + "\n"
        for title, own in {"Summary": summary, **rows}.items()
    )
    return "# Consolidation Report\n" + "".join(sections) + f"\n{marker}\n"


def _as_now(
    row: str, lines_of: Callable[[str], int | None], place_of: Callable[[str, str], str]
) -> str:
    """Return a row with the lines of its file, or the place of its entry, as they are now."""
    if file := _FILE_ROW.fullmatch(row):
        lines = lines_of(file[1])
        size = "" if lines is None else f" ({counted(lines, 'line')})"
        return f"- File: {span(file[1])}{size}"
    if moved := _MOVED.fullmatch(row):
        return f"{moved[1]} → {span(place_of(moved[4].strip('` '), moved[2].strip('` ')))}"
    full = _FULL.search(row)
    now = lines_of(full[1]) if full else None
    if full is None or now is None:
        return row
    with_them = int(full[3]) + now - int(full[2])
    changed = f"`{full[1]} has {counted(now, 'line')}, {with_them} with "
    return row[: full.start()] + changed + row[full.end() :]


def _rows_of(plan: Plan) -> _Rows:
    """Return the rows of a plan with a result."""
    rows: _Rows = {title: [] for title in _SECTIONS}
    applied = {
        digest
        for line in labelled(APPLIED, plan.result)
        for digest in line.rpartition(": ")[2].split()
    }
    for step in plan.steps:
        for member in step.members:
            word = "Escalated" if step.action == ESCALATE else "Kept"
            if step.leaves and member.digest in applied:
                word = _WORDS[step.action]
            row = f"- {word} {span(member.name)}"
            target = title_of(step.subject) if step.action == MERGE else step.subject
            sign = ": " if step.action in (DROP, KEEP, ESCALATE) else " → "
            is_said = step.subject and (word in _WORDS.values() or not step.leaves)
            rows[_DETAILS].append(f"{row}{sign}{span(target)}" if is_said else row)
            for section, text in _findings(step, member, word):
                rows[section].append(f"{row}: {text}")
    names = {member.digest: member.name for step in plan.steps for member in step.members}
    for digest, reason in plan.skipped.items():
        rows[_LIMITS].append(f"- Kept {span(names.get(digest, digest))}: {span(reason)}")
    rows[_UPDATES] = [f"- Index: {span(path)}" for path in labelled(INDEX, plan.result)]
    rows[_DETAILS] += (f"- File: {span(path)}" for path in labelled(FILE, plan.result))
    return rows


def _findings(step: PlanStep, member: PlanMember, word: str) -> Iterator[tuple[str, str]]:
    """Yield the findings about an entry, each with the title of its section."""
    shared = step.notes if member == step.members[0] else tuple(step.notes[:1])
    is_found = False
    for notes in (shared, member.notes):
        for number, note in enumerate(notes, start=1):
            match = _FINDING.fullmatch(note)
            if match is None or (match[2] == "look" and word != "Escalated"):
                continue
            below = takewhile(
                lambda line: line.startswith("- ") and not line.endswith(":"),  # its text follows
                notes[number:],
            )
            evidence = "".join(f"\n  - {span(line[2:])}" for line in below)
            yield _FINDINGS[match[1].lower()], span(match[3] or step.subject) + evidence
            is_found = True
    reason = _REASON.match(step.subject) if word == "Dropped" and not is_found else None
    if reason is not None:
        yield _FINDINGS[reason[1].lower().replace("superseded", "supersession")], span(step.subject)


def _continued(earlier: str, new: _Rows) -> _Rows:
    """Return the rows of two reports, of the earlier one those about other entries."""

    def name(row: str) -> str:
        match = _ROW.match(row)
        return match[2] if match else ""

    parts = re.split(r"(?m)^## (.+)\n", earlier)
    old = dict(zip(parts[1::2], parts[2::2], strict=False))
    names = {name(row) for row in new[_DETAILS]} - {""}
    result: _Rows = {}
    for title, rows in new.items():
        before = re.split(r"\n(?=- )", old.get(title, "").strip())
        stay = (row for row in before if row != "None." and name(row) not in names)
        result[title] = list(dict.fromkeys([*stay, *rows]))
    return result
