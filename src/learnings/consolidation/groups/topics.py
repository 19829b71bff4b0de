"""A name for a group, made of words of its members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.nouns import noun_shares
from learnings.consolidation.groups.profiles import title_and_text
from learnings.consolidation.groups.spelling import phrases, preferred, whole_run
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.scripts import is_unspaced
from learnings.core.entries.document import Entry

# They only decide the name; chosen by looking at the topics of the six passes at hand.
_IN_TEXT = 0.3  # weight of a word in the text, where one in a title has 1
_TITLE = 8  # keywords of a title that count as such
_UNCOVERED = 2.0  # factor for members that the first term does not cover
_COVERAGE = 1.5  # exponent: how much more the number of members counts than the rarity of a word
_NOUN = 0.4  # share of the uses of a word as a noun, from which it may be a name


class Term(NamedTuple):
    """A word or two of a topic, and the indices of the members that use it."""

    text: str
    keys: frozenset[str]
    members: frozenset[int]


class _GroupText(NamedTuple):
    """The texts of the members of a group: the weights of their keys, and how they are written."""

    entries: Sequence[Entry]
    key_weights: Sequence[Mapping[str, float]]
    phrases: Sequence[Sequence[tuple[str, str, str]]]
    spelled: Mapping[str, str]
    idf: Mapping[str, float]
    nouns: Mapping[str, float]


def topic(entries: Sequence[Entry], spelled: Mapping[str, str], idf: Mapping[str, float]) -> str:
    """Return a name for a group: two terms at most, the second for members without the first.

    spelled is how its members write the keys that they share, idf how rare a key is in the file.
    Empty where there is no term.
    """
    key_weights = [_key_weights(entry) for entry in entries]
    all_phrases = [list(phrases(entry)) for entry in entries]
    nouns = noun_shares(entries, spelled)
    group = _GroupText(entries, key_weights, all_phrases, spelled, idf, nouns)
    first = _term(group, None)
    if first is None:
        return ""
    second = _term(group, first)
    terms = [first, second] if second and _is_needed(second, first, group) else [first]
    name = ", ".join(term.text for term in terms)
    # Identifiers stay as they are written.
    return name[:1].upper() + name[1:] if terms[0].text.replace(" ", "").islower() else name


def _is_needed(second: Term, first: Term, group: _GroupText) -> bool:
    """Return True if a second term adds something to a first one of two words."""
    if len(first.keys) == 1:
        return True
    weights = (keys.get(key, 0.0) for keys in group.key_weights for key in second.keys)
    titles = sum(weight == 1.0 for weight in weights)
    says_more = titles > 1 or not second.members <= first.members
    return says_more and 2 * len(second.members) >= len(group.entries)


def _key_weights(entry: Entry) -> dict[str, float]:
    """Return the weight of each key of an entry: 1 in the title, less in the text."""
    title, text = title_and_text(entry)
    in_title = keywords(title)
    # A title of several sentences counts as text after the first.
    return {keyword.key: _IN_TEXT for keyword in (*in_title, *keywords(text))} | {
        keyword.key: 1.0 for keyword in in_title[:_TITLE]
    }


def _term(group: _GroupText, first: Term | None) -> Term | None:
    """Return the term that covers the members best, or those that the first does not cover."""
    covered = first.members if first else frozenset()
    strength: dict[str, float] = {}
    members_by_key: dict[str, list[int]] = {}
    for index, keys in enumerate(group.key_weights):
        for key, weight in keys.items():
            part = weight if index in covered else weight * _UNCOVERED
            strength[key] = strength.get(key, 0.0) + part
            members_by_key.setdefault(key, []).append(index)
    ranked = [
        key for key in members_by_key if len(members_by_key[key]) > 1 and _adds(key, group, first)
    ]
    # Among equals the one that occurs first.
    ranked.sort(key=lambda key: -(strength[key] ** _COVERAGE * group.idf[key]))
    strongest = None
    for key in ranked:
        term = _about(key, frozenset(members_by_key[key]), group, first)
        if _is_name(term, group):
            return term
        strongest = strongest or term
    # A second term that is not a noun is better left out.
    return strongest if first is None else None


def _about(key: str, members: frozenset[int], group: _GroupText, first: Term | None) -> Term:
    """Return the term for a key: the phrase that it is in, or the word alone."""
    word = group.spelled[key]
    if is_unspaced(word):
        return Term(whole_run(word, group.entries), frozenset([key]), members)
    alone = Term(word, frozenset([key]), members)
    return _phrase(group, alone, first) or alone


def _is_name(term: Term, group: _GroupText) -> bool:
    """Return True if the last word of a term is used as a noun often enough."""
    last = keywords(term.text)[-1:]
    return all(group.nouns.get(keyword.key, 1.0) >= _NOUN for keyword in last)


def _adds(key: str, group: _GroupText, first: Term | None) -> bool:
    """Return True if a key can be shown and adds something to the first term."""
    if key not in group.spelled or first is None:
        return key in group.spelled
    one, other = group.spelled[key].casefold(), first.text.casefold()
    return key not in first.keys and one not in other and other not in one


def _phrase(group: _GroupText, alone: Term, first: Term | None) -> Term | None:
    """Return the phrase of two words in which most members use a word, if there is one.

    Of several the one that is in most titles.
    """
    forms: dict[frozenset[str], Counter[str]] = {}
    members_by_key: dict[frozenset[str], set[int]] = {}
    titles: Counter[frozenset[str]] = Counter()
    for index in sorted(alone.members):
        for one, other, text in group.phrases[index]:
            keys = frozenset((one, other))
            if alone.keys < keys and all(_adds(key, group, first) for key in keys):
                forms.setdefault(keys, Counter())[text] += 1
                members_by_key.setdefault(keys, set()).add(index)
                titles[keys] += text in group.entries[index].title
    most = [
        keys
        for keys, key_weights in members_by_key.items()
        if 2 * len(key_weights) > max(2, len(alone.members))
    ]
    if not most:
        return None
    best = min(most, key=lambda keys: (-titles[keys], -len(members_by_key[keys]), sorted(keys)))
    return Term(preferred(forms[best]), best, alone.members)
