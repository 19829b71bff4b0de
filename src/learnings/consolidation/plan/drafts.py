"""The draft of a merged text: the rule of each entry in whole sentences, to be rewritten."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

from learnings.consolidation.text.keywords import is_label, keys, labels_in, without_labels
from learnings.consolidation.text.titles import (
    BEGINS_BLOCK,
    first_paragraph,
    has_title,
    name_from,
    whole_title,
)
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import heading_text, item_text
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# Characters of an entry: below the first number another part is added, above the second no
# sentence, above the third no item of a list. Two, four and eight lines; chosen, not measured.
_SHORT, _LONG, _LONGEST = 160, 320, 640
_LEAST_COPIED, _COPIED = 12, 20  # characters at the end of a copied line; chosen
_MOST_CODE = 12  # lines of a code block that a draft repeats; chosen
_SAME_WORDS = 0.8  # share of keywords from which a sentence repeats a title; chosen

# Labels of parts that say what to do, of parts that tell why, and of parts that must not be
# quoted as a rule: what was wrong, and what was not chosen.
_CONCLUSION = lazy_pattern(
    r"(?:the |key )?(?:lesson|rule|fix|solution|resolution|takeaway|learning|application|decision"
    r"|action|correct pattern|do|insight|урок|правило|решение|教训|规则|教訓|ルール|lição|regra)s?",
    re.IGNORECASE,
)
_REASONS = ("rationale", "consequence", "consequences", "reason", "reasons", "why", "how")
_NEVER = lazy_pattern(
    r".*\b(?:anti-?patterns?|wrong|bad|mistakes?|incorrect|prior|beliefs?|assumptions?|previously"
    r"|authors?|agents?|by|owners?|who|participants?|branch|commits?|version|id|severity|priority|area"
    r"|alternatives?|options?|rejected|considered|dates?|status|tags|files|see(?: also)?|related"
    r"|sources?|references?|refs?|links?|logged|created|supersedes|consolidated from)\b.*"
    r"|дата|статус|источники?|日期|状态|来源|出典",
    re.IGNORECASE,
)
_WRONG = lazy_pattern(r"anti-?pattern|wrong|bad|mistake|incorrect|prior|alternative|option|reject")
_CIRCUMSTANCES = frozenset(
    """
