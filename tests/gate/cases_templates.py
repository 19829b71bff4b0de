"""Files whose entries are written on one form, so that any two of them look alike."""

from __future__ import annotations

from tests.gate.case import Table
from tests.gate.entries import EXPORTER, IMPORTER, POOL, QUEUE, SEARCH, TOKENS, WEBHOOK, on_form
from tests.gate.shapes import Entry, memory

TABLE = Table("one form for all entries")

NEW = on_form(
    "Image resizer eats the disk",
    "resizer",
    "temporary folder",
    "Give it a folder of its own with a quota and remove what is older than an hour.",
    28,
)
for shape in ("timestamped", "heading", "identified", "chapter", "category"):
    TABLE.lost(
        f"one deleted, another added, {shape}",
        shape,
        memory(shape, IMPORTER, SEARCH, EXPORTER, WEBHOOK),
        memory(shape, IMPORTER, EXPORTER, WEBHOOK, NEW),
        SEARCH.title,
    )
TABLE.lost(
    "two deleted, two added in their places",
    "timestamped",
    memory("timestamped", IMPORTER, SEARCH, EXPORTER, WEBHOOK),
    memory(
        "timestamped",
        IMPORTER,
        NEW,
        on_form(
            "Login page caches the form token",
            "login",
            "form token",
            "Send it without a cache header and renew it when the page is shown again.",
            27,
        ),
        WEBHOOK,
    ),
    *(SEARCH.title, EXPORTER.title),
)
TABLE.lost(
    "one overwritten by another at its time stamp",
    "timestamped",
    memory("timestamped", IMPORTER, SEARCH, EXPORTER),
    memory("timestamped", IMPORTER, NEW._replace(day=SEARCH.day), EXPORTER),
    SEARCH.title,
)
TABLE.lost(
    "only the lesson of each form emptied",
    "heading",
    memory("heading", IMPORTER, SEARCH, EXPORTER),
    memory(
        "heading",
        *(
            entry.with_body(
                "**Context**: \n\n**Lesson**: \n\n**Application**: \n\n**Status**: Active, "
                "reviewed by the team, keep until the next retrospective."
            )
            for entry in (IMPORTER, SEARCH)
        ),
        EXPORTER,
    ),
    *(IMPORTER.title, SEARCH.title),
)


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
for shape in ("bullet", "numbered", "table"):
    TABLE.lost(
        f"one rule deleted, another added, {shape}",
        shape,
        memory(shape, *RULES),
        memory(shape, RULES[0], RULES[2], RULES[3], OTHER),
        RULES[1].title,
    )
TABLE.lost(
    "one rule deleted, another added, dated items",
    "dated",
    memory("dated", *RULES),
    memory("dated", RULES[0], RULES[2], RULES[3], OTHER),
    RULES[1].title,
)
INCIDENT = """\
### What happened
{}

### Impact
{} minutes of errors for some of our customers, reported by the support team.

### Prevention
Added an alert and a test; the on-call handbook has a page about it."""


def incident(title: str, what: str, minutes: int, day: int) -> Entry:
    return Entry(title, INCIDENT.format(what, minutes), day)


LOGS = (
    incident("Certificate expired", "The renewal ran as a user that cannot read the key.", 41, 1),
    incident("Disk full on the mirror", "Old snapshots were locked by a dead process.", 17, 2),
    incident("Queue stuck", "A poison message was retried without any limit.", 63, 3),
)
TABLE.lost(
    "an incident replaced by the next one",
    "journal",
    memory("journal", *LOGS),
    memory(
        "journal",
        *LOGS[:2],
        incident("Wrong region", "The failover sent writes to the read replica.", 22, 4),
    ),
    LOGS[2].title,
)
TABLE.shown(
    "retitled and reworded",
    "heading",
    memory("heading", POOL, QUEUE, TOKENS),
    memory(
        "heading",
        POOL,
        QUEUE.titled("Acknowledge jobs after they ran").but(
            ("gone when its worker is killed", "dropped if its worker dies"), ("0.3 %", "3 %")
        ),
        TOKENS,
    ),
    QUEUE.title,
    *("0.3", "3"),
)
TABLE.named(
    "retitled with one more word, on the form",
    "timestamped",
    memory("timestamped", IMPORTER, SEARCH, EXPORTER),
    memory(
        "timestamped",
        IMPORTER,
        SEARCH.titled("Search results lag behind").but(("Wait for", "Always wait for")),
        EXPORTER,
    ),
    SEARCH.title,
)
TABLE.silent(
    "an entry on the form added",
    "timestamped",
    memory("timestamped", IMPORTER, SEARCH, EXPORTER),
    memory("timestamped", IMPORTER, SEARCH, EXPORTER, NEW),
)
TABLE.silent(
    "an entry on the form added between others",
    "table",
    memory("table", *RULES),
    memory("table", *RULES[:2], OTHER, *RULES[2:]),
)
TABLE.silent(
    "the forms in another order",
    "chapter",
    memory("chapter", IMPORTER, SEARCH, EXPORTER, WEBHOOK),
    memory("chapter", WEBHOOK, EXPORTER, SEARCH, IMPORTER),
)
TABLE.quiet(
    "the fields of all forms as a list",
    "heading",
    memory("heading", IMPORTER, SEARCH, EXPORTER),
    memory("heading", IMPORTER, SEARCH, EXPORTER).replace("\n\n**", "\n- **"),
)
TABLE.silent(
    "an empty form removed",
    "heading",
    memory("heading", IMPORTER, SEARCH)
    + "## [Title]\n\n**Context**: [what you did]\n\n**Lesson**: [what you learned]\n",
    memory("heading", IMPORTER, SEARCH),
)
TABLE.silent(
    "an empty form filled in",
    "timestamped",
    memory("timestamped", IMPORTER, SEARCH)
    + "## [YYYY-MM-DD-HHMMSS] [Short title]\n\n**Context**: [...]\n\n**Lesson**: [...]\n",
    memory("timestamped", IMPORTER, SEARCH, EXPORTER),
)
