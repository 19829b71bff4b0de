"""The text of sections, and files without entries that seem to have some, such as templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.core.entries import titles
from learnings.core.markdown.escapes import unescaped
from learnings.core.markdown.line_kinds import IGNORE_MARK, LIST_MARKER
from learnings.core.markdown.outline import Section
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# Maximum words of a title that can be a form field, such as `Context` or `What went well`.
FIELD_WORDS = 3

# A task box at the start of an item.
_TASK_BOX = lazy_pattern(r"\[[ xX]\][ \t]+")
# The lead of an item without bold text: at most four words and a colon.
_WORDS_BEFORE_COLON = lazy_pattern(r"(\w[^\s:]*(?: [^\s:]+){0,3}):(?:\s|$)")
# The name of a field in a title, with the sign that marks it as one: `❌ WRONG (…)`, `Problem: …`.
_NAME = r"(?P<name>[^\s:(]++(?: [^\s:(]++){0,2}+)(?::| ?\(|$)"
_FIELD_NAME = lazy_pattern(_NAME)
# The same behind signs and a number: `2. ❌ WRONG`.
_MARKED_NAME = lazy_pattern(rf"[\W\d_]*+{_NAME}")


# Titles and leads of the parts of one note, casefolded, whatever they are parts of.
_FIELD_NAMES = """
    context, background, problem, the problem, problem statement, issue, symptom, symptoms, root
    cause, root causes, cause, causes, analysis, investigation, evidence, decision, options, scope,
    status, options considered, alternatives, alternatives considered, rationale, reason,
    reasoning, why, why it matters, why this matters, why this works, impact, consequences,
    trade-offs, tradeoffs, outcome, result, results, test results, solution, the solution, fix, the
    fix, suggested fix, resolution, workaround, verdict, correct pattern, wrong, correct, right,
    anti-pattern, prevention, what happened, what went wrong, what went well, what went badly, what
    was done, what was built, what was inefficient, what we did, what we tried, what we learned,
    what worked, what didn't work, what did not work, what changed, key lessons, cost observations,
    patterns established, action, action items,
    next steps, follow-up, follow-ups, how to apply, takeaway, takeaways, the lesson, lesson
    learned, recommendation, verification, source, references, related, files, files changed
