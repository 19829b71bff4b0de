from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.groups.groups import Grouping, propose
from learnings.consolidation.groups.partition import levels_of
from learnings.core.entries.document import Entry, read

WORDS = ["hook", "script", "permission", "lint", "build", "test"]
WORDS += ["fixture", "mock", "cache", "path", "journal", "session"]
FILLER = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"]
FILLER += ["golf", "hotel", "india", "juliet", "kilo", "lima"]


def entries_of(*entries: Sequence[str]) -> tuple[Entry, ...]:
    """Return entries of a file, each given as a title and lines of text."""
    text = "".join(f"## {title}\n\n" + "\n".join(body) + "\n\n" for title, *body in entries)
    return read(f"# Learnings\n\n{text}".encode()).entries


def stamped(*entries: Sequence[str]) -> tuple[Entry, ...]:
    """Return entries of a time-stamped file, each given as stamp, title and lines of text."""
    return entries_of(*((f"[{stamp}] {title}", *body) for stamp, title, *body in entries))


def titles(grouping: Grouping) -> list[list[str]]:
    return [[entry.title for entry in group.members] for group in grouping.groups]


def topic_of(word: str, number: int, *, rest: str = "") -> list[str]:
    return [f"The {word} engine {number}", f"The {word} engine needs its {word} belt. {rest}"]


# --- any file

TEXTS = st.lists(
    st.sampled_from([*WORDS, *FILLER, "the", "**Context**:", "权限", "хуки"]), max_size=9
)
ENTRIES = st.lists(st.tuples(TEXTS.map(" ".join), TEXTS.map(" ".join)), max_size=24)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(texts=ENTRIES, include=st.booleans())
def test_a_grouping_is_sound_whatever_the_file(
    texts: list[tuple[str, str]], *, include: bool
) -> None:
    entries = entries_of(*texts)
    grouping = propose(entries, include_consolidated=include)
    grouped = [entry.first for group in grouping.groups for entry in group.members]
    left = [entry.first for entry in grouping.ungrouped]
    assert sorted([*grouped, *left]) == [entry.first for entry in entries]
    assert all(2 <= len(group.members) <= 8 for group in grouping.groups)
    assert left == sorted(left)
    for group in grouping.groups:
        assert group.topic
        assert 0 <= group.score <= 1
        assert all(len(lines) > 1 for lines in group.shared.values())
    assert [entry for entry, _ in grouping.neighbours] == list(entries)
    for own, nearest in grouping.neighbours:
        scores = [score for _, score in nearest]
        assert len(scores) <= 5
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1.000001 for score in scores)
        assert own not in [entry for entry, _ in nearest]


def test_too_many_entries_have_no_groups() -> None:
    entries = entries_of(("Hooks", "alpha bravo")) * 5001
    assert propose(entries) == Grouping((), entries, ())


# --- small files


@pytest.mark.parametrize("texts", [[], [("the and of", "it is")] * 3, [("", "")] * 9])
def test_nothing_to_say(texts: list[tuple[str, str]]) -> None:
    grouping = propose(entries_of(*texts))
    assert grouping.groups == ()
    assert len(grouping.ungrouped) == len(texts)


def test_two_shared_words_make_a_group_of_a_small_file() -> None:
    entries = entries_of(
        ("Hooks lose permissions", "**Context**: rsync"),
        ("Check permissions of a hook", "**Context**: chmod"),
        ("Hooks are slow", "**Context**: caching"),
    )
    assert titles(propose(entries)) == [["Hooks lose permissions", "Check permissions of a hook"]]


def test_labels_and_stop_words_make_no_group() -> None:
    body = ("**Context**: one", "**Lesson**: {}", "**Application**: when it is there")
    entries = entries_of(
        ("Hooks", *(line.format("alpha") for line in body)),
        ("Caches", *(line.format("bravo") for line in body)),
    )
    assert propose(entries).groups == ()


