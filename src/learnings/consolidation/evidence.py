"""What members of a group share: the words as they are written, and the lines they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.keywords import keywords
from learnings.consolidation.profiles import Profile
from learnings.core.document import Entry

_SHOWN = 6


class Shared(NamedTuple):
    """A keyword that members of a group share, and where.

    word is how they write it; lines are the first ones that say it, one for each member that
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
    identifier are shown once.
    """
    ranked = _ranked(profiles)
    chosen = ranked[:_SHOWN]
    for profile in profiles:
        own = [key for key in ranked if key in profile.telling]
        chosen += [key for key in own[:2] if key not in chosen]
    first = {spelled[key]: key for key in reversed(chosen)}
    places = [_places(entry) for entry in entries]
    return tuple(
        Shared(key, spelled[key], tuple(lines[key] for lines in places if key in lines))
        for key in chosen
        if first[spelled[key]] == key
    )


def _ranked(profiles: Sequence[Profile]) -> list[str]:
    """Return the keys of two members or more, those first that hold most of them together."""
    spread = Counter(key for profile in profiles for key in profile.telling)
    strength = {
        key: sum(profile.words.get(key, 0.0) for profile in profiles) * (count - 1)
        for key, count in spread.items()
        if count > 1
    }
    return sorted(strength, key=lambda key: (-strength[key], key))


def _places(entry: Entry) -> dict[str, int]:
    """Return the first line that says each key."""
    return dict(reversed(list(_keys_by_line(entry))))


def _keys_by_line(entry: Entry) -> Iterator[tuple[str, int]]:
    for at, line in enumerate(entry.lines):
        yield from ((keyword.key, entry.first + at) for keyword in keywords(line))
