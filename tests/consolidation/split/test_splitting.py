from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings

from learnings.consolidation.split.splitting import Split, split_of
from learnings.consolidation.split.topics import Sizes
from learnings.core.markdown.links import without_targets
from learnings.core.text import count_lines
from tests.consolidation.split.target_files import file_of, section, target_files

PATH, LIMIT = "agents/decisions/FILE.md", 400


def divided(
    text: str | bytes, *, path: str = PATH, neighbours: dict[str, bytes] | None = None
) -> Split:
    data = text if isinstance(text, bytes) else text.encode()
    split = split_of(path, data, sizes=Sizes(100, 300), neighbours=neighbours or {})
    assert isinstance(split, Split), split
    return split


def uncut(text: str) -> str:
    result = split_of(PATH, text.encode(), sizes=Sizes(100, 300), neighbours={})
    assert isinstance(result, str), result
    return result


def names(split: Split) -> list[str]:
    return [file.path.rpartition("/")[2] for file in split.files]


def sections(split: Split) -> list[list[str]]:
    return [[piece.title for piece in file.sections] for file in split.files]


def rest(split: Split) -> str:
    return split.after.decode()


def texts(data: Iterable[bytes]) -> Counter[str]:
    files = (part.decode().removeprefix("\ufeff").split("\n") for part in data)
    lines = (line for file in files for line in without_targets(file))
    return Counter(line.strip() for line in lines if line.strip())


def test_sections_that_are_large_enough_make_files_of_their_own() -> None:
    split = divided(file_of([section("Queues", 150), section("Logging", 290), section("X", 90)]))
    assert sections(split) == [["Queues", "X"], ["Logging"]]
    assert [count_lines(file.data) for file in split.files] == [243, 292]


@pytest.mark.parametrize(
    "text", ["see Queues\n", "Look at **Queues**.\n", "[it]: #queues\n", "[[FILE#Queues]]\n"]
)
def test_sections_that_refer_to_each_other_go_together(text: str) -> None:
    others = [section("Logging", 130), section("Clocks", 130)]
    parts = [section("Queues", 60), *others, section("Retries", 120, text=text)]
    assert ["Queues", "Retries"] in sections(divided(file_of(parts)))


def test_a_thousand_short_sections_are_divided_soon() -> None:
    # Each mentions the one before; comparing each two topics at each step took minutes.
    numbers = range(1000)
    one = [f"## Step {n}\n\nAfter Step {n - 1}, as `Step {n - 7}` says.\n\n" for n in numbers]
    split = divided(file_of(one))
    related = {(a.first, b.first) for a, others in split.references.items() for b in others}
    assert {(1 + 4 * n, 5 + 4 * n) for n in range(1, 999)} <= related
    assert all(100 <= count_lines(file.data) <= 300 for file in split.files)
    assert sum(len(file.sections) for file in split.files) + len(split.staying) == 1000


@pytest.mark.parametrize(
    "text", ["look at `retries`", "the _Retries_ are many", "Slow queues block all"]
)
def test_words_that_mean_another_section(text: str) -> None:
    parts = [section("First", 60, text=f"{text}\n"), section("Retries", 60)]
    split = divided(file_of([*parts, section("Slow queues", 60), section("Last", 300)]))
    assert split.references


def test_a_section_that_is_too_large_is_cut_at_level_3() -> None:
    parts = [section(name, 130, level=3) for name in ("Locks", "Caches", "Tokens")]
    split = divided(file_of(["## Builds\n\nHow they run.\n\n", *parts, section("Other", 120)]))
    assert sections(split) == [["Locks"], ["Caches"], ["Tokens"], ["Other"]]
    assert rest(split) == (
        "# Services\n\nWhat we know.\n\nIn files of their own:\n\n"
        "- [FILE-other.md](FILE-other.md): Other\n\n"
        "## Builds\n\nHow they run.\n\nIn files of their own:\n\n"
        "- [FILE-locks.md](FILE-locks.md): Locks\n"
        "- [FILE-caches.md](FILE-caches.md): Caches\n"
        "- [FILE-tokens.md](FILE-tokens.md): Tokens\n"
    )


def test_a_block_that_is_folded_is_not_cut() -> None:
    folded = "## Queues\n\n<details>\n\n" + section("Inside", 120) + "</details>\n\n"
    split = divided(file_of([folded, section("Logging", 280)]))
    assert sections(split) == [["Queues"], ["Logging"]]


