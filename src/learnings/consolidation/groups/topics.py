"""A name for a group that a stranger understands, in words of its members."""

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

_IN_TEXT = 0.3  # where a title counts 1
_TITLE = 8  # keywords
_UNCOVERED = 2.0
_COVERAGE = 1.5
_NOUN = 0.4  # of the uses of a word


class Term(NamedTuple):
    """A word or two of a topic, and the members that say it."""

    text: str
    keys: frozenset[str]
    members: frozenset[int]


class _Speech(NamedTuple):
    """What the members of a group say: how much of each key, and how they and the file write."""

    entries: Sequence[Entry]
    said: Sequence[Mapping[str, float]]
    phrases: Sequence[Sequence[tuple[str, str, str]]]
    spelled: Mapping[str, str]
    idf: Mapping[str, float]
    nouns: Mapping[str, float]


def topic(entries: Sequence[Entry], spelled: Mapping[str, str], idf: Mapping[str, float]) -> str:
    """Return a name for a group: two terms at most, the second for those the first leaves out.

    spelled is how its members write the keys that they share, rarity how much a key tells in the
    file.
    """
    said = [_said(entry) for entry in entries]
    said_together = [list(phrases(entry)) for entry in entries]
    speech = _Speech(entries, said, said_together, spelled, idf, noun_shares(entries, spelled))
    first = _term(speech, None)
    if first is None:
        return ""
    second = _term(speech, first)
    terms = [first, second] if second and _is_needed(second, first, speech) else [first]
    name = ", ".join(term.text for term in terms)
    # Identifiers stay as they are written.
    return name[:1].upper() + name[1:] if terms[0].text.replace(" ", "").islower() else name


def _is_needed(second: Term, first: Term, speech: _Speech) -> bool:
    """Say whether a second term tells more than a first one of two words does already."""
    if len(first.keys) == 1:
        return True
    titles = sum(said.get(key, 0.0) == 1.0 for said in speech.said for key in second.keys)
    says_more = titles > 1 or not second.members <= first.members
    return says_more and 2 * len(second.members) >= len(speech.entries)


def _said(entry: Entry) -> dict[str, float]:
    """Return how much an entry speaks of each of its keys."""
    title, text = title_and_text(entry)
    in_title = keywords(title)
    # What a title of several sentences says after the first is text.
    return {keyword.key: _IN_TEXT for keyword in (*in_title, *keywords(text))} | {
        keyword.key: 1.0 for keyword in in_title[:_TITLE]
    }


def _term(speech: _Speech, first: Term | None) -> Term | None:
    """Return the term that says most about the members, or most that the first does not say."""
    covered = first.members if first else frozenset()
    strength: dict[str, float] = {}
    speakers: dict[str, list[int]] = {}
    for at, keys in enumerate(speech.said):
        for key, weight in keys.items():
            part = weight if at in covered else weight * _UNCOVERED
            strength[key] = strength.get(key, 0.0) + part
            speakers.setdefault(key, []).append(at)
    ranked = [key for key in speakers if len(speakers[key]) > 1 and _adds(key, speech, first)]
    # Among equals the one that is said first.
    ranked.sort(key=lambda key: -(strength[key] ** _COVERAGE * speech.idf[key]))
    strongest = None
    for key in ranked:
        term = _about(key, frozenset(speakers[key]), speech, first)
        if _is_name(term, speech):
            return term
        strongest = strongest or term
    # A second term that names nothing is better left out.
    return strongest if first is None else None


def _about(key: str, members: frozenset[int], speech: _Speech, first: Term | None) -> Term:
    """Return the term for a key: the phrase that it is in, or the word alone."""
    word = speech.spelled[key]
    if is_unspaced(word):
        return Term(whole_run(word, speech.entries), frozenset([key]), members)
    alone = Term(word, frozenset([key]), members)
    return _phrase(speech, alone, first) or alone


def _is_name(term: Term, speech: _Speech) -> bool:
    """Say whether a term names something: its last word is used as a noun often enough."""
    last = keywords(term.text)[-1:]
    return all(speech.nouns.get(keyword.key, 1.0) >= _NOUN for keyword in last)


def _adds(key: str, speech: _Speech, first: Term | None) -> bool:
    """Say whether a key tells anything that the first term does not."""
    if key not in speech.spelled or first is None:
        return key in speech.spelled
    one, other = speech.spelled[key].casefold(), first.text.casefold()
    return key not in first.keys and one not in other and other not in one


def _phrase(speech: _Speech, alone: Term, first: Term | None) -> Term | None:
    """Return the phrase of two words in which most members say a word, if there is one.

    Of several the one that stands in most titles.
    """
    forms: dict[frozenset[str], Counter[str]] = {}
    speakers: dict[frozenset[str], set[int]] = {}
    titles: Counter[frozenset[str]] = Counter()
    for at in sorted(alone.members):
        for one, other, text in speech.phrases[at]:
            keys = frozenset((one, other))
            if alone.keys < keys and all(_adds(key, speech, first) for key in keys):
                forms.setdefault(keys, Counter())[text] += 1
                speakers.setdefault(keys, set()).add(at)
                titles[keys] += text in speech.entries[at].title
    most = [keys for keys, said in speakers.items() if 2 * len(said) > max(2, len(alone.members))]
    if not most:
        return None
    best = min(most, key=lambda keys: (-titles[keys], -len(speakers[keys]), sorted(keys)))
    return Term(preferred(forms[best]), best, alone.members)
