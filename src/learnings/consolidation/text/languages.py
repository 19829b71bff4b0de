"""Language data for keywords: function words, endings, scripts without spaces.

The list of function words, casefolded and in Latin script without accents, is short on purpose: a
word that most entries of a file use has little weight anyway. A list five times as long gave 0.35
F1 instead of 0.36 over the six passes at hand (benchmarks/README.md, Groups). Stemming is light: it
removes only inflectional endings. A run in a script without spaces becomes overlapping pairs of
characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from learnings.core.patterns import lazy_pattern

_ENGLISH = """
about after all also always and any are because been before being both but can cannot could did
does done each even every for from get gets had has have here how into its itself just like made
make makes may more most much must need needs never new not now off once one only other our out over
own per same should since some still such than that the their them then there these they
this those three through too two under until use used uses using very via want was way were what
when where whether which while who why will with within without would you your
"""

_ROMANCE = """
ao aos as com como da das de del dela dele depois do dos e ela ele em entre era essa esse esta estao
este foi foram isso ja la las los mais mas muito na nao nas nem no nos nunca onde os ou para pela
pelas pelo pelos por porque quando que se sem sempre ser seu sua tambem tem todo todos toda todas um
uma antes cada con cuando donde el ella eso esto fue hay hasta pero puede sin sobre son su sus una y
avec ce ces cette dans des elle est et etre il ils je le les leur mais ne nous on ont par pas plus
pour qui sa sans ses sont sur tous tout une vous
"""

_GERMANIC = """
aber als am an auch auf aus bei bis das dass dem den der des die diese dieser dieses doch durch ein
eine einem einen einer er es fur hat im in ist jede jeder kann kein keine man mit muss nach nicht
noch nur oder ohne sich sie sind so um und uns von vor war was wenn werden wie wir wird zu zum zur
"""

_CYRILLIC_WORDS = """
а без более бы был была были было быть в вам вас весь во вот все всегда всего всех вы где да даже
для до его ее если есть еще же за здесь и из или им их к как каждый какой когда кто ли может можно
мы на над надо не него нее нельзя нет ни них но нужно о об один он она они оно от перед по под после
потому при с сам сама сами само свой себя сначала со так также такой там тем то тогда того тоже
только том тот у уже хотя чего чем через что чтобы эта эти это этого этой этом этот я
"""

_ARABIC = """
في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي هو هي هم كان كانت يكون تكون لا لم لن ما أو او ثم
إن ان أن قد كل بعد قبل عند بين حتى إذا اذا لكن بل كما أي أيضا غير منذ حيث ليس فقط دائما يجب لأن
"""

_OTHER = """
그리고 그러나 하지만 그래서 또는 및 수 것 이 그 저 등 때 때문에 위해 대한 있는 있다 없는 한다 하는
और का के की को है हैं में से पर यह वह एक इस उस कि जो तो ही भी नहीं था थी थे कर लिए साथ
"""

STOP_WORDS = frozenset(
    f"{_ENGLISH} {_ROMANCE} {_GERMANIC} {_CYRILLIC_WORDS} {_ARABIC} {_OTHER}".split()
)
"""Casefolded words."""

_ENGLISH_WORDS = frozenset(_ENGLISH.split())

LANGUAGE_SHARE = 0.15
"""Share of stop words from which a text is English, or another language with more of them.

