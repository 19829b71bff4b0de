"""Titles of entries as they are meant: whole, or cut where a reader would cut them."""

from __future__ import annotations

from learnings.core.entries.document import Entry
from learnings.core.entries.titles import CONSOLIDATED, item_text, read_item
from learnings.core.labels import without_labels
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text
from learnings.core.patterns import lazy_pattern
from learnings.core.phrases import CLAUSE_END, NO_END, SENTENCE_END, cut_at

LONGEST_NAME = 80
"""Most characters of the name of a merged entry, one line of a report. Chosen, not measured."""

BEGINS_BLOCK = lazy_pattern(
    rf"\s*(?:{LIST_MARKER}\s|#{{1,6}}\s|>|\||`{{3}}|~{{3}}|(?:\*\*|__)[^*_]+(?::\*\*|\*\*:|:__|__:))"
)
"""The start of a line that does not continue a paragraph: an item, a heading, a bold label …"""

# A bold title, unless it is the beginning of a sentence.
_BOLD_TITLE = lazy_pattern(r"(\*\*|__)(?=\S).+?(?:[:.]\1|(?<=\S)\1(?!\s*[,;a-z]))")
# The box of a task.
_BOX = lazy_pattern(r"\A\[[ xX]\]\s+")


def has_title(entry: Entry) -> bool:
    """Return False for a list item whose title is just the beginning of its text."""
    return bool(entry.level or _BOLD_TITLE.match(item_text(entry.lines[0])))


def first_paragraph(entry: Entry) -> str:
    """Return the text of a list item up to a list, code or blank line, without marker and date."""
    text = _BOX.sub("", item_text(entry.lines[0]))
    for line in entry.lines[1:]:
        if not has_text(line) or BEGINS_BLOCK.match(line):
            break
        text += f" {line}"
    return _without_date(" ".join(text.split()))


def whole_title(entry: Entry) -> str:
    """Return the title of an entry on one line without a date; that of a list item is not cut."""
    title = entry.title if has_title(entry) else first_paragraph(entry)
    return _without_date(" ".join(title.replace(CONSOLIDATED, " ").split()))


def _without_date(text: str) -> str:
    bare = read_item(f"- {text}").key_title
    return bare.replace("****", "").strip() or text  # a date in bold leaves its marks


def name_from(title: str) -> str:
    """Return a title without a label, a long one cut between clauses; empty if it cannot be cut.

    Half a clause names nothing.
    """
    title = without_labels(title).strip() or title
    if len(title) <= LONGEST_NAME:
        return title.rstrip(NO_END)
    return cut_at((SENTENCE_END, CLAUSE_END), title, most=LONGEST_NAME)
