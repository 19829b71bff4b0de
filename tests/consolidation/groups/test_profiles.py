from __future__ import annotations

import math
from datetime import date

import pytest

from learnings.consolidation.groups.partition import Profile, profiles
from learnings.core.entries.document import Entry, read
from learnings.core.entries.origin import is_consolidated


def entries_of(*texts: tuple[str, str], level: int = 2) -> tuple[Entry, ...]:
    text = "".join(f"{'#' * level} {title}\n\n{body}\n\n" for title, body in texts)
    return read(f"# L\n\n{text}".encode()).entries


def profiled(*texts: tuple[str, str]) -> list[Profile]:
    return profiles(entries_of(*texts), with_parts=True)


def test_vectors_have_length_one_or_none() -> None:
    all_profiles = profiled(("Hook tests", "alpha bravo"), ("", "the of"), ("Mocks", "charlie"))
    lengths = [math.hypot(*profile.words.values()) for profile in all_profiles]
    assert lengths == [pytest.approx(1), 0, pytest.approx(1)]
    assert math.hypot(*all_profiles[0].parts.values()) == pytest.approx(1)
    assert all_profiles[1] == Profile({}, {}, frozenset(), None)


def test_an_item_without_a_title_has_a_profile() -> None:
    source = "# L\n\n- Caches are cold\n- \n- Locks stay\n"
    entries = read(source.encode()).entries
    assert "" in {entry.title for entry in entries}
    assert len(profiles(entries)) == len(entries)


def test_rare_words_and_words_of_titles_weigh_more() -> None:
    texts = [("Hook", "alpha bravo"), ("Hook", "alpha bravo"), ("Cache", "bravo"), ("", "bravo")]
    words = profiled(*texts)[0].words
    assert words["hook"] > words["alpha"] > words["bravo"]


@pytest.mark.parametrize(("count", "is_discriminative"), [(7, True), (8, False)])
def test_what_most_entries_have_is_boilerplate(count: int, is_discriminative: bool) -> None:
    all_profiles = profiled(*((f"Title {'abcdefgh'[n]}xyz", "common words") for n in range(count)))
    assert ("common" in all_profiles[0].discriminative) is is_discriminative


def test_tags_ids_and_labels_of_the_file_are_no_words() -> None:
    all_profiles = profiled(
        ("[infra] Retry", "- Vorfall: alpha #area:cli\n- Merke: bravo"),
        ("[infra] Cache", "- Vorfall: charlie, ADR-0042\n- Merke: delta [docs](x.md)"),
    )
    words = {key for profile in all_profiles for key in profile.words}
    assert {"retry", "alpha", "bravo", "charli", "delta", "doc"} <= {w.rstrip("e") for w in words}
    assert not words & {"infra", "vorfall", "merk", "merke", "area", "cli", "adr-0042"}


def test_the_stop_words_of_the_language_are_left_out() -> None:
    text = (
        "Když se fronta nevyprázdní, je třeba, aby se worker, který ji drží, restartoval, "
        "protože jinak by další úlohy, které jsou už připraveny, čekaly"
    )
    words = [*profiled(("Fronta", text), ("Cache", text))[0].words]
    assert not [word for word in words if word.startswith(("kdyz", "protoz", "ktery"))]
    assert all(any(word.startswith(kept) for word in words) for kept in ("front", "worker"))


def test_day_is_stated_in_full() -> None:
    text = b"# L\n\n## [2026-02-16-120000] A\n\n## [2026-02] B\n\n## [2026-02-17] C\n"
    assert [profile.day for profile in profiles(read(text).entries)] == [
        date(2026, 2, 16).toordinal(),
        None,
        date(2026, 2, 17).toordinal(),
    ]


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Hooks (consolidated)", ""),
        ("Hooks (Consolidated)", ""),
        ("Hooks", "- **Consolidated from**: 3 entries"),
    ],
)
def test_products_of_consolidations(title: str, body: str) -> None:
    entry, other = entries_of((title, body), ("Mocks", "alpha"))
    assert (is_consolidated(entry), is_consolidated(other)) == (True, False)
