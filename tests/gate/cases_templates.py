"""Files whose entries are written on one form, so that any two of them look alike."""

from __future__ import annotations

from tests.gate.case import Table, less, put
from tests.gate.entries import EXPORTER, FORMS, IMPORTER, QUEUE, SEARCH, WEBHOOK, on_form
from tests.gate.shapes import Entry, memory

TABLE = Table("one form for all entries")
add, change = TABLE.add, TABLE.change

NEW = on_form(
    "Image resizer eats the disk",
    "resizer",
    "temporary folder",
    "Give it a folder of its own with a quota and remove what is older than an hour.",
    28,
)
LOGIN = on_form(
    "Login page caches the form token",
    "login",
    "form token",
    "Send it without a cache header and renew it when the page is shown again.",
    27,
)
HEADINGS = "timestamped heading identified chapter category"
THREE = FORMS[:3]
add("lost", "one deleted, another added", HEADINGS, FORMS, (*less(FORMS, SEARCH), NEW))
TWO_NEW = (IMPORTER, NEW, LOGIN, WEBHOOK)
add("lost", "two deleted, two added in their places", "timestamped", FORMS, TWO_NEW)
AT_ITS_TIME = put(THREE, SEARCH, NEW._replace(day=SEARCH.day))
add("lost", "overwritten at its time stamp", "timestamped", THREE, AT_ITS_TIME)
EMPTY = (
    "**Context**: \n\n**Lesson**: \n\n**Application**: \n\n**Status**: Active, "
    "reviewed by the team, keep until the next retrospective."
)
EMPTIED = (IMPORTER.with_body(EMPTY), SEARCH.with_body(EMPTY), EXPORTER)
add("lost", "the lessons of two forms emptied", "heading", THREE, EMPTIED)


def rule(number: int, wrong: str, right: str) -> Entry:
    body = f"Never use {wrong} in a handler; always use {right} instead and say why in the review."
    return Entry(f"Prefer {right}", body, number)


RULES = (
    rule(1, "a bare lock", "the lease of the store"),
    rule(2, "the wall clock", "the monotonic timer"),
    rule(3, "string paths", "path objects"),
    rule(4, "global clients", "the client of the request"),
)
OTHER = rule(9, "raw cookies", "signed sessions")
NEW_RULE = (*less(RULES, RULES[1]), OTHER)
add("lost", "one rule deleted, another added", "bullet numbered table dated", RULES, NEW_RULE)
INCIDENT = """\
### What happened
{}

### Impact
{} minutes of errors for some of our customers, reported by the support team.

### Prevention
Added an alert and a test; the on-call handbook has a page about it."""
LOGS = tuple(
    Entry(title, INCIDENT.format(event, minutes), day)
    for day, (title, event, minutes) in enumerate(
        (
            ("Certificate expired", "The renewal ran as a user that cannot read the key.", 41),
            ("Disk full on the mirror", "Old snapshots were locked by a dead process.", 17),
            ("Queue stuck", "A poison message was retried without any limit.", 63),
            ("Wrong region", "The failover sent writes to the read replica.", 22),
        ),
        start=1,
    )
)
add("lost", "an incident replaced by the next one", "journal", LOGS[:3], less(LOGS, LOGS[2]))
OTHER_WORDS = ("gone when its worker is killed", "dropped if its worker dies", "0.3 %", "3 %")
RETITLED = QUEUE.titled("Acknowledge jobs after they ran").but(*OTHER_WORDS)
change("shown", "retitled and reworded", "heading", QUEUE, RETITLED, words="0.3 3")
BEHIND = SEARCH.titled("Search results lag behind").but("Wait for", "Always wait for")
add("named", "retitled and a word added", "timestamped", THREE, put(THREE, SEARCH, BEHIND))
add("silent", "an entry on the form added", "timestamped", THREE, (*THREE, NEW))
BETWEEN = (*RULES[:2], OTHER, *RULES[2:])
add("silent", "an entry on the form added between others", "table", RULES, BETWEEN)
add("silent", "the forms in another order", "chapter", FORMS, FORMS[::-1])
AS_LIST = memory("heading", *THREE).replace("\n\n**", "\n- **")
add("quiet", "the fields of all forms as a list", "heading", THREE, AS_LIST)
UNFILLED = "## [Title]\n\n**Context**: [what you did]\n\n**Lesson**: [what you learned]\n"
WITH_FORM = memory("heading", IMPORTER, SEARCH) + UNFILLED
add("silent", "an empty form removed", "heading", WITH_FORM, (IMPORTER, SEARCH))
UNFILLED = "## [YYYY-MM-DD-HHMMSS] [Short title]\n\n**Context**: [...]\n\n**Lesson**: [...]\n"
WITH_FORM = memory("timestamped", IMPORTER, SEARCH) + UNFILLED
add("silent", "an empty form filled in", "timestamped", WITH_FORM, THREE)
