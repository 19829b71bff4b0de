"""Entries as teams write them: several paragraphs, lists and code, in several languages."""

from __future__ import annotations

from tests.gate.shapes import Entry, part

POOL = Entry(
    "Connection pool runs dry under load",
    """\
The pool holds 20 connections for each worker, and a request that opens a nested transaction
takes two of them. Under load every worker waits for itself until the gateway gives up.

Raise `pool_size` or open the nested session from the same connection:

```python
with session.begin_nested():
    audit.write(event, retries=3)
```

Seen twice in May on the invoicing service; the dashboard showed rising latency alone.""",
    1,
)
CLOCK = Entry(
    "Freeze the clock in billing tests",
    """\
Invoices are dated in the customer's time zone, so a test that runs after 22:00 UTC bills the
next month. Freeze the clock at noon. Do not mock `date.today` alone: the ledger reads the
monotonic clock as well, and both have to agree on the day.""",
    2,
)
CACHE = Entry(
    "Stale build cache hides a missing dependency",
    """\
The runner restores its package cache by branch name, so a package that was removed from the lock
file can still be imported there, and the release image fails instead.

- Clear the cache when `uv.lock` changes.
- Never restore a cache that another branch has written.
- Run `make clean test` before a release is tagged.
- Compare the list of installed packages with the lock file once a week.""",
    3,
)
QUEUE = Entry(
    "Workers must acknowledge late",
    """\
A job that is acknowledged before it has run is gone when its worker is killed. Set
`acks_late=True` and make each handler idempotent by the key of its message. Priya measured 0.3 %
of all jobs lost during deployments until that was changed in the billing workers.""",
    5,
)
LIMIT = Entry(
    "Request limits of the payment provider",
    """\
The provider allows 84 requests in a minute for each merchant. Above that it answers with a 429 and,
after three of those, blocks the key for an hour.

Back off with jitter, and never retry a conflict: the second charge goes through. Ask for a higher
limit two weeks ahead of a sale, since their support answers on weekdays only.""",
    6,
)
SHELL = Entry(
    "Release script needs a clean tree",
    """\
The release script tags whatever is checked out, dirty or not. Look at the tree first and stop if
anything is left in it:

```sh
# git clean -fdx would delete the local certificates
git status --porcelain | grep . && exit 1
timeout 90 ./scripts/release.sh --depth -1 --channel beta
```

A depth of -1 means the whole history; the changelog is empty for any other value.""",
    7,
)
PATCH = Entry(
    "Vendored parser carries one local patch",
    """\
Our copy of the parser differs from upstream in a single line. Apply it again after each update:

```diff
 def width(cell):
-    return len(cell)
+    return wcwidth.wcswidth(cell)
```

Without it, tables with wide characters are cut in the middle of a word.""",
    8,
)
SORT = Entry(
    "Sort names by the collation of the tenant",
    """\
Swedish customers reported that names in Ö stood before those in P. Sorting in Python compares code
points; let the database sort with the collation of the tenant, and keep the index on the same
collation or each page of the list scans the table.""",
    9,
)
STEPS = Entry(
    "Rotating the signing key without downtime",
    """\
Clients keep the public key for a day, so the order of the steps matters more than their speed:

1. Publish the new public key beside the old one.
2. Wait until every client has fetched the list, a day at least.
3. Sign with the new key and watch the rate of refused tokens.
4. Withdraw the old public key a week later, not before.

Karim skipped the second step once, and all sessions on phones ended at the same time.""",
    10,
)
TOKENS = Entry(
    "Tokens leak through debug logging",
    """\
The client library writes request headers to the log at level debug, bearer tokens included, and our
log store keeps them for a year. Filter the header in the formatter rather than at each call, and
have the nightly scan look for the prefix of our tokens.""",
    11,
)
FLAGS = Entry(
    "Feature flags outlive their release",
    """\
A flag that is on for everybody still costs two code paths and a lookup for each request. Give every
flag an owner and a date of removal when it is made; the weekly report names the flags that are
past their date, and whoever owns one removes it in the same sprint.""",
    12,
)

