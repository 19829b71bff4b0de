"""The report on a consolidation as Markdown, each section in the same place, empty or not.

A row about an entry begins with its outcome and its name. A retry adds to the report of the first
run: rows about the same entry replace the earlier ones, and everything else stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from learnings.consolidation.plan.memory_edits import title_of
from learnings.consolidation.plan.outcome import APPLIED, FILE, INDEX, SKIPPED, labelled
from learnings.consolidation.plan.plan import (
    ADD,
    DROP,
    ESCALATE,
    JOIN,
    MERGE,
    MOVE,
    Plan,
    PlanMember,
    PlanStep,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted
from learnings.surfaces.render.lines import span

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
# A row about an entry: its outcome, and its name as code.
_ROW = lazy_pattern(
    rf"- ({'|'.join(_WORDS.values())}|Escalated|Kept) ((`+)(?!`).*?(?<!`)\3(?!`))(.*)"
)
_FILE_ROW = lazy_pattern(r"- File: `([^`]+)`.*")
# The lines of a target that is full.
_FULL = lazy_pattern(r"`([^`]+) has (\d+) lines?, (\d+) with ")
# The first line of a finding among notes, as proposed_plan.py writes it, or as a reader of both
# texts writes a contradiction.
_FINDING = lazy_pattern(
    r"(covered|supersession|redundancy|contradiction)(?:, (drop|add|escalate|look))?(?:: (.+))?",
    re.IGNORECASE,
)

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
        rows = _continued(_rows_in(earlier.replace(marker, "")), rows)
    rows[_LIMITS] = [_with_lines_now(row, lines_of) for row in rows[_LIMITS]]
    details = [row for row in rows[_DETAILS] if not _FILE_ROW.fullmatch(row)]
    files = dict.fromkeys(m[1] for row in rows[_DETAILS] if (m := _FILE_ROW.fullmatch(row)))
    counts = Counter[str]()
    for number, row in enumerate(details):
        match = _ROW.fullmatch(row)
        if match:
            counts[_KINDS.get(match[1], "Consolidated")] += 1
            target = match[4].removeprefix(" → ").strip("` ")
            if match[1] in ("Moved", "Added"):
                place = place_of(target, match[2].strip("` "))
                details[number] = f"- {match[1]} {match[2]} → {span(place)}"
    rows[_DETAILS] = [*details, *(_file_row(path, lines_of(path)) for path in files)]
    words = ("Consolidated", *_KINDS.values())
    summary = [f"Processed: {counts.total()}", *(f"{word}: {counts[word]}" for word in words)]
    parts = {"Summary": [f"- {line}" for line in summary], **rows}
    sections = (
        f"\n## {title}\n\n" + ("\n".join(r) or "None.") + "\n" for title, r in parts.items()
    )
    return "# Consolidation Report\n" + "".join(sections) + f"\n{marker}\n"


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
            rows[_DETAILS].append(row + _detail(step, is_applied=word in _WORDS.values()))
            for section, text in _findings(step, member, word):
                rows[section].append(f"{row}: {text}")
    names = {member.digest: member.name for step in plan.steps for member in step.members}
    for line in labelled(SKIPPED, plan.result):
        sentence, _, digests = line.rpartition(": ")
        for digest in digests.split():
            rows[_LIMITS].append(f"- Kept {span(names.get(digest, digest))}: {span(sentence)}")
    rows[_UPDATES] = [f"- Index: {span(path)}" for path in labelled(INDEX, plan.result)]
    rows[_DETAILS] += (_file_row(path, None) for path in labelled(FILE, plan.result))
    return rows


def _detail(step: PlanStep, *, is_applied: bool) -> str:
    if not step.subject or (step.leaves and not is_applied):
        return ""
    if step.action in (MERGE, JOIN, MOVE, ADD):
        return f" → {span(title_of(step.subject) if step.action == MERGE else step.subject)}"
    return f": {span(step.subject)}"


def _findings(step: PlanStep, member: PlanMember, word: str) -> Iterator[tuple[str, str]]:
    """Yield the findings about an entry, each with the title of its section."""
    shared = step.notes if member == step.members[0] else tuple(step.notes[:1])
    for notes in (shared, member.notes):
        for number, note in enumerate(notes, start=1):
            match = _FINDING.fullmatch(note)
            if match is None or (match[2] == "look" and word != "Escalated"):
                continue
            evidence = []
            for line in notes[number:]:
                if not line.startswith("- ") or line.endswith(":"):  # what follows is quoted
                    break
                evidence.append(f"\n  {'- ' + span(line[2:])}")
            yield _FINDINGS[match[1].lower()], span(match[3] or step.subject) + "".join(evidence)


def _file_row(path: str, lines: int | None) -> str:
    return f"- File: {span(path)}" + ("" if lines is None else f" ({counted(lines, 'line')})")


def _rows_in(text: str) -> _Rows:
    """Return the rows of a report, without its summary."""
    parts = re.split(r"(?m)^## (.+)\n", text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=False))
    return {
        title: [
            row for row in re.split(r"\n(?=- )", sections.get(title, "").strip()) if row != "None."
        ]
        for title in _SECTIONS
    }


def _continued(old: _Rows, new: _Rows) -> _Rows:
    """Return the rows of two reports, of the older one those about other entries."""

    def name(row: str) -> str:
        match = _ROW.match(row)
        return match[2] if match else ""

    names = {name(row) for row in new[_DETAILS]} - {""}
    return {
        title: list(dict.fromkeys([*(row for row in old[title] if name(row) not in names), *rows]))
        for title, rows in new.items()
    }


def _with_lines_now(row: str, lines_of: Callable[[str], int | None]) -> str:
    """Return the row of a full target with its lines as they are now."""
    match = _FULL.search(row)
    now = lines_of(match[1]) if match else None
    if match is None or now is None:
        return row
    with_them = int(match[3]) + now - int(match[2])
    changed = f"`{match[1]} has {counted(now, 'line')}, {with_them} with "
    return row[: match.start()] + changed + row[match.end() :]
