"""Two entries have the same title, or the same id.

The rule ignores capitals and white space. A date or id in the title counts; for a list item, the
rule compares the first line without the date. With two such entries, nobody can tell which one a
plan or a reference means. Usually a merge has left the older text beside the newer text, so compare
the texts, and join them if they teach the same lesson. The rule also reports two entries with the
same id and different titles, because two branches took the same number.

The rule does not report

- a title that occurs below three or more categories (headings one level higher), because it is a
  field of a template (`### Context`);
- two or more short titles (at most three words) that the same two categories have in common, if the
  texts below them differ: these are fields of a template, too;
- equal ids, if most ids of the file occur on several entries, such as the numbers of issues;
- headings that are only a date or only tags.

Fix: join the two entries, or give one of them another title or id; other capitals are not enough.

Bad:

  ```markdown
  ## When a build hangs

  Look at the lock.

  ## When a Build hangs

  Kill the daemon.
  ```

Good:

  ```markdown
  ## When a build hangs

  Look at the lock.

  ## When a build hangs on CI

  Kill the daemon.
  ```
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from learnings.core.entries.dialects import IDENTIFIED
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import CATEGORY
from learnings.core.entries.titles import TWIN_NUMBER, heading_text, marks_of, own_words
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("duplicate-entry", Severity.ERROR, LEARNINGS)

# Most words in the title of a form field; chosen from forms: `Context`, `Next steps`.
_FIELD_WORDS = 3
# From this number of ids with several entries each, ids may name something else. Chosen so that a
# merge of two branches that took the same numbers is still found.
_MANY_IDS = 3


def check(file: CheckedFile) -> Iterator[Finding]:
    repeated = _repeated(file.document)
    fields = _form_fields(file, repeated) if repeated else ()
    for key, (first, *repetitions) in repeated.items():
        if key in fields:
            continue
        advice = "renumber" if _id_of(file.document, first) else "retitle"
        for entry in repetitions:
            message = f"{_compared(file, entry, first)}; join the two, or {advice} one"
            yield file.finding(RULE, entry.first, message, subject=key)
    for entry, first in _same_ids(file.document):
        title, other = quoted(file.line(entry.first)), quoted(file.line(first.first))
        message = f"{title} has the same id as {other} on line {first.first}; renumber one"
        yield file.finding(RULE, entry.first, message)


def _id_of(document: Document, entry: Entry) -> str | None:
    """Return the case-folded id of an entry; None if the entries of this file have no ids."""
    if document.dialect.name != IDENTIFIED:
        return None
    entry_id = marks_of(heading_text(entry.lines[0])).id
    return entry_id.strip().casefold() if entry_id else None


def _same_ids(document: Document) -> Iterator[tuple[Entry, Entry]]:
    """Yield each entry that repeats an id with another title, and the first entry with that id."""
    by_id: defaultdict[str, dict[str, Entry]] = defaultdict(dict)
    for entry in document.entries:
        entry_id = _id_of(document, entry)
        if entry_id and not entry.superseded:  # its replacement may take its id
            by_id[entry_id].setdefault(entry.key, entry)
    shared = [list(entries.values()) for entries in by_id.values() if len(entries) > 1]
    if len(shared) >= _MANY_IDS and 2 * len(shared) > len(by_id):
        return
    for first, *others in shared:
        for entry in others:
            yield entry, first


def _compared(file: CheckedFile, entry: Entry, first: Entry) -> str:
    line, first_line = file.line(entry.first), file.line(first.first)
    if line.strip() == first_line.strip():
        return f"{quoted(line)} is already on line {first.first}"
    return f"{quoted(line)} is the same entry as {quoted(first_line)} on line {first.first}"


def _repeated(document: Document) -> dict[str, list[Entry]]:
    if not any(TWIN_NUMBER.search(entry.identity) for entry in document.entries):
        return {}
    groups: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in document.entries:
        if own_words(entry.title) or _id_of(document, entry):
            groups[entry.key].append(entry)
    return {key: entries for key, entries in groups.items() if len(entries) > 1}


def _form_fields(file: CheckedFile, repeated: Mapping[str, Sequence[Entry]]) -> set[str]:
    """Return the keys of entries that are fields of a form, spread over the categories.

    Such a field stands under three or more categories. A short one, with different text each time,
    may also stand under two categories with different titles that share another such entry.
    """
    categories = [span.first for span in file.document.spans if span.kind == CATEGORY]
    groups = {
        key: [bisect(categories, entry.first) for entry in entries]
        for key, entries in repeated.items()
    }
    keys_in: defaultdict[int, set[str]] = defaultdict(set)
    for key, numbers in groups.items():
        for number in numbers:
            keys_in[number].add(key)
    # The first category is preamble: its heading is the last one above the first entry.
    headings, first_entry = file.document.outline.headings, file.document.entries[0].first
    introducing = max((h.line for h in headings if h.line < first_entry), default=0)
    names = [file.line(line).casefold() for line in (introducing, *categories)]
    twice = {key: (pair[0], pair[1]) for key, pair in groups.items() if len(pair) == 2}
    alike = {
        (first, second)
        for first, second in set(twice.values())
        if names[first] != names[second] and len(keys_in[first] & keys_in[second]) > 1
    }
    fields = set()
    for key, numbers in groups.items():
        entries, count = repeated[key], len(set(numbers))
        texts = {" ".join(entry.body.split()) for entry in entries}
        is_short = len(entries[0].title.split()) <= _FIELD_WORDS and len(texts) == len(entries)
        if (count >= 3 and 2 * count > len(numbers)) or (twice.get(key) in alike and is_short):
            fields.add(key)
    return fields