def test_boilerplate_makes_no_group() -> None:
    entries = entries_of(
        *(
            (f"{word} {FILLER[n]}", "Recorded by the nightly robot run.")
            for n, word in enumerate(WORDS)
        )
    )
    assert propose(entries).groups == ()


@pytest.mark.parametrize("size", [9, 10, 12])
def test_a_topic_that_is_too_large_is_split(size: int) -> None:
    engines = [topic_of("steam", number, rest=FILLER[number % 12]) for number in range(size)]
    others = [(f"{one} {other}", "") for one in FILLER for other in (f"{one}x",)]
    grouping = propose(entries_of(*engines, *others))
    grouped = [title for group in titles(grouping) for title in group]
    assert sum("steam" in title for title in grouped) >= size - 1
    assert all(2 <= len(group.members) <= 8 for group in grouping.groups)


def test_topics_are_kept_apart() -> None:
    kinds = {"steam": "Boil the water.", "diesel": "Fill the tank.", "rocket": "Count seconds."}
    texts = [
        (f"A {kind} {FILLER[3 * number + place]}", text)
        for number in range(4)
        for place, (kind, text) in enumerate(kinds.items())
    ]
    grouping = propose(entries_of(*texts))
    assert sorted(len(group.members) for group in grouping.groups) == [4, 4, 4]
    for group in titles(grouping):
        assert len({title.split()[1] for title in group}) == 1


def test_bullets_speak_with_their_whole_line() -> None:
    data = (
        b"# L\n\n- 2026-03-04 **Retry** never on a conflict status\n"
        b"- 2026-03-05 **Limit** for a conflict status page\n"
        b"- 2026-03-06 **Colour** of the bike shed\n"
    )
    (group,) = propose(read(data).entries).groups
    assert [entry.title for entry in group.members] == ["Retry", "Limit"]


# --- consolidated and superseded entries


def test_products_of_a_consolidation_are_left_out() -> None:
    entries = entries_of(
        ("Hook permissions", "bit"),
        ("Hook permissions again", "bit"),
        ("Hook permissions (consolidated)", "bit"),
        ("Permissions of hooks", "**Consolidated from**: 3 entries (2026-01-15)"),
    )
    grouping = propose(entries)
    assert titles(grouping) == [["Hook permissions", "Hook permissions again"]]
    assert [len(nearest) for _, nearest in grouping.neighbours] == [1, 1, 2, 2]
    assert len(propose(entries, include_consolidated=True).groups[0].members) == 4


def test_an_earlier_consolidation_is_offered_as_the_place_to_join() -> None:
    others = [(f"Title {name}xyz", f"words of {name}xyz") for name in "abcdefgh"]
    grouping = propose(
        entries_of(
            ("Hook permissions", "bit"),
            ("Hook permissions again", "bit"),
            ("Hook permissions (consolidated)", "bit"),
            ("Title axyz (consolidated)", "words of axyz"),
            *others,
        )
    )
    (group,) = grouping.groups
    assert group.home is not None
    assert group.home.title == "Hook permissions (consolidated)"
    assert {name: home.title for name, home in grouping.homes.items()} == {
        "title axyz": "Title axyz (consolidated)"
    }


def test_a_group_of_little_similarity_is_a_hint() -> None:
    own = ["alpha", "bravo", "charlie", "delta", "foxtrot", "golf", "hotel", "india"]
    bodies = [f"{own[n]}xyz {own[n + 1]}uvw hook permission" for n in range(3)]
    texts = [(f"Hooks lose bits {n}", body) for n, body in enumerate(bodies)]
    rest = [(f"Title {word}", f"words of {word}") for word in own]
    for firm in (0.0, 0.99):
        levels = levels_of(0.5)._replace(firm=firm)
        groups = propose(entries_of(*texts, *rest), levels=levels).groups
        assert [group.is_firm for group in groups] == [firm == 0]
        same = [("Hooks lose bits", body) for body in bodies]
        (group,) = propose(entries_of(*same, *rest), levels=levels).groups
        assert group.is_firm, "of one title"


