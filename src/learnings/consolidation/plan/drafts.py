"""The draft of a merged text: a sentence or two of each entry, to be rewritten."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from learnings.consolidation.text.keywords import labels_in, without_labels
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import TITLE_LENGTH, item_text
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text
from learnings.core.patterns import lazy_pattern

# Characters: below the first number a second sentence is added. No draft of an entry is longer than
# the second unless its only sentence is. One and two wrapped lines; chosen, not measured.
_SHORT, _LONG = 80, 240
# Most characters of a sentence in a summary.
_LONGEST = 480
CUT = "…"
"""Stands in a draft for a sentence that is too long; somebody has to write a shorter one."""

# Labels of the paragraph with the rule; other paragraphs tell its background.
_CONCLUSION = lazy_pattern(
    r"[\s>*_-]*(?:lesson|rule|fix|solution|resolution|takeaway|learning|application|decision"
    r"|action|correct pattern|do|insight|урок|правило|решение|教训|规则|教訓|ルール|lição|regra)"
    r"s?[*_]*\s*[:：]",
    re.IGNORECASE,
)
# Labels of paragraphs about the background or the consequences of a rule. The issue names the first
# eight.
_CIRCUMSTANCES = frozenset(
    """
context,source,when,evidence,problem,background,status,date,root cause,cause,rationale,reason,why
example,examples,impact,related,consequence,consequences,symptom,symptoms,anti-pattern,incident,note
notes,see,see also,sources,reference,references,tags,files
contexto,problema,evidência,источник,контекст,проблема,пример,背景,问题,原因
""".replace("\n", ",").split(",")
)
# A sentence with the text up to the next one; `e.g.` and `i.e.` do not end a sentence.
_SENTENCE = lazy_pattern(
    r".+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)\s*"
)
# The start of a new paragraph: a list item, a heading, a quote, a table row, a bold label.
_BEGINS = lazy_pattern(rf"\s*(?:{LIST_MARKER}\s|#{{1,6}}\s|>|\||\*\*[^*]+(?::\*\*|\*\*:))")
_LEAST_COPIED = 20  # characters before an ellipsis; chosen, a copied sentence has more
# The marker at its start.
_LEAD = lazy_pattern(rf"\A\s*(?:{LIST_MARKER}\s+|>\s*)")


def draft_of(entries: Sequence[Entry], labels: Collection[str] = ()) -> str:
    """Return a list with an item for each entry: its title and its most telling sentence.

    labels are the casefolded labels that recur in the file of the entries.
    """
    return "\n".join(_draft_item(entry, labels) for entry in entries)


def _draft_item(entry: Entry, labels: Collection[str] = ()) -> str:
    if not entry.level and len(entry.title) == TITLE_LENGTH:
        # The title was cut, perhaps within a word, so use the whole line.
        return f"- {' '.join(item_text(entry.lines[0]).split())}"
    title = " ".join(entry.title.split()).rstrip(" .:")
    said = _sentences(entry, labels)
    return f"- {title}: {said}" if said else f"- {title}"


def cut_lines(text: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of a merged text that a draft has cut and nobody has completed.

    Older drafts end within a sentence of an entry.
    """
    ends = [line for line in map(str.strip, text.split("\n")) if line.endswith(CUT)]
    if not ends:
        return
    drafts = {_draft_item(entry) for entry in entries}
    contents = [" ".join(" ".join(map(_plain, _paragraphs(entry))).split()) for entry in entries]
    for line in ends:
        said = line.removesuffix(CUT).rstrip()
        last = said[-_LEAST_COPIED:]
        is_copied = len(said) > _LEAST_COPIED and any(last in content for content in contents)
        if line in drafts or is_copied:
            yield line


def _sentences(entry: Entry, labels: Collection[str]) -> str:
    """Return one or two whole sentences of an entry, or CUT for one that is too long.

    They come from its conclusion, or else from the last paragraph with a recurring label that is
    not about the background, or else from the first paragraph.
    """
    paragraphs = [text for text in _paragraphs(entry) if not text.startswith("|")]
    starts = [number for number, text in enumerate(paragraphs) if _CONCLUSION.match(text)]
    rules = {*labels} - _CIRCUMSTANCES
    leading = [labels_in(text)[:1] for text in paragraphs]
    starts += reversed([number for number, own in enumerate(leading) if rules.intersection(own)])
    first, *rest = paragraphs[starts[0] if starts else 0 :] or [""]
    text = _plain(first, labels) or ":"  # a label alone announces a list, too
    for item in rest:  # a colon announces these list items
        added = f" {_plain(item).rstrip('.;,')};"
        is_announced = text.endswith((":", "：", ";")) and _LEAD.match(item)
        if not is_announced or len(text) + len(added) > _LONG:
            break
        text += added
    text = text.lstrip(": ").rstrip(";")
    said = ""
    for match in _SENTENCE.finditer(text):
        if said and len(said) + len(match[0]) > _LONG:
            break
        said += match[0]
        if len(said) >= _SHORT:
            break
    return said.strip() if len(said) <= _LONGEST else CUT


def _plain(paragraph: str, labels: Collection[str] = ()) -> str:
    """Return a paragraph without its item marker and labels."""
    return " ".join(without_labels(_LEAD.sub("", paragraph, count=1), labels).split())


def _paragraphs(entry: Entry) -> Iterator[str]:
    """Yield the paragraphs below the title, each on one line, without code and comments."""
    hidden = outline_of(entry.lines).hidden_lines()
    rest = "" if entry.level else item_text(entry.lines[0]).partition(entry.title)[2]
    rest = rest.lstrip(" \t*_.:–—-")
    lines = [rest, *("" if n in hidden else line for n, line in enumerate(entry.lines, start=1))]
    del lines[1]  # the title
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if (not has_text(line) or _BEGINS.match(line)) and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if has_text(line) and not line.lstrip().startswith("#"):
            paragraph.append(" ".join(line.split()))
