"""What a merge did to entries, told by the versions of its parents; real merges are elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from learnings.core.entries.document import Document, read
from learnings.core.entries.merge_damage import (
    BARE_HEADING,
    BOTH_VERSIONS,
    MIXED,
    PART,
    Merge,
    MergeDamage,
    still_in,
)

FORM = "**Where**: ci\n**Who**: all\n"
A = f"## Alpha\n\n{FORM}\nThe first lesson of all.\n"
B = f"## Beta\n\n{FORM}\nThe second lesson of all.\n"
C = f"## Gamma\n\n{FORM}\nThe third lesson of all.\n"
LENDER = f"## Zeta\n\nThe sixth lesson of all.\n\n{FORM}"
LENT = f"## Eta\n\nThe seventh lesson of all.\n\n{FORM}"
D = f"## Delta\n\n{FORM}\nThe fourth lesson of all.\n"


def memory(*entries: str) -> str:
    return "\n".join(["# Notes\n", *entries])


def of(base: str | None, parents: Sequence[str], merged: str) -> list[MergeDamage]:
    def before() -> Document | None:
        return None if base is None else read(base.encode())

    document = read(merged.encode())
    return [*Merge(document, [read(side.encode()) for side in parents], before).damage()]


def kinds(base: str | None, parents: Sequence[str], merged: str) -> list[tuple[str, bool]]:
    """Return the kinds of damage, and whether it can be repaired."""
    return [(one.kind, one.restored is not None) for one in of(base, parents, merged)]


TWO, THREE = "The second lesson of all.\n", "The third lesson of all.\n"
HALF = "## Beta\n\n**Where**: ci\n"
DAMAGED: dict[str, tuple[str | None, list[str], str, list[tuple[str, bool]]]] = {
    "lines of two below one heading": (
        memory(A), [memory(A, B), memory(A, C)],
        memory(A, "## Beta\n## Gamma\n", FORM, TWO, THREE),
        [(MIXED, True)],
    ),
    "last lines lent to the entry below": (
        memory(A), [memory(A, LENT), memory(A, LENDER)],
        memory(A, LENT.removesuffix(FORM), LENDER), [(MIXED, True)],
    ),
    "a text below the heading of an entry that is gone": (
        memory(A, B), [memory(C), memory(A, B)],
        memory("## Gamma\n## Alpha\n", FORM, "The third lesson of all.\n", B), [(MIXED, False)],
    ),
    "the heading of an entry that one branch removed": (
        memory(A, B), [memory(A, B, C), memory(A, D)], memory(A, "## Beta\n", D, C),
        [(BARE_HEADING, False)],
    ),
    "a part of an entry that is whole below": (
        memory(A, B), [memory(C, A, B), memory(D, A, B)], memory(C, "## Alpha\n", D, A, B),
        [(PART, True)],
    ),
    "a line that one branch replaced, and its new wording": (
        memory(A), [memory(A.replace("first", "new")), memory(A + "\nMore of it.\n")],
        memory(A.replace("first", "new") + "The first lesson of all.\n\nMore of it.\n"),
        [(BOTH_VERSIONS, False)],
    ),
    "one title of both, with the fields of two": (
        memory(A), [memory(A, "## New\n\n**Cause**: x\n"), memory(A, "## New\n\n**Cause**: y\n")],
        memory(A, "## New\n\n**Cause**: x\n**Cause**: y\n"), [(BOTH_VERSIONS, False)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_damage(name: str) -> None:
    base, parents, merged, expected = DAMAGED[name]
    assert kinds(base, parents, merged) == expected
    damages = of(base, parents, merged)
    assert [*still_in(read(merged.encode()), damages)]
    assert not [*still_in(read(parents[0].encode()), damages)]
    assert kinds(base, parents[::-1], merged) == expected


FINE: dict[str, tuple[str | None, list[str], str]] = {
    "both appended": (memory(A), [memory(A, B), memory(A, C)], memory(A, B, C)),
    "both edited": (
        memory(A), [memory(A.replace("ci", "cd")), memory(A.replace("first", "only"))],
        memory(A.replace("ci", "cd").replace("first", "only")),
    ),
    "shortened in the merge": (memory(A), [memory(A, B), memory(A, C)], memory(A, HALF, C)),
    "joined in the merge": (
        memory(A), [memory(A, B), memory(A, C)], memory(A, B + "\nThe third lesson of all.\n"),
    ),
    "written in the merge": (
        memory(A), [memory(A, B), memory(A, C)], memory(A, "## Beta\n## Gamma\n\nBoth of us.\n"),
    ),
    "twice in a branch already": (memory(A), [memory(A, B, B), memory(A, C)], memory(A, B, B, C)),
    "a short item in two places": (
        "- one\n- two\n", ["- done\n- one\n- two\n", "- one\n- two\n- done\n"],
        "- done\n- one\n- two\n- done\n",
    ),
    "new titles that are equal": (
        memory(A), [memory(A, B), memory(A, B.replace("second", "other"))],
        memory(A, B, B.replace("second", "other")),
    ),
    "no common base": (
        None, [memory(A.replace("first", "old")), memory(A.replace("first", "new"))],
        memory(A.replace("first", "old") + "The new lesson of all.\n"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_no_damage(name: str) -> None:
    base, parents, merged = FINE[name]
    assert kinds(base, parents, merged) == []
    assert kinds(base, parents[::-1], merged) == []
