"""Titles and sentences with the same subject, and words that correct another text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from learnings.consolidation.text.keywords import keys, keywords_of, words
from learnings.core.entries.document import Entry
from learnings.core.labels import CIRCUMSTANCE, FACT, WRONG, kind_of, labels_in, without_labels
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import shortened

if TYPE_CHECKING:
    from learnings.consolidation.text.sections import TargetSection

# Parts of a title about the entry, not its subject: `(consolidated)`, a tag, a date.
_NO_SUBJECT = lazy_pattern(
    r"\(consolidated\)|`?(?<![\w/])#[^\W\d][\w:./-]*`?|\b\d{4}-\d{2}(?:-\d{2})?\b", re.IGNORECASE
)
# A name of one or two characters, too short for a keyword: `F1`, `D`, `CI`, `Go`.
_SHORT_NAME = lazy_pattern(r"[A-Z][A-Za-z0-9]?|[a-z][0-9]")
_WORDS_OF_TITLES = "A An As At Be By Do He I If In Is It Me My No Of On Or So To Up Us We"
_NO_NAMES = frozenset(_WORDS_OF_TITLES.split())


def title_words(title: str) -> dict[str, str]:
    """Return the keywords of a title and the short names in it: words as written by their keys."""
    found: dict[str, str] = {}
    for word in words(_NO_SUBJECT.sub(" ", title)):
        found |= {keyword.key: keyword.word for keyword in keywords_of(word)}
        if len(word) < 3 and _SHORT_NAME.fullmatch(word) and word not in _NO_NAMES:
            found[word] = word
    return found


def shared_part(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return the share of words that two texts have in common, 0 to 1."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


MOST = 100
"""Most sentences read of one text, so that time grows linearly with the file.

The longest of 1,254 entries and 214 sections of real memories have 89 and 96.
"""

LONGEST_QUOTE = 160
"""Characters of a sentence that are shown: two lines of a terminal."""

# The end of a sentence: after its last sign, or before a line that begins a new block (a blank
# line, an item, a heading, a table row, a bold label).
_END = lazy_pattern(
    rf"(?<=[.!?;])\s+|[。！？；]|\n[ \t>]*(?=\n|{LIST_MARKER}[ \t]|[#|]|\*\*|__)",
)
# Quote marks, the marker of an item or heading and the box of a task, before a sentence.
_LEAD = lazy_pattern(rf"[\s>]*(?:(?:{LIST_MARKER}|#{{1,6}})[ \t]+(?:\[[ xX]\][ \t]+)?)?")


class Sentence(NamedTuple):
    """A sentence on one line, its 1-based first line, and the stems of its keywords.

    A field label (`**Lesson**:`) is part of its text but not of its words.
    """

    text: str
    line: int
    words: frozenset[str]

    def quoted(self, path: str = "") -> str:
        """Return the sentence with its line, or with its line in a file."""
        place = f"{path}:{self.line}" if path else f"line {self.line}"
        return f"{place}: {shortened(self.text, LONGEST_QUOTE)}"


# Cached: an entry is compared with several entries and sections, and a section with several
# entries.
@lru_cache(maxsize=512)
def sentences_of_entry(entry: Entry) -> tuple[Sentence, ...]:
    """Return the title of an entry, then the sentences of its text."""
    text, first = (entry.body, entry.first + 1) if entry.level else (entry.text, entry.first)
    return _sentences(entry.title, entry.first, text, first)


@lru_cache(maxsize=2048)
def sentences_of_section(section: TargetSection) -> tuple[Sentence, ...]:
    """Return the heading of a section, then the sentences of its text."""
    return _sentences(section.title, section.line, section.text, section.first)


def _sentences(title: str, line: int, text: str, first: int) -> tuple[Sentence, ...]:
    """Return the title, then each new sentence of the text, at most MOST."""
    by_words: dict[frozenset[str], Sentence] = {}
    for sentence, number in _split(text, first):
        words = frozenset(keys(sentence))
        # A table row is not a sentence.
        if words and words not in by_words and not sentence.startswith("|"):
            by_words[words] = Sentence(sentence, number, words)
            if len(by_words) == MOST:
                break
    return Sentence(title, line, frozenset(keys(title))), *by_words.values()


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each on one line."""
    return [sentence for sentence, _ in _split(text, 1) if sentence]


def _split(text: str, line: int) -> Iterator[tuple[str, int]]:
    """Yield the sentences of a text with their lines; the first line has the given number."""
    start = 0
    for end, following in [*(match.span() for match in _END.finditer(text)), (len(text),) * 2]:
        lead = _LEAD.match(text, start, end)
        begin = lead.end() if lead else start
        yield " ".join(text[begin:end].split()).rstrip(";"), line + text.count("\n", start, begin)
        line += text.count("\n", start, following)
        start = following