# One sentence or two each, for lists and tables.
RETRY = Entry(
    "Never retry on a conflict",
    "The provider has taken the charge already, so a second attempt bills the customer twice; read "
    "the state of the order first and stop if it is paid.",
    1,
)
FIXTURE = Entry(
    "Build fixtures from the schema",
    "Hand-written fixtures missed the column that the migration of January added, and the tests "
    "stayed green for 16 days while imports failed.",
    2,
)
INDEXES = Entry(
    "Create indexes concurrently",
    "A plain index locks the table for writes, which took the shop down for 11 minutes; run the "
    "migration outside a transaction and check that the index is valid.",
    3,
)
BATCH = Entry(
    "Send mail in batches of fifty",
    "Larger batches are throttled by the relay without an error, and half of the newsletter "
    "arrives a day late; Ines watches the queue on Mondays.",
    4,
)
ICONS = Entry(
    "Load icons from the sprite",
    "Single files cost a request each on the old protocol, and the list of products asked for 140 "
    "of them before the first row was drawn.",
    5,
)
SHORT = (RETRY, FIXTURE, INDEXES, BATCH, ICONS)

# Decisions, with a status and a date.
RECORD_TEXTS = {
    "Orders live in one database": """\
Splitting orders by region made every report a join over the network, and two regions disagreed for
6 hours in January. We keep one database and put read replicas near the users.""",
    "Events carry the whole object": """\
Consumers that fetched the object saw a newer one than the event spoke of. An event holds all
fields, at most 64 KB; larger parts are stored first, and the event links them.""",
    "No shared sessions between shops": """\
Two shops on one session store logged each other's customers out. Each shop has a store of its own,
and signing in once works by tokens that live for ten minutes.""",
}
RECORDS = tuple(
    Entry(
        f"ADR-00{number}: {title}",
        f"- **Status:** Accepted\n- **Date:** 2026-03-0{number}\n\n{body}",
        number,
    )
    for number, (title, body) in enumerate(RECORD_TEXTS.items(), 1)
)

# Fields, for files whose entries are written on one form.
FORM = """\
**Context**: While working on the {} we noticed that the {} did not behave as documented.

**Lesson**: {}

**Application**: Apply this whenever you touch the {} and tell the team in the weekly meeting.

**Status**: Active, reviewed by the team, keep until the next retrospective."""


def on_form(title: str, subject: str, surprise: str, lesson: str, day: int) -> Entry:
    return Entry(title, FORM.format(subject, surprise, lesson, subject), day)


IMPORTER = on_form(
    "CSV importer guesses the encoding",
    "importer",
    "encoding",
    "Read the first bytes for a mark and refuse what is neither UTF-8 nor Windows-1252.",
    1,
)
SEARCH = on_form(
    "Search index lags behind writes",
    "search",
    "refresh interval",
    "Wait for the refresh in tests and show the written row from the database meanwhile.",
    2,
)
EXPORTER = on_form(
    "PDF export forgets embedded fonts",
    "export",
    "font cache",
    "Ship the two fonts with the image and let the renderer fail if one cannot be found.",
    3,
)
WEBHOOK = on_form(
    "Webhooks arrive out of order",
    "webhooks",
    "sequence number",
    "Compare the version of the object with the stored one and drop anything that is older.",
    4,
)
FORMS = (IMPORTER, SEARCH, EXPORTER, WEBHOOK)

TARGET = "agents/decisions/operations.md"


def target(*moved: Entry) -> dict[str, str]:
    """Return a target file with entries that moved there."""
    text = "# Operations\n\n## Nightly jobs\n\nThey start at two and take an hour.\n\n"
    return {TARGET: text + "".join(part("heading", entry) for entry in moved)}
