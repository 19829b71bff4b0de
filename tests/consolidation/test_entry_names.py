from __future__ import annotations

import pytest

from learnings.consolidation.entry_names import entries_named, name_of, several, unknown
from learnings.core.entries.document import read

ENTRIES = read(
    b"# L\n\n## [2026-03-01] Case\n\n## [2026-03-02] Case\n\n## [2026-03-02] Case\n\n"
    b"## [2026-03-03] Other  thing\n"
).entries
BULLETS = read(b"# L\n\n- 2026-03-01: never retry on 409\n- **Locks**: look first\n").entries


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("2026-03-01 case", (0,)),
        ("2026-03-02 CASE", (1,)),
        ("2026-03-02 case #2", (2,)),
        ("[2026-03-01] Case", (0,)),
        ("[2026-03-02] Case", (1, 2)),
        ("case", (0, 1, 2)),
        (" other thing ", (3,)),
        ("2026-03-03", (3,)),
        ("2026-03-02", (1, 2)),
        ("", ()),
        ("  ", ()),
        ("thing", ()),
    ],
)
def test_what_a_name_means(name: str, positions: tuple[int, ...]) -> None:
    assert entries_named(name, ENTRIES) == tuple(ENTRIES[n] for n in positions)


def test_names_of_items_of_a_list() -> None:
    for entry in BULLETS:
        assert entries_named(entry.identity, BULLETS) == (entry,)
        assert entries_named(entry.title, BULLETS) == (entry,)


def test_every_entry_is_found_by_what_it_is_called() -> None:
    names = [name_of(entry, ENTRIES) for entry in ENTRIES]
    assert names == [
        "[2026-03-01] Case",
        "2026-03-02 case",
        "2026-03-02 case #2",
        "[2026-03-03] Other  thing",
    ]
    assert [entries_named(name, ENTRIES) for name in names] == [(entry,) for entry in ENTRIES]


def test_sentences() -> None:
    assert several("case", ENTRIES[:2]) == (
        '"case" matches 2 entries; use one of "2026-03-01 case", "2026-03-02 case"'
    )
    assert unknown("othr thing", ENTRIES, "x.md") == (
        'there is no entry "othr thing" in x.md; did you mean "[2026-03-03] Other thing"?'
    )
    assert unknown("zzz", ENTRIES, "x.md") == (
        'there is no entry "zzz" in x.md; `learnings ages` lists the entries of a file'
    )
