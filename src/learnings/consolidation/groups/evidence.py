"""What members of a group share: the words as they are written, and the lines they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.profiles import Profile
from learnings.consolidation.groups.spelling import whole_run
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.scripts import is_unspaced
from learnings.core.entries.document import Entry

# As many as fit on a line or two; chosen without a measurement, with no effect on the groups.
_SHOWN = 6


class Shared(NamedTuple):
    """A keyword that members of a group share, and where.

    word is how they write it; lines are the first lines that contain it, one for each member that
    does, in the order of the members.
    """

    key: str
    word: str
    lines: tuple[int, ...]


def evidence(
    entries: Sequence[Entry], profiles: Sequence[Profile], spelled: Mapping[str, str]
) -> tuple[Shared, ...]:
    """Return the keywords that most connect the members of a group, strongest first.

    Six, and more where a member shares fewer than two of them; keys that are parts of the same
    identifier, or of a run of characters without spaces, are shown once.
    """
    ranked = _ranked(profiles)
    chosen = ranked[:_SHOWN]
    for profile in profiles:
        own = [key for key in ranked if key in profile.discriminative]
        chosen += [key for key in own[:2] if key not in chosen]
    written = {key: _whole(spelled[key], entries) for key in chosen}
    first = {written[key]: key for key in reversed(chosen)}
    first_lines = [_first_lines(entry) for entry in entries]
    return tuple(
        Shared(key, word, _lines(key, word, entries, first_lines))
        for key, word in written.items()
        if first[word] == key
    )


def _whole(word: str, entries: Sequence[Entry]) -> str:
    """Return the word; in a script without spaces more than the two characters of the key."""
    return whole_run(word, entries) if is_unspaced(word) else word


def _lines(
    key: str, word: str, entries: Sequence[Entry], first_lines: Sequence[Mapping[str, int]]
) -> tuple[int, ...]:
    """Return the first line of each entry that contains a key, if possible the whole word."""
    return tuple(
        next((number for number, line in _numbered(entry) if word in line), lines[key])
        if is_unspaced(word)
        else lines[key]
        for entry, lines in zip(entries, first_lines, strict=True)
        if key in lines
    )


def _ranked(profiles: Sequence[Profile]) -> list[str]:
    """Return the keys of two members or more, those first that add most to the closeness of pairs.

    Where all weigh nothing, those of more members come first.
    """
    spread = Counter(key for profile in profiles for key in profile.discriminative)
    strength = {key: _added(key, profiles) for key, count in spread.items() if count > 1}
    return sorted(strength, key=lambda key: (-strength[key], -spread[key], key))


def _added(key: str, profiles: Sequence[Profile]) -> float:
    """Return what a key adds to the closeness of all pairs of profiles."""
    weights = [profile.words.get(key, 0.0) for profile in profiles]
    return sum(weights) ** 2 - sum(weight * weight for weight in weights)


def _first_lines(entry: Entry) -> dict[str, int]:
    """Return the number of the first line that contains each key."""
    return dict(reversed(list(_keys_by_line(entry))))


def _keys_by_line(entry: Entry) -> Iterator[tuple[str, int]]:
    for number, line in _numbered(entry):
        yield from ((keyword.key, number) for keyword in keywords(line))


def _numbered(entry: Entry) -> Iterator[tuple[int, str]]:
    return enumerate(entry.lines, start=entry.first)