context,when,evidence,problem,background,root cause,cause,example,examples,impact,symptom,symptoms
incident,note,notes,rationale,consequence,consequences,reason,why
contexto,problema,evidência,контекст,проблема,пример,背景,问题,原因
""".replace("\n", ",").split(",")
)
# A sentence with the blanks behind it; `e.g.` and `i.e.` do not end one.
_SENTENCE = lazy_pattern(
    r".+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)\s*"
)
_SENTENCE_END = lazy_pattern(r"[.!?。！？][\"')\]`*_]*\Z")
# The marker of an item or a quotation, with the box of a task.
_LEAD = lazy_pattern(rf"\A\s*(?:{LIST_MARKER}\s+(?:\[[ xX]\]\s+)?|>\s*)")
# A field on one line, such as `**Status**: Accepted`.
_FIELD = lazy_pattern(r"[ \t>*+-]*(\*\*[^*\n]{1,40}?:?\*\*:?)[ \t]+(\S[^\n]{0,60})")
# A row of a table, or a line of nothing but HTML.
_NO_PROSE = lazy_pattern(r"\s*(?:\||<summary|(?:</?\w[^>]*>\s*)+$)")
# Text that only links or dates, and the words of which are not a sentence.
_NO_WORDS = lazy_pattern(
    r"(?:\[[^\]]*\]\([^)]*\)|https?://\S+|`[^`]*`|\b\d{4}-\d{2}(?:-\d{2})?\b|\bor\b|\band\b|[\W\d_])+"
)


class _Part(NamedTuple):
    """A paragraph on one line without its label, and the list or code that it announces."""

    label: str
    text: str
    items: tuple[str, ...] = ()
    code: tuple[str, ...] = ()

    @property
    def says(self) -> bool:
        """False if it has no words of its own."""
        is_open = self.text.endswith((":", "：")) and not (self.items or self.code)
        has_words = self.text and not _NO_WORDS.fullmatch(self.text)
        return bool((has_words and not is_open) or self.items)

    @property
    def is_sentence(self) -> bool:
        """False for a name or another value of a field."""
        return bool(self.items or self.code) or len(keys(self.text)) > 2


def draft_of(entries: Sequence[Entry], labels: Collection[str] = ()) -> str:
    """Return the text of a merged entry: fields that all share, then an item for each entry.

    Items of one line become one item. labels are the casefolded labels that recur in the file.
    """
    if all(_is_one_line(entry) for entry in entries):
        lines = dict.fromkeys(first_paragraph(entry) for entry in entries)
        return " ".join(
            line if line.endswith((".", "!", "?", "。", ":")) else f"{line}." for line in lines
        )
    first, *others = map(_fields, entries)
    shared = [field for field in first if others and all(field in fields for fields in others)]
    items = (_draft_item(entry, labels) for entry in entries)
    return "\n".join([*shared, *([""] if shared else []), *items])


def _is_one_line(entry: Entry) -> bool:
    return not entry.level and sum(map(has_text, entry.lines)) == 1


def _fields(entry: Entry) -> list[str]:
    """Return the fields on one line that say something of the entry as a whole, like a status."""
    found = []
    for line in entry.lines[1:]:
        match = _FIELD.fullmatch(chomp(line).rstrip())
        if match and not _NO_WORDS.fullmatch(match[2]) and len(match[2].split()) <= 2:
            found.append(f"{match[1]} {match[2]}")
    return found


def _draft_item(entry: Entry, labels: Collection[str]) -> str:
    title = whole_title(entry).rstrip(" .:")
    if not has_title(entry):
        # Its title begins its first sentence, and is perhaps cut.
        below = _parts(entry.lines[1:], labels)
        items = tuple(item for part in below for item in part.items)
        said, code = _cut(_Part("", first_paragraph(entry), items), "")
        title = ""
    else:
        said, code = _rule(entry, labels)
    shown = "- " + ": ".join(filter(None, (title, said)))
    return "\n".join([shown, *([""] if code else []), *(f"  {line}".rstrip() for line in code)])


def _rule(entry: Entry, labels: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return what an entry says to do, and the code block that this announces.

    That is its conclusion, else the last recurring label that is not about the background, else
    what has no label, else its reasons; of these the first that does not just repeat the title.
    """
    every = [part for part in _parts(_body(entry), labels) if part.says]
    every.sort(key=lambda part: not part.is_sentence)
    parts = [part for part in every if not _NEVER.fullmatch(part.label)]
    rules = {*labels} - _CIRCUMSTANCES
    kinds = (
        [part for part in parts if _CONCLUSION.fullmatch(part.label)],
        [part for part in reversed(parts) if part.label in rules][:1],
        [part for part in parts if not part.label],
        [part for reason in _REASONS for part in parts if part.label == reason],
        parts,
        [part for part in every if part.is_sentence and not _WRONG.match(part.label)],
    )
    for kind in kinds:
        said, code = "", tuple[str, ...]()
        for part in kind:
            more, its_code = _cut(part, entry.title)
            if code or len(said) >= _SHORT or (said and len(said) + len(more) > _LONG):
                break
            said, code = _joined(said, more), its_code
        if said or code:
            return said, code
    return "", ()


def _joined(*texts: str) -> str:
    """Return texts in one line, each as a sentence."""
    said = ""
    for text in filter(None, texts):
        end = "" if not said or said.endswith((".", "!", "?", ":", ";", "。", "：")) else "."
        said = f"{said}{end} {text}".strip()
    return said


def _cut(part: _Part, title: str) -> tuple[str, tuple[str, ...]]:
    """Return the whole sentences and items of a part that fit, and the code that it announces."""
    sentences = [match[0].strip() for match in _SENTENCE.finditer(part.text)]
    while sentences and _repeats(sentences[0], title):
        del sentences[0]
    said = ""
    for sentence in sentences:
        if said and len(said) + len(sentence) > _LONG:
            return said, ()
        said = f"{said} {sentence}".strip()
    for number, item in enumerate(part.items):
        if number and len(said) + len(item) > _LONGEST:
            break
        end = ";" if number and not said.endswith((":", "：")) else ""
        said = f"{said}{end} {item.rstrip('.;,:')}".strip()
    return said, () if part.items else part.code


def _repeats(sentence: str, title: str) -> bool:
    """Return True if a sentence says hardly more than a title, and is hardly longer."""
    words, known = keys(sentence), {*keys(title)}
    is_short = len(sentence.split()) <= len(title.split()) + 1
    same = sum(word in known for word in words)
    return bool(words) and is_short and same >= _SAME_WORDS * len(words)