def test_headings_that_are_underlined_are_places_to_cut() -> None:
    setext = section("Queues", 210).replace("## Queues\n", "Queues\n------\n")
    split = divided(file_of([setext, section("Logging", 210)]))
    assert sections(split) == [["Queues"], ["Logging"]]


def test_a_link_in_a_heading_and_an_anchor_that_the_author_has_set() -> None:
    queues = section("Queues", 210).replace("## Queues\n", "[Queues](#own)\n---\n")
    split = divided(file_of([queues, section('Logging <a id="own"></a>', 210)]))
    assert b"[Queues](FILE-logging-a-id-own-a.md#own)\n---\n" in split.files[0].data


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# Only\n\n" + "- line\n" * 410, "it has no heading of level 2 to split at"),
        (file_of([section("Queues", 410)]), "it has one topic, Queues"),
        (
            "# Long\n\n" + "- line\n" * 380 + "\n" + section("A", 20) + section("B", 20),
            "its 2 sections have 40 lines, and a new file needs 100",
        ),
        (
            file_of([section("A", 210), section("B", 210)]) + "```\nopen\n",
            "the code block or comment on line 427 has no end; close it",
        ),
    ],
    ids=["no heading", "one topic", "long preamble", "open fence"],
)
def test_a_file_that_cannot_be_cut(text: str, reason: str) -> None:
    assert uncut(text) == reason


def test_links_lead_where_the_headings_are_now() -> None:
    split = divided(
        file_of(
            [
                section("Queues", 210, text="[a](#logging) [b](FILE.md#queues) [c](#services)\n\n"),
                section(
                    "Logging", 210, text="[d](../decisions/FILE.md#queues) [e][q] [f](#none)\n\n"
                ),
            ],
            top="# Services\n\n[g](#queues) `[h](#queues)`\n\n",
        )
        + "[q]: #queues\n"
    )
    queues, logging = (file.data.decode() for file in split.files)
    assert "[a](FILE-logging.md#logging) [b](#queues) [c](FILE.md#services)\n" in queues
    assert "[d](../decisions/FILE-queues.md#queues) [e][q] [f](#none)\n" in logging
    assert logging.endswith("\n\n[q]: FILE-queues.md#queues\n")
    assert "[g](FILE-queues.md#queues) `[h](#queues)`\n" in rest(split)
    assert rest(split).endswith("\n\n[q]: FILE-queues.md#queues\n")
    assert split.linked(b"[x](decisions/FILE.md#logging)\n", "agents/a.md") == (
        b"[x](decisions/FILE-logging.md#logging)\n"
    )


def test_the_second_heading_of_the_same_words_has_another_anchor_now() -> None:
    split = divided(file_of([section("Queues", 210), section("Other", 5), section("Queues", 210)]))
    linked = split.linked(b"[a](FILE.md#queues) [b](FILE.md#queues-1)\n", "agents/decisions/x.md")
    first, second = (file.path.rpartition("/")[2] for file in split.files[:2])
    assert linked.decode() == f"[a]({first}#queues) [b]({second}#queues)\n"


def test_footnotes_go_along_with_all_their_lines() -> None:
    note = "[^1]: First line\n    and the second,\n\n    a paragraph\n"
    split = divided(file_of([section("A", 210, text="x[^1]\n\n"), section("B", 210)]) + note)
    assert split.files[0].data.decode().endswith(f"- A 205\n\n{note}")
    assert "[^1]" not in split.files[1].data.decode()
    assert rest(split).endswith(f"\n\n{note}")


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (("Über Läufe", "Con"), ["FILE-uber-laufe.md", "FILE-con.md"]),
        (("🙂", "!?"), ["FILE-part-1.md", "FILE-part-2.md"]),
        (("When you don't retry", "File locks"), ["FILE-when-you-dont-retry.md", "FILE-locks.md"]),
        (
            ("How a build that hangs is told from the one that is slow", "CI"),
            ["FILE-how-a-build-that-hangs-is-told.md", "FILE-ci.md"],
        ),
    ],
)
def test_names_of_files(titles: tuple[str, str], expected: list[str]) -> None:
    split = divided(file_of(section(title, 210) for title in titles))
    assert names(split) == expected


