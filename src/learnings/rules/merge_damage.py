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

Without git, the rule reports

- two entries with different headings and the same text of two or more lines;
- a heading without text directly before another heading, if the text of a neighbour has the fields
  of two entries (`**Context**`, `**Lesson**` and again `**Context**`, `**Lesson**`).

Fields without a value do not count as text. Fields below their own headings, in code, in comments
or within a list do not count as repeated. A squashed merge has one parent, so the rule can use only
the file.

Fix: give each heading its own text again; `git log -p --merges` shows the versions of the branches.
If every line of the mixed text matches a line of a branch's entry word for word, `learnings fix`
repairs it during a merge, and `learnings fix --history` later. It removes a copy with the same
text, and leaves decisions to you.

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
from collections.abc import Container, Iterator, Sequence
from itertools import groupby

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import CATEGORY, ENTRY
from learnings.core.entries.merge_damage import BOTH_VERSIONS, FRAGMENT, MIXED, MergeDamage, text_of
from learnings.core.entries.titles import identity_key
from learnings.core.findings.finding import Edit, Finding, Fix, Severity, quoted
from learnings.core.markdown.line_kinds import BULLET_MARKER, is_ruler
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, newline_of, short_commit
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("merge-damage", Severity.NOTICE, LEARNINGS, finds_more_with_history=True)

# A field of a form: `**Context:** text`, perhaps after a bullet. After a number it is a step. Group
# 1 is the label, group 2 the value.
_FIELD = lazy_pattern(
    rf"[ \t]*(?:{BULLET_MARKER}[ \t]+)?(?:\*\*|__)?(\w[\w /-]{{0,30}})(?:\*\*:|__:|:\*\*|:__|:)(.*)"
)
# A heading at any level.
_HEADING = lazy_pattern(r"#{1,6}[ \t]")


def check(file: CheckedFile) -> Iterator[Finding]:
    reported: set[int] = set()
    for damage in file.damage:
        places = damage.places(file.document)
        lines = {place.first for place in places}
        if places:
            # If one entry has two repairs, the second waits for the next round.
            fix = _fix(file, damage, places) if lines.isdisjoint(reported) else None
            yield file.finding(RULE, places[0].first, _message(damage), fix=fix)
        reported |= lines
    yield from (finding for finding in _in_file(file) if finding.line not in reported)


# Titles shown in a message; the rest are counted.
_MOST_NAMED = 2


def _message(damage: MergeDamage) -> str:
    merge = f"the merge {short_commit(damage.commit)}" if damage.commit else "the current merge"
    titles = [*map(quoted, damage.titles[:_MOST_NAMED])]
    if len(damage.titles) > _MOST_NAMED:
        titles.append(f"{len(damage.titles) - _MOST_NAMED} more")
    named = " and ".join(filter(None, [", ".join(titles[:-1]), titles[-1]]))
    if damage.kind == MIXED:
        return f"{merge} mixed the lines of {named}; give each its own text again"
    if damage.kind == BOTH_VERSIONS:
        return f"{merge} kept both versions of lines of {named}; keep the correct one"
    if damage.kind == FRAGMENT and damage.restored is None:
        return f"{merge} left {named} without its text; one branch removed it, so remove it again"
    if damage.kind == FRAGMENT:
        return f"{merge} left a part of {named} here, which is complete elsewhere; remove the part"
    if damage.restored is None:
        return f"{merge} kept {named} twice, once edited; keep the correct one"
    return f"{merge} kept {named} twice; remove one"


def _fix(file: CheckedFile, damage: MergeDamage, places: Sequence[Entry]) -> Fix | None:
    others = [entry for entry in file.document.entries if entry not in places]
    if damage.restored is None or not _is_as_it_was(damage.restored, places, others):
        return None
    lines, newline = file.document.lines, newline_of(file.document.text)
    first, last = places[0].first, places[-1].last
    if damage.restored:
        while not _is_text(lines[last - 1]):
            last -= 1
        between = newline.join(["", *_gap(file.document, places), ""])
        new = between.join(newline.join(text) for text in damage.restored)
        # Text mixed by a merge may end right above the next heading.
        is_tight = last == places[-1].last < len(lines)
        new += between if is_tight else lines[last - 1][len(chomp(lines[last - 1])) :]
        does = "separate the entries"
    else:
        # At the end of the file, also remove the separator between the copy and the entry above.
        while last == len(lines) and not _is_text(lines[first - 2]):
            first -= 1
        new, does = "", "remove the copy"
    old = lines[first - 1 : last]
    texts = [new, *[""] * (len(old) - 1)]
    edits = map(Edit, range(first, last + 1), old, texts)
    return Fix(does, tuple(edits), restores=True)


