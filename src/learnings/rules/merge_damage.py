"""A merge has mixed the entries of two branches.

If two sessions add entries at the same place, their branches conflict. A hasty resolution, or a
merge driver that keeps the lines of both sides (`merge=union` in `.gitattributes`), can damage the
file. The rule compares the file with the versions of both branches, during a merge, and with
`--history` for every past merge. It reports

- mixed entries: neither branch had such an entry, and all its lines come from two or more entries
  that still exist as a whole;
- an entry, or a part of it, that exists twice although each branch had it once;
- an entry with both versions of lines that each branch changed;
- a heading that is left over from an entry that one branch removed.

Without git, the rule reports two entries with different headings and the same text of two or more
lines, and a heading without text above another heading, if the text of a neighbour has the fields
of two entries (`**Context**`, `**Lesson**` and again `**Context**`, `**Lesson**`). Fields without a
value do not count as text; those below their own headings, in code, in comments or within a list
do not count as repeated. A squashed merge has one parent, so the rule can use only the file.

Fix: give each heading its own text again; `git log -p --merges` shows the versions of the branches.
During a merge, `learnings fix` removes equal copies, and takes mixed text apart if every line is in
an entry of a branch, word for word; `learnings fix --history` does so later. The rest is up to you.

Bad:

  ```markdown
  ## When a build hangs

  ## When a test is slow

  **Context**: a build waited for an hour.
  **Lesson**: look at the lock.
  **Context**: the suite took ten minutes.
  **Lesson**: profile it.
  ```

Good:

  ```markdown
  ## When a build hangs

  **Context**: a build waited for an hour.
  **Lesson**: look at the lock.

  ## When a test is slow

  **Context**: the suite took ten minutes.
  **Lesson**: profile it.
  ```
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from learnings.core.entries import merge_damage
from learnings.core.entries.document import Entry
from learnings.core.entries.merge_damage import FIELD, MergeDamage
from learnings.core.entries.pairing import text_of
from learnings.core.entries.titles import identity_key
from learnings.core.errors import FixRefused
from learnings.core.findings.finding import Edit, Finding, Fix, Severity, apply, quoted
from learnings.core.markdown.line_kinds import has_text
from learnings.core.text import chomp, newline_of, short_commit
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("merge-damage", Severity.NOTICE, LEARNINGS, finds_more_with_history=True)
_MESSAGES = {
    merge_damage.MIXED: "mixed the lines of {}; give each its own text again",
    merge_damage.BOTH_VERSIONS: "kept both versions of lines of {}; keep the correct one",
    merge_damage.BARE_HEADING: "left {} without its text; one branch removed it, so delete it",
    merge_damage.PART: "left a part of {} here, which is complete on line {}; remove the part",
    merge_damage.COPY: "kept {} twice, here and on line {}; remove one",
    merge_damage.EDITED_COPY: "kept {} twice, once edited, also on line {}; keep the correct one",
}
_MOST_NAMED = 5  # titles in a message; the rest are counted


def check(file: CheckedFile) -> Iterator[Finding]:
    reported: set[int] = set()
    for damage in (damage for find in file.damage for damage in find(file.document)):
        lines = {entry.first for entry in damage.entries}
        # One repair of an entry at a time: the other may no longer apply after it.
        fix = _fix(file, damage) if lines.isdisjoint(reported) else None
        yield file.finding(RULE, damage.entries[0].first, _message(damage), fix=fix)
        reported |= lines
    for entry, message in (*_equal_texts(file), *_bare_headings(file)):
        if entry.first not in reported:
            yield file.finding(RULE, entry.first, f"{quoted(entry.heading)} {message}")


def _message(damage: MergeDamage) -> str:
    merge = f"the merge {short_commit(damage.commit)}" if damage.commit else "the current merge"
    names, left = [*map(quoted, damage.titles)], len(damage.titles) - _MOST_NAMED
    names[_MOST_NAMED:] = [f"{left} more"] if left > 0 else []
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"{merge} {_MESSAGES[damage.kind].format(listed, damage.twin and damage.twin.first)}"


def _fix(file: CheckedFile, damage: MergeDamage) -> Fix | None:
    """Return the repair, or None if a person has to decide or has since edited the entries."""
    if damage.restored is None:
        return None
    document, newline, below = file.document, newline_of(file.document.text), damage.entries[-1]
    lines, new, first = document.lines, "", damage.entries[0].first
    last = below.first + len(text_of(below)) - 1
    if damage.restored:
        # What separates most undamaged entries.
        whole = [entry for entry in document.entries[:-1] if entry not in damage.entries]
        gaps = Counter(tuple(map(chomp, one.lines[len(text_of(one)) :])) for one in whole)
        gap = max(gaps, key=gaps.__getitem__, default=("",) * bool(below.level))
        between = newline.join(["", *gap, ""])
        # Text mixed by a merge may end right above the next heading.
        is_tight = last == below.last < len(lines)
        end = between if is_tight else lines[last - 1][len(chomp(lines[last - 1])) :]
        new = between.join(newline.join(text) for text in damage.restored) + end
    elif below.last < len(lines):
        last = below.last
    else:
        first = next(n for n in range(first, 1, -1) if has_text(lines[n - 2]))
    old = lines[first - 1 : last]
    edits = map(Edit, range(first, last + 1), old, (new, *[""] * (len(old) - 1)))
    does = "separate the entries" if damage.restored else "remove the copy"
    fix = Fix(does, tuple(edits), restores=True)
    try:
        after = file.reread(apply(file.data, [fix], path=file.path)).document
    except FixRefused:
        return None
    if damage.twin and not damage.restored:
        return fix if {*text_of(below)} <= {*text_of(damage.twin)} else None
    # An entry may be back by now, or hidden below a code block that a branch left open.
    there = Counter(text_of(entry)[0] for entry in after.entries)
    return fix if all(there[text[0]] == 1 for text in damage.restored) else None


def _equal_texts(file: CheckedFile) -> Iterator[tuple[Entry, str]]:
    """Yield the entries with the text of an earlier one, and a message."""
    seen: dict[str, Entry] = {}
    for entry in file.document.entries:
        first = seen.setdefault(" ".join(entry.body.split()).rstrip("- "), entry)
        if first is entry or identity_key(None, first.heading) == identity_key(None, entry.heading):
            continue
        fields = ((FIELD.match(line), line) for line in entry.lines[1:])
        texts = {(field[2] if field else line).strip() for field, line in fields}
        if sum(any(map(str.isalnum, text)) for text in texts) > 1:
            message = f"has the same text as {quoted(first.heading)} on line {first.first}"
            yield entry, f"{message}; give each its own text, or join the two"


def _bare_headings(file: CheckedFile) -> Iterator[tuple[Entry, str]]:
    """Yield headings above another if a neighbour has two texts, and a message."""
    entries = file.document.entries
    full = [n for n, entry in enumerate(entries) if any(map(has_text, entry.lines[1:]))]
    bare = sorted({*range(len(entries) - 1)}.difference(full))
    doubled = {n for n in full if bare and _has_two_groups(file, entries[n])}
    for number in bare:
        below = bisect(full, number)
        near = (*full[below : below + 1], *full[max(below - 1, 0) : below])
        for other in [entries[n] for n in near if n in doubled][:1]:
            message = f"has no text, while {quoted(other.heading)} on line {other.first}"
            advice = "has the fields of two entries; give each its own text again"
            yield entries[number], f"{message} {advice}"


def _has_two_groups(file: CheckedFile, entry: Entry) -> bool:
    """Return True if field labels return after others, or if two labels occur twice."""
    hidden = file.document.hidden_lines
    shown = [line for n, line in enumerate(entry.lines, entry.first) if n not in hidden]
    if not entry.level or any(line.startswith("#") for line in shown[1:]):
        return False
    # Fields inside a list, such as two options, are not fields of the entry.
    fields = (FIELD.match(line) for line in shown if not line[0].isspace())
    labels = [field[1].casefold() for field in fields if field]
    groups, counts = Counter(label for label, _ in groupby(labels)), Counter(labels)
    return any(n > 1 for n in groups.values()) or sum(n > 1 for n in counts.values()) > 1