"""
FIELDS = frozenset(" ".join(name.split()) for name in _FIELD_NAMES.split(","))
# The signs behind such a title.
_LAST_SIGNS = lazy_pattern(r"[\W_]+$")


# Versions of a file repeat its titles and lines hundreds of times.
@lru_cache(maxsize=4096)
def is_field(title: str) -> bool:
    """Return True if a title or lead names a part of a note: `Context`, `❌ WRONG (…)`."""
    match = _MARKED_NAME.match(title if title[-1:].isalnum() else _LAST_SIGNS.sub("", title))
    return match is not None and match["name"].casefold() in FIELDS


class Lead(NamedTuple):
    """The lead of a list item, casefolded: bold text or words before a colon, no date or tag."""

    text: str
    is_bold: bool


@lru_cache(maxsize=4096)
def lead_of(line: str) -> Lead:
    text = _TASK_BOX.sub("", titles.item_text(line), count=1)
    bold = titles.BOLD.match(text)
    words = None if bold else _WORDS_BEFORE_COLON.match(text)
    lead = bold[2] if bold else words[1] if words else ""
    is_title = titles.own_words(lead) and not titles.starts_with_date(lead)
    return Lead("" if not is_title else lead.casefold().strip(" :.–—-"), bold is not None)


def beginning(title: str) -> str:
    """Return the name of a field at the start of a title, casefolded; empty without one."""
    match = _FIELD_NAME.match(title)
    return match["name"].casefold() if match else ""


# A placeholder for text: `[Short title]`, but not a link or a task box; `<date>`, `{topic}`,
# `YYYY-MM-DD`, `…`.
_BLANK = (
    r"\[(?![ xX]?\])[^\[\]]+\](?![(\[:])|<[a-z][\w _-]*>|\{\{?[^{}]+\}\}?|YYYY-MM(?:-DD)?|\.{3}|…"
)
# A title that consists of placeholders, at most with a general noun and a number: `[DATE] -
# [TYPE]`, `Session YYYY-MM-DD`, `L-XXX: [Title]`.
_BLANK_TITLE = lazy_pattern(
    rf"(?:(?:entry|example|learning|lesson|pattern|session|title|[A-Z]+-(?:N+|X+|0+))\W{{0,3}})?"
    rf"(?:(?:{_BLANK})[\s:|·*_()–—-]*)+",
    flags=re.IGNORECASE,
)
# The form of a date or of an id: `YYYY-MM-DD: Short title`, `[LRN-YYYYMMDD-XXX] category`.
_FORM = lazy_pattern(r"\bYYYY|\b[A-Z]{1,6}-(?:XXX?|NNN?)\b|\[[^\[\]]*(?:YYYY|XXX|NNN)[^\[\]]*\]")
# What each of them contains: matching it takes longer.
_LETTERS = ("YYYY", "XX", "NN")
# One word in brackets is a tag: `[Git]`.
ONE_TAG = lazy_pattern(r"\[[A-Za-z0-9_-]+\]")
# The name of a component in code style: `<Suspense>`.
_COMPONENT = lazy_pattern(r"<[A-Z]\w*>")
# A note that there is nothing: `_(no entries yet)_`, `*None recorded.*`, `(empty)`, `TBD`; but not
# `No retries on 409`.
_NOTHING = lazy_pattern(
    r"[*_(\[]*(?:(?:none|nothing|empty|n/a|tbd|todo|-)"
    r"|no (?:entries|items|learnings|lessons|notes)"
    r"|(?:none|nothing)(?: here)?"
    r"(?: (?:to report|so far|yet|recorded|logged|added|noted|documented|captured|here))+"
    r"|no (?:[\w-]+ ){1,3}?(?: ?(?:so far|yet|recorded|logged|added|noted|documented|captured))+"
    r"|(?:to be|will be) (?:added|filled|determined|defined|documented|done|written)[\w ]{0,20}"
    r")[.…:!]*[*_)\]]*[.]?",
    flags=re.IGNORECASE,
)
# The marker of an item, a task box, and the name of a field, bold or not.
_FIELD = lazy_pattern(
    rf"\s*(?:{LIST_MARKER}[ \t]+)?(?:\[[ xX]\][ \t]+)?"
    r"(?:(?:\*\*|__)[^*]+?:?(?:\*\*|__):?|[\w -]{1,30}+:(?=\s|$))?\s*"
)
# Words of a comment that shows the format of an entry.
_ASKS = lazy_pattern(r"\b(?:examples?|templates?|add|append|format)\b|YYYY", flags=re.IGNORECASE)
# A list item without text.
_EMPTY_ITEM = lazy_pattern(rf"\s*{LIST_MARKER}\s*$")
# A row of a table: at least two cells, with or without the outer bars.
_TABLE_ROW = lazy_pattern(r"\s*\|.*\|\s*|[^|]+\|[^|]+(?:\|.*)?")
# The row below the head of a table, without the whitespace around it.
_TABLE_RULE = lazy_pattern(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?")
# The names of things that move: the file, or all of its contents.
_THE_FILE = r"(?:this|the) (?:\w+ )?(?:file|document|page|log|list|memory)"
_THE_TEXT = r"(?:learnings|lessons|entries|notes|contents?)(?: of (?:this|the) \w+)?"
# A sentence that says that one of these is now elsewhere; not that a part is (`older entries were
# moved to …`), that entries will be, or where the file came from.
_MOVED = lazy_pattern(
    r"(?:^|[.!?:]\W)(?:(?![.!?:]\W)[\W_])*+"
    rf"(?:{_THE_FILE}\W+(?:(?:has|was)\W+(?:now\W+|been\W+)*|is\W+now\W+)?"
    rf"|(?:all|these|this|the|our|its)(?: (?:of|the|these|our|project))* {_THE_TEXT}\W+"
    r"(?:(?:have|has|were|was)\W+(?:now\W+|all\W+|been\W+)*|(?:are|is)\W+now\W+)?"
    rf"|(?:project )?{_THE_TEXT}\W+(?:have|has)\W+(?:now\W+|all\W+|been\W+)*|contents? )?"
    r"(?:(?:moved|migrated|relocated)(?=\s*(?:$|[^\w\s]|to\b|into\b|in\b|on\b))"
    r"(?![^.\n]{0,500}\b(?:from|here)\b)|(?:now lives?|lives? now) (?:in|at|under)\b)",
    flags=re.IGNORECASE | re.MULTILINE,
)
# The end of a path to a Markdown file, or to a folder (with a final slash).
_PATH = lazy_pattern(r"\w\.mdc?\b|\w/(?![\w/])")
# Maximum characters of a line that can be a placeholder or say that a file has moved: both are
# short, and some patterns above take quadratic time.
_LONGEST_LINE = 500


def is_pending(section: Section, lines: Sequence[str], numbers: Iterator[int]) -> bool:
    """Return True for a section of placeholders, rows or comments, without a date or an id.

    numbers are the lines (1-based) of its text.
    """
    title, first = section.title, next(numbers, 0)
    if is_blank_title(title):
        return True
    has_blank = bool(first) and is_place_holder(lines[first - 1])
    # Before the questions about the title, which take longer.
    if first and not has_blank and not _is_table_row(lines[first - 1]):
        return False
    marks = titles.marks_of(title)
    if marks.id or marks.stamp or titles.is_dated_title(title):
        return False
    if not first:
        source = lines[section.heading.line : section.last]
        comment = "".join(source)
        is_comment = "<!--" in comment and IGNORE_MARK not in comment
        is_comment = is_comment and ("#" not in comment or _ASKS.search(comment) is not None)
        return is_comment or any(map(_EMPTY_ITEM.match, source))
    rest = (lines[number - 1] for number in numbers)
    if has_blank:
        return all(map(is_place_holder, rest))
    table = list(rest)
    has_rule = any(_TABLE_RULE.fullmatch(line.strip()) for line in table)
    return has_rule and all(map(_is_table_row, table))


def _is_table_row(line: str) -> bool:
    return "|" in line and _TABLE_ROW.fullmatch(line.rstrip()) is not None


@lru_cache(maxsize=4096)
def is_place_holder(line: str) -> bool:
    """Return True if a line, perhaps after a field name, is a placeholder."""
    if len(line) > _LONGEST_LINE:
        return False
    line = unescaped(line)
    text = line.strip().lstrip("# \t").strip("*_")
    if _NOTHING.fullmatch(text) or is_blank_title(text):
        return True
    match = _FIELD.match(line.strip())
    if match is None or not match[0]:
        return False
    rest = line.strip()[match.end() :].strip("*_")
    if not rest:
        return ":" in match[0]
    return _NOTHING.fullmatch(rest) is not None or _is_blank(rest)


def says_moved(introduction: Sequence[str], below: Sequence[str]) -> bool:
    """Return True if an introduction says that the file has moved, and a path says where."""
    if any(len(line) > _LONGEST_LINE for line in introduction):
        return False
    short = (line for line in (*introduction, *below) if len(line) <= _LONGEST_LINE)
    unwrapped = "".join(
        f"{chomp(line)} " if line.strip() and line[0] != "#" else f"{chomp(line)}\n"
        for line in introduction
    )
    has_moved = _MOVED.search(unwrapped) is not None
    return has_moved and any(map(_PATH.search, short))


def is_of_template(title: str, body: Sequence[str]) -> bool:
    """Return True for a section with a blank title, unless that names a component above a text."""
    filled = (line for line in body if line.strip())
    return _COMPONENT.fullmatch(title) is None or all(map(is_place_holder, filled))


@lru_cache(maxsize=4096)
def is_blank_title(text: str) -> bool:
    """Return True if a title is a placeholder: `[DATE] - [TYPE]`, `ADR-XXX: Title`."""
    if len(text) > _LONGEST_LINE:
        return False
    if any(map(text.__contains__, _LETTERS)) and _FORM.search(text):
        return True
    return _is_blank(text) and not ONE_TAG.fullmatch(text)


def _is_blank(text: str) -> bool:
    # Without one of these signs there is no placeholder in it, and matching takes longer.
    has_sign = "[" in text or "<" in text or "{" in text or "..." in text or "…" in text
    return (has_sign or "-mm" in text.lower()) and _BLANK_TITLE.fullmatch(text) is not None
