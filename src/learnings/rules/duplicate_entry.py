"""Two entries have the same identity.

The identity of an entry is its time stamp or id together with its title, capitals and white space
apart; of a list item its first line without the date. With two of the same nobody can say which
one is meant, and after a merge the older text often stays beside the newer one.

What returns under three or more categories is a field of a form (`### Context`) and no entry, so
it is left alone. Entries without any title are another rule's matter.

Mend: join the two, or give each a title that tells it from the other.

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

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence

from learnings.core.document import Document, Entry
from learnings.core.findings import Finding, Severity, quoted
from learnings.core.keys import identity_key
from learnings.core.layout import CATEGORY
from learnings.core.titles import read_item
from learnings.rules.context import LEARNINGS, Context

ID = "duplicate-entry"
SEVERITY = Severity.ERROR
ROLES = LEARNINGS

_NUMBERED = re.compile(r" #\d+$")


def check(context: Context) -> Iterator[Finding]:
    """Give a finding for each entry whose identity an entry above it has."""
    categories = [span.first for span in context.document.spans if span.kind == CATEGORY]
    for key, (first, *others) in _repeated(context.document).items():
        if _is_form_field(categories, (first, *others)):
            continue
        for entry in others:
            message = f"{_compared(context, entry, first)}; join the two, or retitle one"
            yield context.finding(ID, SEVERITY, entry.first, message, subject=key)


def _compared(context: Context, entry: Entry, first: Entry) -> str:
    here, there = context.line(entry.first), context.line(first.first)
    if here.strip() == there.strip():
        return f"{quoted(here)} stands in line {first.first} already"
    return f"{quoted(here)} is the same entry as {quoted(there)} in line {first.first}"


def _repeated(document: Document) -> dict[str, list[Entry]]:
    """Return the entries that share an identity, by what they share."""
    if not any(_NUMBERED.search(entry.identity) for entry in document.entries):
        return {}
    groups: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in document.entries:
        groups[_own_key(entry)].append(entry)
    return {key: entries for key, entries in groups.items() if key and len(entries) > 1}


def _own_key(entry: Entry) -> str:
    """Return the identity without the number that a second entry gets: a title may end in one."""
    if entry.level:
        return identity_key(entry.stamp, entry.title)
    item = read_item(entry.lines[0])
    return identity_key(item.stamp, item.key_title)


def _is_form_field(categories: Sequence[int], entries: Sequence[Entry]) -> bool:
    """Whether entries are spread over the categories, given by their first lines, as fields are."""
    homes = {bisect(categories, entry.first) for entry in entries}
    return len(homes) >= 3 and 2 * len(homes) > len(entries)