@pytest.mark.parametrize(
    ("sizes", "name"),
    [
        ((70, 70, 70), "FILE-token-counting.md"),
        ((20, 150, 20), "FILE-patterns-for-caching-answers.md"),
    ],
)
def test_a_file_of_several_sections_is_called_after_the_largest(
    sizes: tuple[int, ...], name: str
) -> None:
    titles = ("Token counting", "Patterns for caching answers", "Token limits")
    see = "see “Token counting”\n"
    parts = [section(t, n, text=see) for t, n in zip(titles, sizes, strict=True)]
    split = divided(file_of([*parts, section("Clocks", 250)]))
    assert names(split) == [name, "FILE-clocks.md"]


def test_the_title_of_a_file_has_its_largest_headings() -> None:
    see = "see “Queues”\n"
    logging = section("Logging", 290)
    two = [section("Queues", 70), section("Retries", 90, text=see)]
    three = [*two, section("Locks", 60, text=see)]
    titles = [
        divided(file_of([*parts, logging])).files[0].data.splitlines()[0] for parts in (two, three)
    ]
    assert titles == [b"# Services: Queues and Retries", b"# Services: Retries"]


def test_a_section_without_letters_in_its_title_names_no_file() -> None:
    parts = [section("🙂", 150), section("Retries", 60, text="see “🙂”\n"), section("Logging", 290)]
    assert names(divided(file_of(parts))) == ["FILE-retries.md", "FILE-logging.md"]


@pytest.mark.parametrize(
    ("title", "shown"),
    [(".Queues", "Queues"), ("3. Queues", "Queues"), ("404 errors", "404 errors")],
)
def test_a_title_in_the_list_of_new_files(title: str, shown: str) -> None:
    split = divided(file_of([section(title, 210), section("Other", 210)]))
    assert rest(split).splitlines()[6].endswith(f": {shown}")


def test_a_name_that_a_file_has_is_not_used_again() -> None:
    text = file_of([section("Queues", 210), section("Logging", 210)])
    for content in (b"# Another\n", b""):
        assert names(divided(text, neighbours={"file-QUEUES.md": content})) == [
            "FILE-queues-2.md",
            "FILE-logging.md",
        ]


def test_a_file_that_a_killed_run_has_written_is_used() -> None:
    text = file_of(
        [
            section("Queues", 210, text="[a](#logging)\n\n"),
            section("Logging", 210, text="[b](#queues)\n\n"),
        ]
    )
    other: dict[str, bytes] = {"FILE-logging.md": b"# Another\n"}
    split = divided(text, neighbours=other)
    assert names(split) == ["FILE-queues.md", "FILE-logging-2.md"]
    written = {file.path.rpartition("/")[2]: file.data for file in split.files}
    assert divided(text, neighbours={**other, **written}).files == split.files


def test_a_second_split_adds_to_the_cross_references_of_the_first() -> None:
    first = divided(file_of([section("Queues", 210), section("Logging", 210)]))
    grown = rest(first) + "\n" + section("Clocks", 210) + section("Queues", 211)
    known: dict[str, bytes] = {f.path.rpartition("/")[2]: f.data for f in first.files}
    split = divided(grown, neighbours=known)
    assert rest(split) == rest(first) + (
        "- [FILE-clocks.md](FILE-clocks.md): Clocks\n"
        "- [FILE-queues-2.md](FILE-queues-2.md): Queues\n"
    )


LARGE = (HealthCheck.too_slow, HealthCheck.data_too_large)


@given(data=target_files())
@settings(max_examples=12, suppress_health_check=LARGE)
def test_nothing_is_lost_whatever_the_file(data: bytes) -> None:
    split = split_of(PATH, data, sizes=Sizes(100, 300), neighbours={})
    if isinstance(split, str):
        return
    after = [split.after, *(file.data for file in split.files)]
    assert not texts([data]) - texts(after)
    for file in split.files:
        assert count_lines(file.data) >= 100
        assert count_lines(file.data) <= 300 or len(file.sections) == 1
    again = split_of(PATH, split.after, sizes=Sizes(100, 300), neighbours={})
    assert count_lines(split.after) < LIMIT or isinstance(again, str)
    assert b"\r\n" not in data or all(b"\n" not in f.replace(b"\r\n", b"") for f in after)
