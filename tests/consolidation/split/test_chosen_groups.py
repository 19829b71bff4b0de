from __future__ import annotations

import pytest

from learnings.consolidation.split.splitting import Split, split_of
from learnings.consolidation.split.topics import Sizes
from learnings.core.errors import UsageProblem
from tests.consolidation.split.target_files import file_of, section

PATH = "agents/FILE.md"
BUILDS = section("Builds", 60, text="### Locks\n\nx\n\n### Caches\n\ny\n\n### Queues\n\nz\n\n")
FILE = file_of(
    [
        section("Queues", 120),
        section("Retries, and when", 95, text="They wait in [the queue](#queues).\n\n"),
        section("3. `Logging`", 190),
        BUILDS,
        section("Twice", 10),
        section("Twice", 10),
    ],
    top="# Services\n\n### Early\n\nWhat we know.\n\n",
)


def divided(
    *requests: tuple[str, str], text: str = FILE, neighbours: dict[str, bytes] | None = None
) -> Split:
    split = split_of(
        PATH,
        text.encode(),
        sizes=Sizes(100, 300),
        neighbours=neighbours or {},
        requests=requests,
    )
    assert isinstance(split, Split), split
    return split


def files(split: Split) -> dict[str, list[str]]:
    return {file.path.rpartition("/")[2]: [p.title for p in file.sections] for file in split.files}


def test_named_sections_go_together_and_the_others_as_before() -> None:
    split = divided(("Queues,3. `Logging`", "messages"))
    assert files(split) == {
        "FILE-messages.md": ["Queues", "3. `Logging`"],
        "FILE-retries-and-when.md": ["Retries, and when", "Builds", "Twice", "Twice"],
    }
    assert split.files[0].data.startswith(b"# Services: Messages\n\n## Queues\n")
    assert "- [FILE-messages.md](FILE-messages.md): Queues; Logging\n" in split.after.decode()


def test_sections_that_are_not_named_go_where_they_would_go_alone() -> None:
    sections = [section("Logging", 150), section("Clocks", 50), section("Tokens", 120)]
    alone = files(divided(text=file_of(sections)))
    both = files(divided(("Queues", "mine"), text=file_of([section("Queues", 60), *sections])))
    assert both == {"FILE-mine.md": ["Queues"], **alone}


@pytest.mark.parametrize(
    ("headings", "titles"),
    [("queues", ["Queues"]), ("Logging", ["3. `Logging`"]), ("Locks", ["Locks"])],
)
def test_how_a_section_is_named(headings: str, titles: list[str]) -> None:
    assert files(divided((headings, "mine")))["FILE-mine.md"] == titles


def test_of_two_headings_with_the_same_words_the_higher_level_is_meant() -> None:
    builds = section("Builds", 150, text="### Locks\n\nx\n\n")
    split = divided(("Locks", "mine"), text=file_of([builds, section("Locks", 200)]))
    assert [piece.level for piece in split.files[-1].sections] == [2]
    assert files(split)["FILE-builds.md"] == ["Builds"]


def test_a_section_that_is_named_is_not_cut() -> None:
    builds = "## Builds\n\n" + section("Locks", 200, level=3) + section("Caches", 200, level=3)
    split = divided(("Builds", "mine"), text=file_of([builds, section("Queues", 120)]))
    assert files(split) == {"FILE-mine.md": ["Builds"], "FILE-queues.md": ["Queues"]}


@pytest.mark.parametrize(
    ("name", "slug", "title"),
    [
        ("retry-handling", "retry-handling", "Retry handling"),
        ("Retry handling", "retry-handling", "Retry handling"),
        ("Über  Läufe", "uber-laufe", "Über Läufe"),
        ("FILE-retries.md", "retries", "Retries"),
        ("x" * 40, "x" * 40, "X" + "x" * 39),
    ],
)
def test_the_name_of_a_file_and_its_title(name: str, slug: str, title: str) -> None:
    file = divided(("Queues", name)).files[0]
    assert file.path == f"agents/FILE-{slug}.md"
    assert file.data.decode().startswith(f"# Services: {title}\n")


@pytest.mark.parametrize(
    ("requests", "reason"),
    [
        ([("Services", "a")], "no section of level 2, or of level 3 inside one"),
        ([("Twice", "a")], '2 sections with the heading "Twice" (lines 476, 487)'),
        ([("Early", "a")], "no section of level 2, or of level 3 inside one, with the heading"),
        ([("Queues", "")], '--name "" has no letter or digit'),
        ([("Queues", "a\\b")], "is a path"),
    ],
)
def test_what_is_refused(requests: list[tuple[str, str]], reason: str) -> None:
    with pytest.raises(UsageProblem) as error:
        divided(*requests)
    assert reason in str(error.value)


def test_a_chosen_name_is_not_given_to_another_file() -> None:
    split = divided(("Builds", "Queues"))
    assert files(split)["FILE-queues.md"] == ["Builds"]
    assert files(split)["FILE-queues-2.md"][:1] == ["Queues"]


@pytest.mark.parametrize("content", [b"# Another\n", b""])
def test_a_chosen_name_that_is_taken_is_refused(content: bytes) -> None:
    with pytest.raises(UsageProblem, match=r"agents/FILE-mine\.md already exists; give another"):
        divided(("Queues", "mine"), neighbours={"file-MINE.md": content})


def test_a_file_that_a_killed_run_has_written_under_a_chosen_name_is_used() -> None:
    request = ("Queues", "mine")
    split = divided(request)
    written: dict[str, bytes] = {f.path.rpartition("/")[2]: f.data for f in split.files}
    assert divided(request, neighbours=written).files == split.files
