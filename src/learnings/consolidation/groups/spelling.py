"""How the members of a group write the keywords that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from learnings.consolidation.groups.profiles import title_and_text
from learnings.consolidation.text.keywords import keywords_of, words
from learnings.consolidation.text.scripts import is_unspaced
from learnings.core.entries.document import Entry

# They only decide what is shown; chosen by looking at the topics of the six passes at hand.
_MOSTLY_WHOLE = 0.6  # share of the uses of a word in one identifier, from which that is shown
_LONGEST_RUN = 8  # characters of a script without spaces
_ACRONYM = 4  # letters


def spellings(entries: Sequence[Entry], keys: AbstractSet[str]) -> dict[str, str]:
    """Return for each of the keys how it is written most often.

    A word that is mostly part of one identifier is shown as that: `golangci-lint`, not `golangci`.
    """
    written: dict[str, Counter[str]] = {key: Counter() for key in keys}
    whole: dict[str, Counter[str]] = {key: Counter() for key in keys}
    for text in (text for entry in entries for text in title_and_text(entry)):
        for word in words(text):
            parts = keywords_of(word)
            for keyword in (part for part in parts if part.key in keys):
                written[keyword.key][keyword.word] += 1
                if len(parts) > 1:
                    whole[keyword.key][word] += 1
    return {key: _whole_or_part(forms, whole[key]) for key, forms in written.items() if forms}


def phrases(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Yield the pairs of neighbouring words of an entry: both keys and the two as written.

    Words of one keyword each, with a space between them.
    """
    for text in title_and_text(entry):
        for one, other in pairwise(words(text)):
            left, right = keywords_of(one), keywords_of(other)
            if len(left) == len(right) == 1 and left[0].key != right[0].key:
                together = f"{one} {other}"
                if together in text:
                    yield left[0].key, right[0].key, together


def whole_run(pair: str, entries: Sequence[Entry]) -> str:
    """Return a pair of unspaced characters, extended as far as all entries with it agree."""
    texts = [text for entry in entries if pair in (text := "\n".join(title_and_text(entry)))]
    run = pair
    while texts and len(run) < _LONGEST_RUN:
        start = texts[0].index(run)
        after, before = texts[0][start + len(run) :][:1], texts[0][:start][-1:]
        longer = [
            text
            for text, sign in ((run + after, after), (before + run, before))
            if sign.isalpha() and is_unspaced(sign) and all(text in other for other in texts)
        ]
        if not longer:
            break
        run = longer[0]
    return run


def preferred(forms: Mapping[str, int]) -> str:
    """Return the form that is written most often, in lower case where that is common too."""
    folded: Counter[str] = Counter()
    for form, count in forms.items():
        folded[form.casefold()] += count
    chosen = min(folded, key=lambda form: (-folded[form], form))
    variants = {form: count for form, count in forms.items() if form.casefold() == chosen}
    # Most capitals are at the beginning of a title or a sentence.
    often = max(variants.values())
    small = [form for form in variants if form.islower() and 2 * variants[form] >= often]
    # Paths and code write CLI and JSON in lower case.
    acronyms = [form for form in variants if form.isupper() and 3 * variants[form] >= often]
    short = [form for form in acronyms if len(form) <= _ACRONYM]
    return min(short or small or variants, key=lambda form: (-variants[form], form))


def _whole_or_part(forms: Mapping[str, int], whole: Mapping[str, int]) -> str:
    identifier = min(whole, key=lambda word: (-whole[word], word), default="")
    if identifier and whole[identifier] >= _MOSTLY_WHOLE * sum(forms.values()):
        return identifier
    return preferred(forms)
