"""The words of a text, to tell a copy from an alteration, and the changes between two texts.

A closed list of retypings makes no difference: quotation marks, dashes, line breaks, escapes,
punctuation and emphasis around a word, a typed arrow, the mark of a heading, a quote or a list
item, a shift of all lines. Inside code, only the shift is accepted.
(Spec: consolidation, *Proof that nothing was lost*.)
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, takewhile
from operator import attrgetter
from typing import NamedTuple
from unicodedata import normalize

from learnings.consolidation.checks.sentences import has_negation
from learnings.core.entries.document import Entry
from learnings.core.markdown.escapes import prose_and_code, unescaped
from learnings.core.markdown.line_kinds import LIST_MARKER, end_of_fence
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# Signs that editors exchange: quotation marks, dashes within words, an ellipsis, a no-break space.
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("‘’‚‛‹›", "'")
    | dict.fromkeys("‐‑‒–−", "-")
    | {"—": " - ", "…": "...", "\u00a0": " ", "\u202f": " ", "\ufeff": ""}
)
# A single quotation mark that is not an apostrophe.
_SINGLE = lazy_pattern(r"(?<!\w)'|'(?!\w)")
# Arrows and comparisons, with the same meaning as the letters that some people type instead.
_TYPED = str.maketrans({"→": "->", "←": "<-", "⇒": "=>", "≥": ">=", "≤": "<=", "≠": "!="})
# Punctuation around a word that is not part of it: no sign, dot or slash.
_BEFORE, _BEHIND = '"([{*_「『（【', '.,;:!?)]}"*_、。」』）】！？：；'
# The opening or closing line of a code block, perhaps inside an item; group 1 are its marks.
_FENCE = lazy_pattern(r"\s*(`{3,}|~{3,})(.*)")
# The marks before the text of a line: of a quote, a list item and a heading, each once.
_MARKS = lazy_pattern(rf"\s*(?:>\s?)*(?:{LIST_MARKER}(?:[ \t]+|$))?(?:\#{{1,6}}(?:[ \t]+|$))?")
# A line that only separates or underlines: `---`, `* * *`, `|---|:--|`, `===`.
_RULER = lazy_pattern(r"[\s|:]*(?:[-=*_][\s|:]*){3,}")
# A character of a script that is written without spaces (Thai to Khmer, kana and Han): a word of
# its own, because lines break between any two of them.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
_ALONE = lazy_pattern(f"[{_UNSPACED}]|[^{_UNSPACED}]+")
_HAS_UNSPACED = lazy_pattern(f"[{_UNSPACED}\u3001-\u303f\uff00-\uffef]")
# A word for finding a copy: anything but white space and punctuation in ASCII, in Unicode's general
# and CJK blocks, and « ». Combining vowels and signs such as arrows belong to words.
_NO_WORD = r"\s!-/:-@\[-^`{-~"
_ASCII_WORD = lazy_pattern(f"[^{_NO_WORD}]+")  # compiles in a tenth of the time
_WORD = lazy_pattern(
    f"[{_UNSPACED}]|[^{_NO_WORD}«»\u2010-\u2027\u2030-\u205e\u2212\u3001-\u303f"
    f"\uff00-\uff0f\uff1a-\uff20{_UNSPACED}]+"
)
# Indentation that makes a line after a blank line code.
_CODE_INDENTS = ("    ", "\t")


class TextToken(NamedTuple):
    """A word, or a line of a code block; plain is it without the punctuation around it."""

    text: str
    plain: str
    is_code: bool = False


Wording = tuple[TextToken, ...]


@lru_cache(maxsize=4096)
def wording_of(lines: tuple[str, ...]) -> Wording:
    """Return the words of a text as Markdown shows them, code line by line."""
    return tuple(_tokens(_shifted(lines)))


def without_stamp(entry: Entry) -> tuple[str, ...]:
    """Return the lines of an entry without its stamp, which changes with the dialect."""
    return (f"{entry.title}\n", *entry.lines[1:]) if entry.level and entry.stamp else entry.lines


def _shifted(lines: Sequence[str]) -> list[str]:
    """Return lines without their common indentation or quote mark."""
    texts = [chomp(line).rstrip() for line in lines]
    filled = [text for text in texts if text]
    if filled and all(text.lstrip().startswith(">") for text in filled):
        texts = [text.lstrip()[1:].removeprefix(" ") for text in texts]
    return _dedented(texts)


def _dedented(lines: Sequence[str]) -> list[str]:
    """Return lines without blanks at their ends as they are without common indentation."""
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line]
    low, high = min(indents, default=""), max(indents, default="")
    same = takewhile(lambda signs: signs[0] == signs[1], zip(low, high, strict=False))
    width = len([*same])
    return [line[width:] for line in lines] or [""]


def _tokens(lines: Sequence[str]) -> Iterator[TextToken]:
    paragraph: list[str] = []
    for is_code, line in _with_code(lines):
        if not is_code and line:
            paragraph.append(line)
            continue
        yield from _tokens_of_prose("\n".join(paragraph))
        paragraph.clear()
        if line:
            yield TextToken(f"`{line}", line, is_code=True)
    yield from _tokens_of_prose("\n".join(paragraph))


def _with_code(lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Yield the lines with text, or blank ones, each with a flag for code blocks.

    Code comes without the indentation of its block.
    """
    number, in_list, before = 0, False, ""
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.match(line)
        is_indented = line.startswith(_CODE_INDENTS) and not before and not in_list
        if fence and not (fence[1][0] == "`" and "`" in fence[2]):
            end = end_of_fence(lines, number + 1, fence[1]) or len(lines)
            yield False, fence[2].strip()
            yield from ((True, text) for text in _dedented(lines[number + 1 : end]))
            number, before = end, "`"
        elif is_indented and line:
            end = next(
                (n for n in range(number, len(lines)) if lines[n] and lines[n][0] not in " \t"),
                len(lines),
            )
            yield from ((True, text) for text in _dedented(lines[number:end]))
            number, before = end - 1, ""
        else:
            marks = _MARKS.match(line)
            text = line[marks.end() :] if marks else line
            if line and line[0] not in " \t":
                in_list = bool(marks and marks[0].strip(" >#"))
            before = line
            if not _RULER.fullmatch(line):
                yield False, text.strip()
        number += 1


