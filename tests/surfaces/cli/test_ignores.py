"""Comments that ignore rules, through the command: in targets, in the index and in its files."""

from __future__ import annotations

import re

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

MEMORY, INDEX = "agents/learnings.md", "agents/memory-index.md"
BUILDS = "agents/decisions/builds.md"


def ignore(*rules: str) -> str:
    return f"<!-- learnings: ignore[{', '.join(rules)}] we know -->"


@pytest.fixture
def indexed(repository: GitRepository) -> GitRepository:
    """Return a repository whose index lacks a row, has an extra one, and one for a lost file."""
    repository.write(INDEX, "# Index\n\n## agents/decisions/builds.md\n\n/when it is gone\n")
    repository.write(BUILDS, "# Builds\n\n## When a log is long\n\nCut it.\n\n## .More\n\ntext\n")
    return repository


def path_lines(learnings: Command, repository: GitRepository, *words: str) -> list[str]:
    """Return `path:line rule` of each finding."""
    run = learnings("check", *words, cwd=repository.path)
    assert run.code in (0, 1), run.err
    return [
        f"{location} {rule}"
        for location, rule in re.findall(r"^(\S+:\d+):\d+: \w+ (\S+)", run.out, flags=re.MULTILINE)
    ]


MISSING, ORPHAN = f"{BUILDS}:3 index-missing-row", f"{INDEX}:5 index-orphan-row"


def test_at_the_heading_of_a_file_that_is_listed(
    indexed: GitRepository, learnings: Command
) -> None:
    assert path_lines(learnings, indexed) == [MISSING, ORPHAN]
    text = indexed.read(BUILDS).decode()
    mark = ignore("index-missing-row")
    indexed.write(BUILDS, text.replace("is long\n", f"is long {mark}\n"))
    for words in ((), (INDEX,), ("--role", "index")):
        assert path_lines(learnings, indexed, *words) == [ORPHAN]
    assert path_lines(learnings, indexed, "--rule", "index-missing-row") == []


def test_row_of_a_marked_heading_is_still_its_row(
    indexed: GitRepository, learnings: Command
) -> None:
    text = indexed.read(BUILDS).decode()
    indexed.write(BUILDS, text.replace("is long\n", f"is long {ignore('line-limit')}\n"))
    row = f"/when a log is long {ignore('index-order')}"
    indexed.write(INDEX, f"# Index\n\n## {BUILDS}\n\n{row}\n")
    unused = [f"{BUILDS}:3 unused-ignore", f"{INDEX}:5 unused-ignore"]
    assert path_lines(learnings, indexed) == unused


@pytest.mark.parametrize(
    "text",
    [
        "# Index\n\n## agents/decisions/builds.md\n\n/when it is gone @\n",
        "# Index\n\n@\n\nAll we know.\n\n## agents/decisions/builds.md\n\n/when it is gone\n",
    ],
)
def test_in_the_index(indexed: GitRepository, learnings: Command, text: str) -> None:
    indexed.write(INDEX, text.replace("@", ignore("index-orphan-row")))
    assert path_lines(learnings, indexed) == [MISSING]


def test_an_ignore_of_an_index_rule_is_judged_where_the_index_is(
    indexed: GitRepository, learnings: Command
) -> None:
    indexed.write(INDEX, f"# Index\n\n## {BUILDS}\n\n/when a log is long\n")
    text = indexed.read(BUILDS).decode()
    indexed.write(BUILDS, text.replace("is long\n", f"is long {ignore('index-missing-row')}\n"))
    unused = [f"{BUILDS}:3 unused-ignore"]
    assert path_lines(learnings, indexed) == unused
    assert path_lines(learnings, indexed, INDEX) == unused
    assert path_lines(learnings, indexed, BUILDS) == []
    assert path_lines(learnings, indexed, "--rule", "unused-ignore") == []


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("CLAUDE.md", "# Rules\n\n@\n\n" + "A line.\n" * 400, "line-limit"),
        (BUILDS, "# Rules\n\n@\n\ntext\n\n## A\n\nlast", "final-newline"),
        (MEMORY, "# L\n\n@\n\n---\n\n## A\n\n" + "text\n" * 90, "soft-limit"),
        (MEMORY, "# L\n\n@\n\nNothing yet.\n", "dialect-unknown"),
        (MEMORY, "# L\n\n---\n\nstray @\n\n## A\n", "orphan-content"),
        (MEMORY, "# L\r\n\r\n## A\r\n\r\n@\r\n## A\r\n\r\ntext\r\n", "duplicate-entry"),
        (MEMORY, "# L\n\n## A\n\n@\n\n```\ncode\n", "unclosed-fence"),
        (
            MEMORY,
            "# L\n\n@\n\nText.\n\n## A\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
            "conflict-marker",
        ),
        (MEMORY, "- a\n- a @\n", "duplicate-entry"),
        (MEMORY, "# L\n\n## A\n\ntext\n\n##B @\n\ntext\n", "entry-heading-malformed"),
    ],
)
def test_every_kind_of_finding_can_be_ignored(
    repository: GitRepository, learnings: Command, path: str, text: str, rule: str
) -> None:
    repository.write(path, text.replace("@", ""))
    words = ("--rule", rule, "--rule", "unused-ignore", path)
    assert [line.split()[1] for line in path_lines(learnings, repository, *words)] == [rule]
    repository.write(path, text.replace("@", ignore(rule)))
    assert path_lines(learnings, repository, *words) == []


@pytest.mark.parametrize(
    "text",
    [
        "# L\n\n## A\n\n@\n\n```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
        "# L\n\n## A\n\n<<<<<<< a\n=======\n@\n## B\n>>>>>>> b\n",
        "# L\n\n@\n## A\n\ntext\n\n## B\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    ],
)
def test_no_conflict_is_ignored_by_accident(
    repository: GitRepository, learnings: Command, text: str
) -> None:
    repository.write(MEMORY, text.replace("@", ignore("conflict-marker")))
    shown = path_lines(learnings, repository, "--rule", "conflict-marker")
    assert [line.split()[1] for line in shown] == ["conflict-marker"]


def test_a_comment_is_no_content_and_no_edit(repository: GitRepository, learnings: Command) -> None:
    mark = ignore("line-limit")
    repository.write(MEMORY, "# L\n\n## A\n\ntext\n")
    repository.commit(date="2026-01-01")
    marked = f"# L\n\n{mark}\n\n---\n\n{mark}\n\n## A {mark}\n\ntext\n\n{mark}\n## B\n"
    repository.write(MEMORY, marked)
    repository.commit(date="2026-03-01")
    assert path_lines(learnings, repository) == []
    entries = learnings("ages", "--format", "json", cwd=repository.path).json["entries"]
    ages = [(entry["title"], entry["added"]) for entry in entries]
    assert ages == [("A", "2026-01-01"), ("B", "2026-03-01")]
