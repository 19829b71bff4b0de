"""The draft of a merged text: what each entry says to do, in whole sentences, to be shortened."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations, zip_longest
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.titles import (
    BEGINS_BLOCK,
    LONGEST_NAME,
    first_paragraph,
    has_title,
    name_from,
    whole_title,
)
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import heading_text, item_text, written_item
from learnings.core.findings.finding import quoted
from learnings.core.labels import (
    CIRCUMSTANCE,
    FACT,
    RULE,
    WHY,
    WRONG,
    is_label,
    kind_of,
    labels_in,
    without_labels,
)
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text
from learnings.core.patterns import lazy_pattern
from learnings.core.phrases import sentences_in
from learnings.core.text import chomp

_LEAST_COPIED, _COPIED = 12, 20  # characters at the end of a copied line; chosen
_SAME_WORDS = 0.8  # share of keywords from which a sentence repeats a title; chosen
_SAID, _LEAST_WORDS = 0.9, 3  # keywords of a sentence that another one says; chosen
# Words from which a gist of a short and a long entry ends, and of the longest; chosen: half of the
# entries in two real files have a rule that is no longer (a fifth with 12 and 30, and agents read
# most entries beside the plan). It is a third of the entry in between.
_GIST, _LONG_GIST, _LONGEST_GIST = 12, 24, 40
_NAME_ENDS = (3, 2)  # words by which the end of a name is found in its text; chosen

_NO_RULES = (WRONG, FACT)
# The marker of an item or a quotation, with the box of a task.
_LEAD = lazy_pattern(rf"\A\s*(?:{LIST_MARKER}\s+(?:\[[ xX]\]\s+)?|>\s*)")
# A field on one line, such as `**Status**: Accepted`.
_FIELD = lazy_pattern(r"[ \t>*+-]*(\*\*[^*\n]{1,40}?:?\*\*:?)[ \t]+(\S[^\n]*)")
_SENTENCE_END = lazy_pattern(r"[.!?。！？][\"')\]`*_]*\Z")
_FENCE = lazy_pattern(r"`{3}[^`]*$|~{3}")
# A line of nothing but HTML.
_HTML = lazy_pattern(r"\s*(?:<summary|(?:</?\w[^>]*>\s*)+$)")
# Text that only links or dates, and the words of which are not a sentence. Each part is read in one
# way.
_NO_WORDS = lazy_pattern(
    r"(?>\[[^\[\]]*\]\([^)\[]*\)|https?://\S+|`[^`]*`|\b\d{4}-\d{2}(?:-\d{2})?\b|\bor\b|\band\b"
    r"|[\W\d_])++"
)
_TEXT, _ITEM, _BLOCK, _HEADING = "text", "item", "block", "heading"


class _Part(NamedTuple):
    """A heading, paragraph or item on one line, or the lines of code or a table.

    whole is all of it. text is the line without a marker, and without a label that is shown
    neither. label is casefolded, and that of the lines above if it has none of its own.
    """

    kind: str
    whole: str
    text: str
    label: str = ""
    marker: str = ""


def draft_of(entries: Sequence[Entry], labels: Collection[str] = ()) -> str:
    """Return the text of a merged entry: fields that all share, then an item for each entry.

    An item has all of its entry but the circumstances and what is known to be no rule. Items of one
    line become one. labels are the casefolded labels that recur in the file.
    """
    if all(not entry.level and sum(map(has_text, entry.lines)) == 1 for entry in entries):
        lines = dict.fromkeys(map(first_paragraph, entries))
        return " ".join(
            line if line.endswith((".", "!", "?", "。", ":")) else f"{line}." for line in lines
        )
    first, *others = [list(filter(None, map(_field, entry.lines[1:]))) for entry in entries]
    shared = [field for field in first if others and all(field in fields for fields in others)]
    told: dict[object, list[_Part]] = {}  # by title, by its number for an entry without one
    for number, entry in enumerate(entries):
        rest = tuple(line for line in entry.lines if _field(line) not in shared)
        title, parts = _told(entry._replace(lines=rest), labels)
        told.setdefault(title or number, []).extend(parts)
    named = [(title if isinstance(title, str) else "", parts) for title, parts in told.items()]
    return "\n".join([*shared, *([""] if shared else []), *_without_repeats(named)])


def gist_of(entry: Entry, name: str, labels: Collection[str] = ()) -> str:
    """Return the first sentences of what an entry says to do, as far as its name does not say it.

    The name of a list item is the start of its text, which may be cut; `…` stands for it. At the
    end, `…` shows that there is more to do, if only code; without it, the rest of the entry is
    circumstances and reasons.
    """
    parts = _told(entry, labels)[1]
    said = _joined(part for part in parts if part.kind != _BLOCK)
    words = name.split()[:-1] if name.endswith("…") else name.split()
    ends = () if entry.level else (" ".join(words[-count:]) for count in _NAME_ENDS)
    end = next((end for end in ends if end in said), "")
    said = said.partition(end)[2].strip(" ." * bool(end)) if end else said
    gist, least = list[str](), min(max(_GIST, len(entry.text.split()) // 3), _LONG_GIST)
    for sentence in sentences_in(said):
        gist += sentence.split() if len(gist) < least else []
    if not gist:
        return ""
    del gist[_LONGEST_GIST:]
    goes_on = len(gist) < len(said.split()) or any(part.kind == _BLOCK for part in parts)
    shown = " ".join(gist).rstrip(" …")
    return f"{'… ' * bool(end)}{shown}{' …' * goes_on}"


def _field(line: str) -> str:
    """Return a field on one line that says something of an entry as a whole, such as a status."""
    match = _FIELD.fullmatch(chomp(line).rstrip())
    if match is None or _NO_WORDS.fullmatch(match[2]):
        return ""
    is_context = any(kind_of(label) in (CIRCUMSTANCE, WHY) for label in labels_in(match[0]))
    return f"{match[1]} {match[2]}" if is_context or len(match[2].split()) <= 2 else ""


def _told(entry: Entry, labels: Collection[str]) -> tuple[str, list[_Part]]:
    """Return the title of an entry, unless the text says a long one again, and what it says to do.

    The title of an item may begin its first sentence, and be cut; then there is none.
    """
    title = whole_title(entry).rstrip(" .:") if has_title(entry) else ""
    whole = [*_parts(_body(entry) if title else entry.lines, labels)]
    if title:
        parts = [_without_title(part, title) for part in whole]
        is_title = any(
            kind_of(part.label) == RULE and part.text and not left.text
            for part, left in zip(whole, parts, strict=True)
        )
        parts = _chosen(parts, why=is_title)
        said = {word for part in parts for word in _words(part.text)}
        if len(title) > LONGEST_NAME and _says(said, _words(title)):
            title = ""
    else:
        parts = [part._replace(kind=_TEXT, text=first_paragraph(entry)) for part in whole[:1]]
        parts += _chosen(whole[1:])
    if len(parts) == 1 and parts[0].kind == _ITEM:
        parts = [parts[0]._replace(kind=_TEXT)]
    return title, parts


def _without_repeats(told: Sequence[tuple[str, Sequence[_Part]]]) -> Iterator[str]:
    """Yield the items of entries without sentences that another says, or that quote its title.

    Of two sentences that say the same, the later one stays: its entry is newer in most files.
    """
    said = [
        (number, sentence, _words(sentence))
        for number, (_, parts) in enumerate(told)
        for part in parts
        if part.kind != _BLOCK
        for sentence in sentences_in(part.text)
    ]
    repeated = set[tuple[int, str]]()
    for (number, sentence, own), (other, by, words) in permutations(said, 2):
        if number != other and (other, by) not in repeated and _says(words, own):
            repeated.add((number, sentence))
    for number, (own_title, parts) in enumerate(told):
        quoted = [f'"{title}"' for title, _ in told if title != own_title]
        left = []
        for part, below in zip_longest(parts, parts[1:]):
            has_more = below is not None and (below.kind, below.marker) != (part.kind, part.marker)
            text = part.text
            if part.kind != _BLOCK and not (part.kind == _ITEM and has_more):
                text = "".join(
                    sentence
                    for sentence in sentences_in(text)
                    if (number, sentence) not in repeated
                    and not any(title in sentence for title in quoted)
                ).strip()
            if text:
                left.append(part._replace(text=text))
        if left or not parts:
            yield _item(own_title, left)


def _says(words: Collection[str], wanted: set[str]) -> bool:
    """Return True if words say nearly all of a sentence with some words, and its numbers."""
    common = wanted.intersection(words)
    is_exact = all(word in common for word in wanted if not word.isalpha())
    return len(wanted) >= _LEAST_WORDS and is_exact and len(common) >= _SAID * len(wanted)


def _words(text: str) -> set[str]:
    return {*keys(text), *re.findall(r"\d+", text)}


def _item(title: str, parts: Sequence[_Part]) -> str:
    """Return the item of an entry: its title and text, then lists, code and tables as they are."""
    count = next((n for n, part in enumerate(parts) if part.kind != _TEXT), len(parts))
    lines = ["- " + ": ".join(filter(None, (title, _joined(parts[:count]))))]
    kinds = [_ITEM, *(part.kind for part in parts[count:])]
    for above, part in zip(kinds, parts[count:], strict=False):
        lines += [""] if {above, part.kind} != {_ITEM} else []
        lines += f"{part.marker}{part.text}".split("\n")
    return "\n".join([lines[0], *(f"  {line}" if line.strip() else line for line in lines[1:])])


def _joined(parts: Iterable[_Part]) -> str:
    """Return the texts of parts as sentences of one paragraph."""
    said = ""
    for part in parts:
        ends = not said or said.endswith((":", ";", "：")) or _SENTENCE_END.search(said)
        said = f"{said}{'' if ends else '.'} {part.text}".strip()
    return said


def _chosen(parts: Sequence[_Part], *, why: bool = False) -> list[_Part]:
    """Return the parts that say what to do; if there are none, those that tell why, or any.

    With why, the reasons count as well: the title alone says what to do.
    """
    parts = [one for one in parts if one.kind == _BLOCK or not _NO_WORDS.fullmatch(one.text or " ")]
    rules = [part for part in parts if kind_of(part.label) not in _NO_RULES]
    left_out = (CIRCUMSTANCE,) if why else (CIRCUMSTANCE, WHY)
    kinds = (
        [part for part in rules if kind_of(part.label) not in left_out],
        rules,
        [p for p in parts if kind_of(p.label) != WRONG and len(keys(p.text)) > 2],
    )
    return next((kind for kind in kinds if any(part.kind != _BLOCK for part in kind)), parts)


def _without_title(part: _Part, title: str) -> _Part:
    """Return a part without the sentences at its start that say hardly more than the title."""
    if part.kind == _BLOCK:
        return part
    sentences = sentences_in(part.text)
    known = {*keys(title)}
    while sentences:
        words = keys(sentences[0])
        is_short = len(sentences[0].split()) <= len(title.split()) + 1
        if not words or not is_short or sum(w in known for w in words) < _SAME_WORDS * len(words):
            break
        del sentences[0]
    return part._replace(text="".join(sentences).strip())


def _parts(lines: Sequence[str], labels: Collection[str]) -> Iterator[_Part]:
    """Yield the parts of a text with their labels, without headings and comments.

    A heading labels those below it, a paragraph that announces a list the items and code there.
    """
    above, announced, base = "", "", None
    for part in _split(lines):
        kind, whole, *_ = part
        if kind == _HEADING:
            above, announced = heading_text(whole).casefold(), ""
            continue
        if kind == _BLOCK:
            yield part._replace(label=announced or above)
            continue
        lead = _LEAD.match(whole)
        marker = lead[0] if lead and kind == _ITEM else ""
        said = " ".join(whole[lead.end() if lead else 0 :].split())
        label = next(iter(labels_in(said)), "")
        is_known = is_label(label) or label in labels or kind_of(label) in _NO_RULES
        if not is_known or whole.startswith(">"):  # a quoted note is about all of the entry
            label = ""
        if label in labels or kind_of(label) in (RULE, CIRCUMSTANCE, WHY):
            said = " ".join(without_labels(said, {label}).split())
        own = label or (announced if kind == _ITEM else "") or above
        if kind == _TEXT or label:
            is_open = not said or said.endswith((":", "：", ";"))
            announced = (label or above) if kind == _TEXT or is_open else announced
            announced = announced if is_open or kind == _ITEM else ""
        if marker:
            depth = len(marker) - len(marker.lstrip())
            base = depth if base is None else base
            marker = marker[min(base, depth) :]
        yield part._replace(text=said, label=own, marker=marker)


def _body(entry: Entry) -> list[str]:
    """Return the lines below the title; of an item, what follows its title comes first."""
    if entry.level:
        return list(entry.lines[1:])
    written = written_item(entry.lines[0])
    text = written if entry.title in written else item_text(entry.lines[0])
    return [text.partition(entry.title)[2].lstrip(" \t*_.:–—-"), *entry.lines[1:]]


def _split(lines: Sequence[str]) -> Iterator[_Part]:
    """Yield headings, paragraphs and items as one line each, code and tables as they are."""
    outline = outline_of([line if line.endswith("\n") else f"{line}\n" for line in lines])
    fenced = {n for block in outline.fences for n in range(block.first, block.last + 1)}
    comments = outline.hidden_lines() - fenced
    kind, block, fence = _TEXT, list[str](), ""
    for number, line in enumerate([*lines, ""], start=1):
        text, bare = chomp(line), line.strip()
        if fence:  # in a list item, too
            block.append(text)
            if not bare.startswith(fence):
                continue
        is_row = bare.startswith("|")
        is_fence = not fence and _FENCE.match(bare)
        begins = is_fence or (not bare.startswith("```") and BEGINS_BLOCK.match(line))
        goes_on = bare and number not in comments
        if block and (fence or not (goes_on and (is_row if kind == _BLOCK else not begins))):
            whole = "\n".join(_outdented(block)) if kind == _BLOCK else " ".join(block)
            yield _Part(kind, whole, whole)
            block = []
        if fence:
            fence = ""
        elif is_fence:
            kind, fence, block = _BLOCK, bare[:3], [text]
        elif not goes_on or not has_text(line) or _HTML.match(line):
            continue
        elif bare.startswith("#") and begins:
            yield _Part(_HEADING, text, text)
        else:
            if not block:
                is_item = begins and _LEAD.match(line) and not bare.startswith(">")
                kind = _BLOCK if is_row else _ITEM if is_item else _TEXT
            block.append(bare if block and kind != _BLOCK else text)


def _outdented(lines: Sequence[str]) -> list[str]:
    """Return lines without the blanks that all of them begin with."""
    texts = [line if line.strip(" \t") else "" for line in lines]
    blanks = [text[: len(text) - len(text.lstrip(" \t"))] for text in texts if text]
    while len({*blanks}) > 1:
        blanks = [blank[: max(map(len, blanks)) - 1] for blank in blanks]
    return [text[len(min(blanks, default="")) :] for text in texts]


def fault_of_draft(text: str, entries: Sequence[Entry]) -> str:
    """Return the problem of a draft that a line is cut; empty if every line is whole."""
    sources = [whole_title(entry) for entry in entries]
    for part in (part for entry in entries for part in _split(_body(entry))):
        sources += part.whole.split("\n") if part.kind == _BLOCK else [" ".join(part.whole.split())]
    lines = text.split("\n")
    hidden = outline_of([f"{line}\n" for line in lines]).hidden_lines()
    for number, line in enumerate(lines, start=1):
        said = line.strip().removeprefix("- ")
        end = said.rpartition(": ")[2][-_COPIED:]
        if number in hidden or len(end) < _LEAST_COPIED:
            continue
        rests = [source.rpartition(end)[2] for source in sources if end in source]
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