Of 60 English memories of public repositories, all have at most 0.12 of another language, and all
but lists of commands at least 0.1 of English.
"""


def foreign_stop_words(words: Sequence[str]) -> frozenset[str]:
    """Return the stop words of the language of some words; none for English.

    words are casefolded, as often as a text has them.
    """
    counts, least = Counter(words), LANGUAGE_SHARE * len(words)
    english = sum(counts[word] for word in _ENGLISH_WORDS)
    if english >= least:
        return frozenset()
    import stop_words  # noqa: PLC0415  (for other languages alone)

    lists = [
        frozenset(stop_words.get_stop_words(name)) - _ENGLISH_WORDS
        for name in stop_words.AVAILABLE_LANGUAGES
        if name != "english"
    ]
    sums = [sum(counts[word] for word in words) for words in lists]
    is_foreign = max(sums) > max(english, least)
    return lists[sums.index(max(sums))] if is_foreign else frozenset()


FUNCTION_CHARACTERS = "的了是在和就也都与及或把被让而但吗呢吧这那我你他她它们很之没有"
"""Chinese characters that separate words, as stop words do."""


# Only these come before the first vowel, so that a long word is tried in one way, not in many.
_CONSONANT = "[b-df-hj-np-tv-xz]"
_CYRILLIC_LETTERS = "[а-яёіїєґ]"
# Endings of case, number and person.
_CASES = "[иыая]ми|[оеы]го|[оеы]му|[иыоеаюя]х|[аоеиыюя][еияюй]|[аоея]м|[оие]в|[аеиоуыэюяйь]"
_PARTICLES = "에서|으로|에게|까지|부터|보다|[은는이가을를의에로와과도만]"  # of Korean
# Applied in turn to a word with one of the endings, whose last letters are these. At least two or
# three letters of a word stay, so that fewer words of different meaning are joined.
_LATIN_ENDS = "sdge"
_LATIN_ENDINGS = (
    (("ies", "ied"), r"(?<=[a-z]{2})ie[sd]$", "y"),  # entries, retried
    (("oes",), r"(?<=[cs])oes$", "ao"),  # decisoes (Portuguese)
    # boxes, hooks, stopped
    (("s",), r"(?<=[a-z]{2})(?:(?<=ss|sh|ch|zz)es|(?<=x)es|(?<=[a-z]{2}[^isu])s)$", ""),
    (("ing", "ed"), rf"^({_CONSONANT}*[aeiouy][a-z]*)([bdgmnprt])\2(?:ing|ed)$", r"\1\2"),
    (("ing", "ed"), rf"^({_CONSONANT}*[aeiouy][a-z]+)(?:ing|ed)$", r"\1"),  # hooking
    (("e",), r"(?<=[a-z]{3})e$", ""),  # cache
)
_LATIN_RULES = [(ends, lazy_pattern(text), new) for ends, text, new in _LATIN_ENDINGS]
# These change words with letters beyond ASCII.
_OTHER_RULES = [
    lazy_pattern(ending)
    for ending in (
        rf"(?<={_CYRILLIC_LETTERS}{{3}})(?:ся|сь)$",
        rf"(?<={_CYRILLIC_LETTERS}{{3}})(?:{_CASES})$",
        r"^(?:[وبكف]?ال|لل)(?=\w{3})",  # the article of Arabic
        r"(?<=\w{3})(?:ات|ين|ون|[ةه])$",
        rf"(?<=[가-힣]{{2}})(?:{_PARTICLES})$",
    )
]


def stem(word: str) -> str:
    """Return the stem of a casefolded word, which most of its inflected forms share."""
    for ends, ending, replacement in _LATIN_RULES if word[-1:] in _LATIN_ENDS else ():
        if word.endswith(ends):
            word = ending.sub(replacement, word)
    for ending in () if word.isascii() else _OTHER_RULES:
        word = ending.sub("", word)
    return word


_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
# Thai, Lao, Tibetan, Burmese, Khmer.
_SYLLABIC = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = f"{_HAN}{_HIRAGANA}{_KATAKANA}{_SYLLABIC}"
_RUN = lazy_pattern(f"([{_UNSPACED}]+)|[^{_UNSPACED}]+")


def runs_of(word: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a word, each with whether its scripts have no spaces."""
    yield from ((run[0], bool(run[1])) for run in _RUN.finditer(word))


# Inside a run without spaces: Katakana, which is usually a foreign word; Han without the characters
# that separate words, as Hiragana does; a syllabic script.
_WORD_IN_RUN = lazy_pattern(
    f"([{_KATAKANA}]+)|((?:(?![{FUNCTION_CHARACTERS}])[{_HAN}])+)|([{_SYLLABIC}]+)"
)
# A character with the marks above and below it.
SYLLABIC_MARKS = (
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f87\u102b-\u103e\u17b4-\u17d3"
)
_CLUSTER = lazy_pattern(f".[{SYLLABIC_MARKS}]*")
# Most characters of a run that is shown as one word; chosen by reading groups of entries.
_LONGEST_RUN = 8


def unspaced_words(run: str) -> Iterator[str]:
    """Yield the keywords of a run of characters without spaces.

    Katakana is one keyword; other scripts give pairs of neighbouring characters. A single character
    is one keyword.
    """
    for word in _WORD_IN_RUN.finditer(run):
        clusters = [word[0]] if word[1] else _CLUSTER.findall(word[0])
        yield from map("".join, pairwise(clusters)) if len(clusters) > 1 else clusters


def whole_run(word: str, texts: Iterable[str]) -> str:
    """Return a pair of such characters, extended as far as all texts with it agree.

    A word in another script is returned unchanged.
    """
    texts = [text for text in texts if word in text] if _is_in_pairs(word) else []
    while texts and len(word) < _LONGEST_RUN:
        start, end = texts[0].index(word), texts[0].index(word) + len(word)
        for longer in (texts[0][max(start - 1, 0) : end], texts[0][start : end + 1]):
            if longer != word and _is_in_pairs(longer) and all(longer in text for text in texts):
                word = longer
                break
        else:
            break
    return word


def _is_in_pairs(word: str) -> bool:
    match = None if word.isascii() else _WORD_IN_RUN.fullmatch(word)
    return match is not None and not match[1]