def _tokens_of_prose(text: str) -> Iterator[TextToken]:
    for segment, is_code in prose_and_code(text):
        if is_code:
            yield from (
                TextToken(f"`{word}", word, is_code=True) for word in segment.strip("`").split()
            )
            continue
        prose = _SINGLE.sub('"', normalize("NFC", segment).translate(_TYPOGRAPHY))
        if "|" in prose:  # the padding of cells
            prose = prose.replace("|", " | ")
        words = prose.split()
        if not prose.isascii() and _HAS_UNSPACED.search(prose):
            words = [word for run in words for word in _ALONE.findall(run)]
        words = ["-" if word in ("--", "---") else word for word in words]
        for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
            is_dash = word == "-" and not (before[-1:].isdigit() and behind[:1].isdigit())
            yield TextToken(word, "" if is_dash else _plain(word))


def _plain(word: str) -> str:
    text = word.lstrip(_BEFORE).rstrip(_BEHIND).translate(_TYPED)
    return "" if text == "|" else text


def is_same(one: Wording, other: Wording) -> bool:
    """Return True if two texts are the same word for word."""
    return _joined(one) == _joined(other)


def holds(text: Wording, words: Wording) -> bool:
    """Return True if a text has all words of another one, in their order."""
    return _joined(words) in _joined(text)


def _joined(wording: Wording) -> str:
    texts = map(attrgetter("plain"), wording)
    return "".join(("\x1f", *(f"{text}\x1f" for text in texts if text)))


class WordChange(NamedTuple):
    """Words that replace others, with the words around them.

    matters: see word_changes(). is_addition is True if nothing was removed for them.
    """

    before: str
    after: str
    matters: bool
    is_addition: bool


# Blanks and tabs, visible as marks.
_VISIBLE = str.maketrans({" ": "·", "\t": "⇥"})
# Words beside a change that show its place.
_CONTEXT = 2
# Numbers in words of English, German, French, Spanish or Portuguese.
_NUMBER_WORDS = """
    two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
    hundred thousand million once twice half double first second third fourth fifth last zwei drei
    vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend zweimal halb zweite zweiter
    zweiten zweites dritte dritter dritten drittes deux trois quatre cinq sept huit neuf dix onze
    douze cent mille dos tres cuatro cinco siete ocho nueve diez doce cien mil duas dois três quatro
    sete oito nove dez doze cem
"""
_NUMBERS = frozenset(_NUMBER_WORDS.split())
# Paths, files and options; identifiers. For names, see _is_name().
_PATH = lazy_pattern(r"[/\\]|^[-.]|\w\.\w|^--?\w")
_IDENTIFIER = lazy_pattern(r"\w_\w|[a-z][A-Z]|::|\(|[=<>@#$%&+]")


# Words of a text that are compared one by one, to bound the time; after them, any difference is
# enough. With more than _MANY, words that repeat often are no anchors. Both chosen.
_MOST_COMPARED, _MANY = 4000, 1000


