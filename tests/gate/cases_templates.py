"""Files whose entries are written on one form, so that any two of them look alike."""

from __future__ import annotations

from tests.gate.case import Table, less, put
from tests.gate.entries import FORMS, IMPORTER, QUEUE, SEARCH, on_form
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
HEADINGS = "timestamped heading identified chapter category"
THREE = FORMS[:3]
add("lost", "one deleted, another added", HEADINGS, FORMS, (*less(FORMS, SEARCH), NEW))
AT_ITS_TIME = put(THREE, SEARCH, NEW._replace(day=SEARCH.day))
add("lost", "overwritten at its time stamp", "timestamped", THREE, AT_ITS_TIME)


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
UNFILLED = "## [YYYY-MM-DD-HHMMSS] [Short title]\n\n**Context**: [...]\n\n**Lesson**: [...]\n"
WITH_FORM = memory("timestamped", IMPORTER, SEARCH) + UNFILLED
add("silent", "an empty form filled in", "timestamped", WITH_FORM, THREE)