def _is_as_it_was(
    restored: Sequence[Sequence[str]], places: Sequence[Entry], others: Sequence[Entry]
) -> bool:
    """Return False if somebody has since edited the damage in other entries of the file.

    For example, they rewrote an entry, or changed the copy that would be the only one left.
    """
    if restored:
        headings = {text_of(entry)[0] for entry in others}
        return headings.isdisjoint(text[0] for text in restored)
    kept = {line for entry in others if entry.key == places[0].key for line in text_of(entry)}
    return all(kept.issuperset(text_of(place)) for place in places)


def _is_text(line: str) -> bool:
    return bool(line.strip()) and not is_ruler(line)


def _gap(document: Document, places: Sequence[Entry]) -> tuple[str, ...]:
    """Return the lines, without terminators, that separate most undamaged entries."""
    whole = [entry for entry in document.entries[:-1] if entry not in places]
    gaps = Counter(tuple(map(chomp, entry.lines[len(text_of(entry)) :])) for entry in whole)
    return gaps.most_common(1)[0][0] if gaps else ("",) * bool(places[0].level)


def _in_file(file: CheckedFile) -> Iterator[Finding]:
    """Yield the findings that the file alone shows."""
    entries = file.document.entries
    beginnings = [_beginning(entry) for entry in entries]
    counts = Counter(beginnings)
    first: dict[str, Entry] = {}
    for entry, beginning in zip(entries, beginnings, strict=True):
        if not beginning or counts[beginning] == 1:
            continue
        earlier = first.setdefault(" ".join(entry.body.split()).rstrip("- "), entry)
        is_same = identity_key(None, earlier.heading) == identity_key(None, entry.heading)
        if not is_same and _is_long(entry):
            message = f"{quoted(entry.heading)} has the same text as {quoted(earlier.heading)}"
            advice = f"on line {earlier.first}; give each its own text, or join the two"
            yield file.finding(RULE, entry.first, f"{message} {advice}")
    if "" in beginnings:
        yield from _mixed(file, beginnings)


def _beginning(entry: Entry) -> str:
    return next((text for line in entry.lines[1:] if (text := line.strip(" \t\r\n-"))), "")


def _is_long(entry: Entry) -> bool:
    """Return True if two different lines of the text have content of their own."""
    fields = ((_FIELD.match(line), line) for line in entry.lines[1:])
    texts = {(field[2] if field else line).strip() for field, line in fields}
    return sum(any(sign.isalnum() for sign in text) for text in texts) > 1


def _mixed(file: CheckedFile, texts: Sequence[str]) -> Iterator[Finding]:
    """Yield headings without text directly before another, if a neighbour has two texts."""
    entries, spans = file.document.entries, file.document.spans
    full = [index for index, text in enumerate(texts) if text]
    hidden = file.document.hidden_lines
    doubled = {n for n in full if entries[n].level and _has_two_groups(entries[n], hidden)}
    follows = {span.first for span in spans if span.kind in (ENTRY, CATEGORY)} if doubled else set()
    for index, entry in enumerate(entries):
        if texts[index] or entry.last + 1 not in follows:
            continue
        below = bisect(full, index)
        neighbours = [*full[below : below + 1], *full[max(below - 1, 0) : below]]
        number = next((near for near in neighbours if near in doubled), None)
        if number is not None:
            neighbour = entries[number]
            message = f"{quoted(entry.heading)} has no text, while {quoted(neighbour.heading)}"
            where = f"on line {neighbour.first} has the fields of two entries"
            advice = "give each its own text again"
            yield file.finding(RULE, entry.first, f"{message} {where}; {advice}")


def _has_two_groups(entry: Entry, hidden: Container[int]) -> bool:
    """Return True if field labels return after others, or if two labels occur twice."""
    shown = [line for n, line in enumerate(entry.lines, entry.first) if n not in hidden]
    if any(_HEADING.match(line) for line in shown[1:]):
        return False
    # Fields inside a list, such as two options, are not fields of the entry.
    fields = (_FIELD.match(line) for line in shown if not line[0].isspace())
    labels = [field[1].casefold() for field in fields if field]
    returning = Counter(label for label, _ in groupby(labels))
    twice = [label for label, count in Counter(labels).items() if count > 1]
    return max(returning.values(), default=0) > 1 or len(twice) > 1
