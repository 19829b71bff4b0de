"""`learnings report --badge`: an SVG image with the numbers of the memory."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

FILE, BADGE = "agents/learnings.md", "tmp/learnings-badge.svg"
SVG = "{http://www.w3.org/2000/svg}"
GREEN, AMBER, RED, GREY = "#1a6b36", "#8f5200", "#b3261e", "#545d69"


def memory(number: int) -> str:
    return "# Learnings\n" + "".join(
        f"\n## When {n} hangs\n\nLook at {n}.\n" for n in range(number)
    )


def badge(learnings: Command, repository: GitRepository) -> tuple[str, str, str]:
    """Return the message of the badge, its colour and its title."""
    run = learnings("report", "--badge", "--output", "-", cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    root = ET.fromstring(run.out)
    label, message = (text.text for text in root.iter(f"{SVG}text"))
    assert (root.tag, label) == (f"{SVG}svg", "memory")
    title = root.findtext(f"{SVG}title") or ""
    assert root.attrib["aria-label"] == title
    assert root.attrib["role"] == "img"
    return message or "", [*root.iter(f"{SVG}rect")][2].attrib["fill"], title


@pytest.mark.usefixtures("instructed")
def test_the_numbers_are_those_of_other_commands(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(FILE, memory(6))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=20)
    repository.write(FILE, memory(8))
    repository.commit(date="2026-03-01")
    message, colour, title = badge(learnings, repository)
    report = learnings("report", "--format=json", cwd=repository.path).json
    assert report["files"][0]["ages"]["fresh"]["count"] == 6
    assert message == f"8 entries, 6 stale, {report['cost']['tokens']} tokens"
    assert colour == AMBER
    assert title == f"Agent memory of repository: {message}. Consolidation is due."
    # What a decision keeps, the five oldest here, is not stale.
    learnings("plan", FILE, "--output=tmp/plan.md", cwd=repository.path)
    assert learnings("apply", "tmp/plan.md", "--keep-all", cwd=repository.path).code == 0
    message, colour, _ = badge(learnings, repository)
    assert (message.split(", ")[1], colour) == ("1 stale", GREEN)


def test_the_colour_says_how_the_memory_is(repository: GitRepository, learnings: Command) -> None:
    repository.commit(date="2026-01-01")
    assert badge(learnings, repository)[:2] == ("none", GREY)
    repository.write(FILE, memory(2))
    repository.write("CLAUDE.md", f"@{FILE}\n")
    repository.commit(date="2026-01-02")
    message, colour, title = badge(learnings, repository)
    assert re.fullmatch(r"2 entries, 0 stale, \d+ tokens", message)
    assert (colour, title.endswith(". The memory is healthy.")) == (GREEN, True)
    shallow = repository.clone(depth=1)
    message, colour, _ = badge(learnings, shallow)
    assert (message.split(", ")[:2], colour) == (["2 entries", "ages unknown"], RED)


@pytest.mark.usefixtures("instructed")
def test_large_numbers_are_short(repository: GitRepository, learnings: Command) -> None:
    for words, shown in ((1000, "3.7k tokens"), (4000, "15k tokens")):
        repository.write(FILE, f"# Learnings\n\n## When it is long\n\n{'word and more ' * words}\n")
        repository.commit(date="2026-01-01")
        assert badge(learnings, repository)[0].endswith(shown)


def test_the_name_of_a_folder_is_shown_and_does_nothing(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(FILE, memory(1))
    repository.commit(date="2026-01-01")
    hostile = repository.path.parent / "a\"'<script>&]]>\x1b[31m\x01\u202e\ufffe"
    repository.path.rename(hostile)
    run = learnings("report", "--badge", "--output=-", cwd=hostile)
    hostile.rename(repository.path)
    assert run.code == 0
    root = ET.fromstring(run.out)
    assert "a\"'<script>&]]>\\x1b[31m\\x01\\u202e\\ufffe" in (root.findtext(f"{SVG}title") or "")
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        *("svg", "title", "clipPath", "g", "rect", "text")
    }
    assert "http" not in run.out.replace("http://www.w3.org/2000/svg", "")


def test_where_the_badge_goes(repository: GitRepository, learnings: Command) -> None:
    repository.write(FILE, memory(1))
    repository.commit(date="2026-01-01")
    run = learnings("report", "--badge", cwd=repository.path / "agents")
    assert (run.code, run.out, run.err) == (0, f"{BADGE}\n", "")
    printed = learnings("report", "--badge", "--output=-", cwd=repository.path).out
    assert repository.read(BADGE).decode() == printed


@pytest.mark.parametrize(
    "words", [["--format=json"], ["--consolidation"], ["plan.md"], ["--output=agents"]]
)
def test_what_does_not_go_with_a_badge(
    repository: GitRepository, learnings: Command, words: list[str]
) -> None:
    repository.write(FILE, memory(1))
    run = learnings("report", "--badge", *words, cwd=repository.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