def _parts(lines: Sequence[str], labels: Collection[str]) -> Iterator[_Part]:
    """Yield the parts of a text, without comments; a heading labels those below it."""
    above, part = "", None
    for kind, block in _blocks(lines):
        is_open = part is not None and (not part.text or part.text.endswith((":", "：", ";")))
        if kind == "heading":
            above = heading_text(block[0]).casefold()
            continue
        if kind == "code":
            if part is not None and is_open and not part.items and len(block) <= _MOST_CODE:
                part = part._replace(code=block)
            continue
        label, text = _labelled(block[0], labels)
        is_next = kind == "item" and part is not None and is_open and not part.code
        if is_next and part is not None and not _is_known(label):
            part = part._replace(items=(*part.items, _LEAD.sub("", block[0], count=1)))
            continue
        if part is not None:
            yield part
        is_list = kind == "item" and not label
        part = _Part(label or above, "" if is_list else text, (text,) if is_list else ())
    if part is not None:
        yield part


def _is_known(label: str) -> bool:
    return is_label(label) or bool(label and _NEVER.fullmatch(label))


def _labelled(paragraph: str, labels: Collection[str]) -> tuple[str, str]:
    """Return the casefolded label of a paragraph, empty if it has none, and its other text."""
    text = _LEAD.sub("", paragraph, count=1)
    label = next(iter(labels_in(text)), "")
    if not label or not (_is_known(label) or label in labels):
        return "", text
    return label, " ".join(without_labels(text, {label}).split())


def _body(entry: Entry) -> list[str]:
    """Return the lines below the title; of an item, what follows its title comes first."""
    if entry.level:
        return list(entry.lines[1:])
    rest = item_text(entry.lines[0]).partition(entry.title)[2].lstrip(" \t*_.:–—-")
    return [rest, *entry.lines[1:]]


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield code blocks without indentation, and other blocks on one line each."""
    outline = outline_of([line if line.endswith("\n") else f"{line}\n" for line in lines])
    comments = outline.hidden_lines() - {
        number for block in outline.fences for number in range(block.first, block.last + 1)
    }
    kind, paragraph, code = "text", list[str](), list[str]()
    for number, line in enumerate([*lines, ""], start=1):
        bare = chomp(line).lstrip()
        if code:  # in a list item, too
            code.append(chomp(line))
            if bare.startswith(code[0].lstrip()[:3]):
                yield "code", tuple(dedent("\n".join(code)).split("\n"))
                code = []
            continue
        begins = BEGINS_BLOCK.match(line)
        if paragraph and (not bare or begins or number in comments):
            yield kind, (" ".join(" ".join(paragraph).split()),)
            paragraph = []
        if bare.startswith(("```", "~~~")):
            code = [chomp(line)]
        elif number in comments or not has_text(line) or _NO_PROSE.match(line):
            continue
        elif bare.startswith("#") and begins:
            yield "heading", (chomp(line),)
        else:
            if not paragraph:
                is_item = begins and _LEAD.match(line) and not bare.startswith(">")
                kind = "item" if is_item else "text"
            paragraph.append(line)


def fault_of_draft(text: str, entries: Sequence[Entry]) -> str:
    """Return the problem of a draft that a line is cut; empty if every line is whole."""
    sources = [whole_title(entry) for entry in entries]
    sources += [block[0] for entry in entries for _, block in _blocks(_body(entry))]
    lines = text.split("\n")
    hidden = outline_of([f"{line}\n" for line in lines]).hidden_lines()
    for number, line in enumerate(lines, start=1):
        said = line.strip().removeprefix("- ")
        end = said.rpartition(": ")[2][-_COPIED:]
        if number in hidden or len(end) < _LEAST_COPIED:
            continue
        rests = [source.partition(end)[2] for source in sources if end in source]
        if said.count("`") % 2 and any(rest.count("`") % 2 for rest in rests):
            return f"the draft cuts code; complete the line {quoted(line.strip())}"
        is_cut = rests and all(re.match(r"\s?\w", rest) for rest in rests)
        if is_cut and not _SENTENCE_END.search(said):
            return f"the draft ends inside a sentence; complete the line {quoted(line.strip())}"
    return ""


def fault_of_name(name: str, entries: Sequence[Entry]) -> str:
    """Return the problem of a name that is cut inside a word of an entry; empty if it is not."""
    titles = [whole_title(entry) for entry in entries]
    if name in map(name_from, titles):
        return ""
    for title in titles:
        if title.startswith(name) and re.match(r"\w", title[len(name) :]):
            return f"the name ends inside a word of {quoted(title)}; write a whole title"
    return ""