def test_entries_of_one_day_are_closer() -> None:
    texts = [("hook alpha", "bravo"), ("hook charlie", "delta"), ("hook echo", "foxtrot")]
    days = ["2026-02-16-120000", "2026-02-16-180000", "2026-02-18-120000"]
    grouping = propose(stamped(*((day, *text) for day, text in zip(days, texts, strict=True))))
    _, ((same, score), (other, less)) = grouping.neighbours[0]
    assert (same.title, other.title) == ("hook charlie", "hook echo")
    assert score > less


# --- what may be merged

NAMES = "quokka wombat numbat bilby dunnart potoroo"


def firm(one: str, other: str, *, others: int = 8, words: int = 0) -> bool:
    """Return True if a group of two entries is proposed to be merged, among some others."""
    filler = [f"{word} stays apart from {word}." for word in FILLER[:others]]
    rest = [(f"About {text.split()[0]}", text, "and so on " * words) for text in filler]
    grouping = propose(entries_of(("First", one), ("Second", other), *rest))
    found = [group for group in grouping.groups if "First" in str(titles(grouping))]
    return bool(found) and found[0].is_firm


def test_long_entries_stay_apart() -> None:
    long = f"{NAMES} " * 30
    assert firm(NAMES, NAMES)
    assert firm(long, NAMES)
    assert not firm(long, long)


def test_a_member_that_is_far_from_the_others_is_left_out() -> None:
    far = f"quokka wombat {' '.join(FILLER[8:])}"
    texts = [("One", NAMES), ("Two", f"{NAMES} too"), ("Three", far)]
    rest = [(f"About {word}", f"{word} stays apart from {word}.") for word in FILLER[:8]]
    (group,) = propose(entries_of(*texts, *rest)).groups
    assert group.is_firm
    assert [entry.title for entry in group.members] == ["One", "Two"]


@pytest.mark.parametrize(("label", "is_merged"), [("Fix", False), ("Cause", True), ("Zoo", True)])
def test_the_parts_of_one_text_stay_apart(label: str, is_merged: bool) -> None:
    first = "Cause" if label != "Zoo" else "Farm"
    rest = "".join(f"- {word} {word}ish\n" for word in FILLER[:8])
    text = f"# Learnings\n\n- {first}: {NAMES}\n- {label}: {NAMES} too\n{rest}"
    (group,) = propose(read(text.encode()).entries).groups
    assert group.is_firm == is_merged


def test_entries_that_say_the_opposite_stay_apart() -> None:
    assert firm(f"Feed the {NAMES} by hand.", f"Feed the {NAMES} by hand at noon.")
    assert not firm(f"Feed the {NAMES} by hand.", f"Never feed the {NAMES} by hand.")


def test_entries_with_other_numbers_of_the_same_things_stay_apart() -> None:
    assert firm(f"The {NAMES} have 5 burrows.", f"The {NAMES} have 5 burrows, and 7 nests.")
    assert not firm(f"The {NAMES} have 5 burrows.", f"The {NAMES} have 4 burrows.")
    assert not firm(f"The {NAMES} have 5 burrows.", f"A 1-burrow home of {NAMES}.")
    assert firm(f"The {NAMES} have 5 and more.", f"The {NAMES} have 4 and fewer.")


def test_short_entries_need_a_telling_word_or_four() -> None:
    def proposed(padding: int, *, others: int) -> bool:
        rows = [("Quokka", "Quokka wombat."), ("Quokka", "Wombat quokka.")]
        rows += [
            (f"{word} {word}ish", f"{shared} {' '.join(f'{word}{n}s' for n in range(9))}")
            for number, word in enumerate(FILLER)
            for shared in ["Quokka wombat" if number < others else "apart"]
        ]
        padded = [(title, text, "and so on " * padding) for title, text in rows]
        return any(group.is_firm for group in propose(entries_of(*padded)).groups)

    assert proposed(0, others=0), "two entries have the words"
    assert not proposed(0, others=3), "five have them"
    assert proposed(25, others=3), "long entries need neither"
