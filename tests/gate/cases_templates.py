"""Files whose entries are written on one form, so that any two of them look alike."""

from __future__ import annotations

from tests.gate.case import Table, less, put
from tests.gate.entries import FORMS, IMPORTER, QUEUE, SEARCH, on_form
from tests.gate.shapes import memory

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


OTHER_WORDS = ("gone when its worker is killed", "dropped if its worker dies", "0.3 %", "3 %")
RETITLED = QUEUE.titled("Acknowledge jobs after they ran").but(*OTHER_WORDS)
change("shown", "retitled and reworded", "heading", QUEUE, RETITLED, words="0.3 3")
BEHIND = SEARCH.titled("Search results lag behind").but("Wait for", "Always wait for")
add("named", "retitled and a word added", "timestamped", THREE, put(THREE, SEARCH, BEHIND))
add("silent", "an entry on the form added", "timestamped", THREE, (*THREE, NEW))
add("silent", "the forms in another order", "chapter", FORMS, FORMS[::-1])
AS_LIST = memory("heading", *THREE).replace("\n\n**", "\n- **")
add("quiet", "the fields of all forms as a list", "heading", THREE, AS_LIST)
UNFILLED = "## [YYYY-MM-DD-HHMMSS] [Short title]\n\n**Context**: [...]\n\n**Lesson**: [...]\n"
WITH_FORM = memory("timestamped", IMPORTER, SEARCH) + UNFILLED
add("silent", "an empty form filled in", "timestamped", WITH_FORM, THREE)
