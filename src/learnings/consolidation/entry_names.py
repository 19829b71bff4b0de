"""Resolves the name that a person or an agent gives to an entry."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.consolidation.plan.plan import identity_of
from learnings.core.entries.document import Entry, digest_of
from learnings.core.findings.finding import quoted
from learnings.core.text import counted, nearest

_LISTED = "`learnings ages` lists the entries of a file"


def entries_named(name: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries that a name matches: one, none, or several if it is ambiguous.

    A name is the identity of an entry, its heading as in reports, its title, its timestamp or id
    alone, its digest, or the path of its own file, without regard to case and white space. The
    first kind that matches counts.
    """
    key = identity_of(name)
    for kind in zip(*map(_names, entries), strict=True):
        of_kind = zip(entries, kind, strict=True)
        named = tuple(entry for entry, text in of_kind if key and identity_of(text) == key)
        if named:
            return named
    return ()


def name_of(entry: Entry, entries: Sequence[Entry]) -> str:
    """Return the name of an entry for a command line: its heading, identity or digest."""
    is_unique = entries_named(entry.heading, entries) == (entry,)
    name = entry.heading if is_unique else entry.identity
    return digest_of(entry) if name.startswith("-") else name  # it would be an option


def several(name: str, entries: Sequence[Entry]) -> str:
    """Return the error message for a name that matches several entries."""
    names = ", ".join(quoted(entry.identity) for entry in entries)
    number = counted(len(entries), "entry", "entries")
    return f"{quoted(name)} matches {number}; use one of {names}"


def unknown(name: str, entries: Sequence[Entry], place: str, *, advice: str = _LISTED) -> str:
    """Return the error message for a name that matches no entry.

    place names the files or archives; advice says what to do if no name is similar.
    """
    names = {
        identity_of(text): entry for entry in reversed(entries) for text in _names(entry) if text
    }
    near = nearest(identity_of(name), names)
    missing = f"there is no entry {quoted(name)} in {place}"
    if near is None:
        return f"{missing}; {advice}"
    return f"{missing}; did you mean {quoted(name_of(names[near], entries))}?"


def _names(entry: Entry) -> tuple[str, ...]:
    names = entry.identity, entry.heading, entry.title, entry.stamp or "", digest_of(entry)
    return (*names, entry.path)