CUE_WINDOW = 80
"""Characters in which to look for the keyword beside a negation: half a sentence.

This bounds the time for a text of negations.
"""

# Negations are the words that Universal Dependencies marks with Polarity=Neg or PronType=Neg, and
# similar ones that compare (`instead of`). Corrections are the phrases of the development half of
# the made-up cases and of real memories. English, Portuguese, Spanish, German, French, Russian,
# Arabic; then, after a blank line, Chinese and Japanese, where no space marks the end of a word.
_CUES = {
    # Corrections that deny their sentence.
    "ended": r"""
no longer|any ?more|n[aã]o mais|j[aá] n[aã]o|ya no|nicht mehr|ne plus|больше не
لم [يت]عد

不再
""",
    "correction": r"""
actually|correction|corrected|turns? out|turned out|contrary to|mistaken(?:ly)?
(?:was|were|is) wrong|revised|reverted|supersed\w+|obsolete|outdated|out of date|used to|formerly
previously|since then|by now|replaces|(?:changed|moved|switched) (?:to|from)
replaced\b[^.\n]{0,60}?\b(?:by|with)
(?:we|they|i)(?:'ve| have)? (?:stopped|dropped|abandoned)
after\b[^.\n]{1,80}?\bnot before|before\b[^.\n]{1,80}?\bnot after
na verdade|deix(?:ou|aram) de|substitu[ií]d[oa]s? por|obsolet[oa]s?|en realidad
на самом деле|оказалось|устаре\w+|замен[её]н\w*|отмен[её]н\w*|раньше|ошибочн\w+
في الواقع|تبين|استبدل\w*|سابق[اً]+

其实|实际上|改为|改用|改成|已废弃|取代|替换为|もはや|実は|実際には|廃止|置き換え
""",
    # Negations that deny no statement but an object, as in `without X` and `X instead of Y`.
    "absent": r"""
no|none|nothing|without|sem|sin|ohne|kein\w*|sans|без|нет|instead of|rather than|em vez de
ao inv[eé]s de|en vez de|statt|au lieu de|вместо
بدون|دون

而不是
""",
    "negation": r"""
not(?! (?:only|just|merely|yet|necessarily)\b)|never|cannot|avoid(?:s|ed)?
(?:do|does|did|is|are|was|were|wo|would|should|must|could|ca|has|have|had)n'?t
n[aã]o(?! (?:s[oó]|apenas)\b)|nunca|jamais|nem|nicht|nie|pas
не(?! только\b)|никогда|нельзя
[وف]?لا|ليست?|لم|لن|بدل[اً]+ من

不要|不能|不可|不应|不應|不会|不會|没有|沒有|禁止|避免|切勿|无需|不(?![同仅过断错])
""",
}


def _alternatives(part: int, suffix: str) -> str:
    words = ((kind, text.split("\n\n")[part].strip()) for kind, text in _CUES.items())
    return "|".join(f"(?P<{kind}{suffix}>{some})" for kind, some in words).replace("\n", "|")


# For lower case. In Japanese, the denied part comes before.
_CUE = lazy_pattern(
    rf"(?<!\w)(?:{_alternatives(0, '')})(?!\w)|{_alternatives(1, '_')}"
    "|(?P<ending>ではなく|ません|ない|ずに)"
)


class Cue(NamedTuple):
    """A correction or negation, the word that it denies, and whether it denies its statement.

    denied is the stem of the keyword beside a negation, empty if there is none, and None for a
    correction, which is about its whole sentence.
    """

    denied: str | None
    is_denial: bool


@lru_cache(maxsize=16384)
def cues_of(text: str) -> tuple[Cue, ...]:
    """Return the corrections and negations of a sentence in its order, without those of a label.

    Text that a label marks as wrong (`Anti-pattern: …`) neither corrects nor denies.
    """
    if _is_wrong(text):
        return ()
    plain = without_labels(text).replace("’", "'").lower()
    cues = []
    for match in _CUE.finditer(plain):
        denied, kind = None, _kind_of(match)
        if kind in ("absent", "negation"):
            nearby = keys(plain[match.end() : match.end() + CUE_WINDOW])
            denied = nearby[0] if nearby else ""
        elif kind == "ending":
            nearby = keys(plain[max(0, match.start() - CUE_WINDOW) : match.start()])
            denied = nearby[-1] if nearby else ""
        cues.append(Cue(denied, kind not in ("absent", "correction")))
    return tuple(cues)