def word_changes(before: Wording, after: Wording) -> tuple[WordChange, ...]:
    """Return where the words of two texts differ, in their order, without punctuation.

    A change matters if a number, negation, path, name, sign or code comes, goes or changes.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415  (where a text was changed)

    old, new = ([*_word_by_word(wording)] for wording in (before, after))
    first, second = (_plains(tokens[:_MOST_COMPARED]) for tokens in (old, new))
    is_long = max(len(first), len(second)) > _MANY
    matcher = SequenceMatcher(None, first, second, autojunk=is_long)
    changes = []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            matters = _matter(old, slice(i, j), new, slice(k, m))
            shown = _shown(old, i, j), _shown(new, k, m)
            changes.append(WordChange(*shown, matters, is_addition=tag == "insert"))
    rest = [_plains(tokens[_MOST_COMPARED:]) for tokens in (old, new)]
    if rest[0] != rest[1]:
        texts = [_shown(tokens, _MOST_COMPARED, _MOST_COMPARED + 1) for tokens in (old, new)]
        changes.append(WordChange(texts[0], texts[1], matters=True, is_addition=False))
    return tuple(changes) or tuple(_spacing_changes(before, after))


def _spacing_changes(before: Wording, after: Wording) -> Iterator[WordChange]:
    """Yield the lines of code that differ only in their blanks."""
    old, new = ([t.plain for t in wording if t.is_code] for wording in (before, after))
    for one, other in zip(old, new, strict=False):
        if one != other:
            shown = one.translate(_VISIBLE), other.translate(_VISIBLE)
            yield WordChange(*shown, matters=True, is_addition=False)


# The share of its words from which a text is another one, whatever the words are (spec).
_REWRITTEN = 1 / 3


def is_rewritten(before: Wording, after: Wording) -> bool:
    """Return True if a third of the words of a text is not in another one."""
    old, new = (Counter(filter(None, _plains(tokens))) for tokens in (before, after))
    return sum((old - new).values()) >= _REWRITTEN * sum(old.values())


def _plains(tokens: Iterable[TextToken]) -> list[str]:
    return [token.plain for token in tokens]


def _word_by_word(wording: Wording) -> Iterator[TextToken]:
    """Yield the words that count, with those of a line of code one by one."""
    for token in wording:
        if token.is_code and " " in token.plain:
            indent = token.plain[: len(token.plain) - len(token.plain.lstrip())]
            first, *others = token.plain.split()
            yield TextToken(f"`{indent}{first}", indent + first, is_code=True)
            yield from (TextToken(f"`{word}", word, is_code=True) for word in others)
        elif token.plain:
            yield token


def _shown(tokens: Sequence[TextToken], start: int, end: int) -> str:
    """Return words with some before and after them, as in the text."""
    first, last = max(0, start - _CONTEXT), end + _CONTEXT
    if any(map(_is_unspaced, (token.text for token in tokens[first:last]))):
        first, last = max(0, start - 3 * _CONTEXT), end + 3 * _CONTEXT
    shown = ""
    for number, token in enumerate(tokens[first:last], start=first):
        text = token.text.removeprefix("`") if token.is_code else token.text
        if start <= number < end:
            text = text.translate(_VISIBLE)
        is_run = _is_unspaced(text) and _is_unspaced(shown[-1:])
        shown += text if is_run or not shown else f" {text}"
    return shown


def _is_unspaced(text: str) -> bool:
    return not text.isascii() and _HAS_UNSPACED.match(text) is not None


def _matter(
    old: Sequence[TextToken], before: slice, new: Sequence[TextToken], after: slice
) -> bool:
    """Return True if the words that come, go or change are more than mere wording."""
    gone, come = old[before], new[after]
    if any(t.is_code or _is_fact(t.plain) for t in (*gone, *come)):
        return True
    if has_negation(" ".join(_plains(gone))) != has_negation(" ".join(_plains(come))):
        return True
    if len(gone) == len(come) == 1 and gone[0].plain.casefold() != come[0].plain.casefold():
        return gone[0].plain[:1].isupper() and come[0].plain[:1].isupper()
    names = [_is_name(old, n) for n in range(len(old))[before]]
    names += [_is_name(new, n) for n in range(len(new))[after]]
    return any(names)


def _is_fact(word: str) -> bool:
    is_number = any(map(str.isdecimal, word)) or word.casefold() in _NUMBERS
    return is_number or bool(_PATH.search(word) or _IDENTIFIER.search(word))


def _is_name(tokens: Sequence[TextToken], index: int) -> bool:
    """Return True for a capital letter after a word that does not end a sentence."""
    before = tokens[index - 1].text[-1:] if index else "."
    return tokens[index].plain[:1].isupper() and (before.isalnum() or before in ",;(")


class WordStream:
    """The lines of a file, in which texts are found by their words alone."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        text = "".join(lines)
        is_plain = "\\" not in text and "&" not in text  # else a code span may end lines below
        parts = [text] if is_plain else lines
        self._words = _spaced([word for part in parts for word in _words(part)])

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(len(_words(line)) for line in self._lines))

    def copies(self, lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the places with the words of a text: their first line, 1-based, and all of them."""
        words = _spaced(_words("".join(lines)))
        count = words.count(" ") - 1
        start = self._words.find(words) if count > 0 else -1
        while start >= 0:
            index = self._words.count(" ", 0, start)
            first, last = (bisect_right(self._ends, i) for i in (index, index + count - 1))
            yield first + 1, self._lines[first : last + 1]
            start = self._words.find(words, start + 1)


def words_of(lines: Sequence[str]) -> list[str]:
    """Return the words of a text in lower case, without any punctuation."""
    return _words("".join(lines).casefold())


def _words(line: str) -> list[str]:
    text = unescaped(line)
    if text.isascii():
        return _ASCII_WORD.findall(text)
    return _WORD.findall(normalize("NFC", text).translate(_TYPED))


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} " if words else " "