def _is_wrong(text: str) -> bool:
    """Return True if a label marks a sentence as wrong."""
    return WRONG in map(kind_of, labels_in(text)[:1])


def _kind_of(match: re.Match[str]) -> str:
    return (match.lastgroup or "").rstrip("_")


def without_negations(text: str) -> str:
    """Return a text in lower case without the words of its negations; corrections stay."""
    plain = without_labels(text).replace("’", "'").lower()
    return _CUE.sub(lambda cue: cue[0] if _kind_of(cue) == "correction" else " ", plain)


def has_negation(text: str) -> bool:
    """Return True if a text has a negation of anything."""
    matches = _CUE.finditer(text.replace("’", "'").lower())
    return any(_kind_of(match) not in ("ended", "correction") for match in matches)


def denied_in(sentences: Iterable[Sentence]) -> frozenset[str]:
    """Return the stems that the negations of some sentences deny."""
    cues = (cue for sentence in sentences for cue in cues_of(sentence.text))
    return frozenset(cue.denied for cue in cues if cue.denied)


def denies(sentence: Sentence, other: Sentence, agreed: AbstractSet[str] = frozenset()) -> bool:
    """Return True if a sentence corrects another, similar sentence, or denies a word of it.

    A sentence with a correction needs no other one, and one with a negation is not denied. agreed
    are the stems that the other text denies as well. Text that a label marks as wrong affirms
    nothing.
    """
    if _is_wrong(other.text):
        return False
    ours, theirs = cues_of(sentence.text), cues_of(other.text)
    kinds = {cue.denied is None for cue in theirs if cue not in ours}
    return any(
        (cue.denied is None) not in kinds
        and (cue.denied is None or cue.denied in other.words - agreed)
        for cue in ours
        if cue not in theirs
    )


def _is_opposite(one: Sentence, other: Sentence) -> bool:
    """Return True if one of two similar sentences denies what the other affirms."""
    if cues_of(other.text):
        one, other = other, one
    is_denial = any(cue.is_denial for cue in cues_of(one.text))
    return is_denial and not cues_of(other.text) and denies(one, other)


SAME_SENTENCE = 0.8
"""Share of keywords from which two sentences differ only in a negation, if one has one.

None of 64 entries with their own section has such a sentence (benchmarks/README.md, Pre-checks).
"""


def opposites(
    sentences: Iterable[Sentence], others: Sequence[Sentence]
) -> tuple[Sentence, Sentence] | None:
    """Return two sentences with the same words that only one of them negates, or None."""
    for one, other in product(sentences, others):
        if shared_part(one.words, other.words) >= SAME_SENTENCE and _is_opposite(one, other):
            return one, other
    return None


SAME_STATEMENT, LEAST_SAME = 0.7, 4
"""Share and least number of the keywords that two rules share if one restates the other.

With 0.6 and 3, a reader found that half of 28 pairs say the same. Paths do not count.
"""

# A path in a text.
_PATH = lazy_pattern(r"(?<![\w.-])[\w.-]*+/[\w./-]+")


def restate(sentences: Sequence[Sentence], others: Sequence[Sentence]) -> bool:
    """Return True if a rule says the same as another one, apart from titles."""
    for one, other in product(filter(is_rule, sentences), filter(is_rule, others)):
        if shared_part(one.words, other.words) >= SAME_STATEMENT:
            named = {*keys(" ".join(_PATH.findall(one.text)))}
            if len((one.words & other.words) - named) >= LEAST_SAME:
                return not _is_opposite(one, other)
    return False


def is_rule(sentence: Sentence) -> bool:
    """Return False for background, and for what only announces a list or code."""
    is_open = sentence.text.rstrip("*_ ").endswith((":", "："))
    kinds = {*map(kind_of, labels_in(sentence.text)[:1])}
    return not is_open and kinds.isdisjoint((WRONG, CIRCUMSTANCE, FACT))


# Values that distinguish rules although they are not keywords: a separate number, with decimals,
# that is not part of a name, a version or a date; and the words of a limit.
_VALUE = lazy_pattern(
    r"(?<![\w.-])\d++(?:[.,]\d++)*(?![\w-]*-\d)"
    r"|\b(?:before|after|until|unless|except|only|antes|depois|exceto|до|после|кроме|только|قبل|بعد)\b"
    r"|之前|之后|除非|前に|後に",
)


def values_of(text: str) -> set[str]:
    """Return the values in a text that tell rules apart: numbers, and words of a limit."""
    return {match[0] for match in _VALUE.finditer(text.lower())}
