"""An index of links: its rows, compared with the files that it leads to and those beside it."""

from __future__ import annotations

import pytest

from learnings.core.markdown.blocks import blocks_of
from learnings.index.index_problems import IndexProblem
from learnings.index.links import (
    LinkRow,
    indexed_links,
    is_link_index,
    link_rows,
    problems_of_links,
    target_of,
    written_row,
)

INDEX = "m/MEMORY.md"
FILES = {
    "m/builds.md": b"---\nname: Builds\ndescription: the lock of the package manager\n---\n",
    "m/clock.md": b"# Clock\n\nFreeze it.\n",
}


def problems(text: str, files: dict[str, bytes] | None = None) -> list[tuple[str, str, int]]:
    known = FILES if files is None else files
    index = indexed_links(INDEX, text.encode(), known, {*known, "docs/other.md"}.__contains__)
    found: list[IndexProblem] = list(problems_of_links(index)) if index else []
    return [(problem.kind, problem.path, problem.line) for problem in found]


def rows(text: str) -> list[LinkRow]:
    blocks = blocks_of(text.encode())
    return list(link_rows(blocks.lines, blocks.outline))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [Builds](builds.md) — the lock", [(1, "Builds", "builds.md", "the lock")]),
        ("- **[Builds](./builds.md)**: the lock", [(1, "Builds", "./builds.md", "**: the lock")]),
        ("| [Builds](builds.md) | the lock |", [(1, "Builds", "builds.md", "the lock")]),
        ("- [a](a.md) · [b](b.md)", [(1, "a", "a.md", ""), (1, "b", "b.md", "")]),
        ("- [`x[0]` is no list](x.md#part)", [(1, "`x[0]` is no list", "x.md", "")]),
        ("- [a](<a%20b.md>) x", [(1, "a", "a%20b.md", "x")]),
        ("- [web](https://example.org/a.md)", []),
        ("- [picture](a.png)", []),
        ("```\n- [a](a.md)\n```", []),
        ("<!-- [a](a.md) -->", []),
        ("## [a](a.md)", []),
    ],
)
def test_rows(line: str, expected: list[tuple[int, str, str, str]]) -> None:
    assert rows(f"{line}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [a](a.md) — x\n", True),
        ("- [a](a.md)\n- text\n", True),
        ("- [a](a.md)\n- text\n- text\n", False),
        ("- [a](a.md)\n" * 5 + "- text\n" * 50, True),
        ("| file | what |\n|---|---|\n| [a](a.md) | x |\n", True),
        ("See [a](a.md).\n", False),
        ("# Memory\n\n- text\n", False),
    ],
)
def test_what_is_an_index(text: str, expected: bool) -> None:  # noqa: FBT001
    blocks = blocks_of(text.encode())
    assert is_link_index(blocks.lines, blocks.outline) is expected


def test_an_index_that_agrees_with_its_files() -> None:
    text = "- [Builds](builds.md) — lock of the manager\n- [Clock](clock.md)\n"
    assert problems(text) == []
    assert problems("- [Builds](./builds.md)\n- see `clock.md`\n") == []
    assert problems("- [Builds](../m/builds.md)\n- see [[clock]]\n") == []
    assert problems("- [Builds](builds.md) [x](../docs/other.md)\n- [[clock]]\n") == []


def test_a_link_that_leads_nowhere_is_told_once() -> None:
    text = "- [Builds](builds.md)\n- [Clock](clock.md)\n- [a](gone.md)\n- [b](gone.md)\n"
    assert problems(text) == [("missing-file", INDEX, 3)]


def test_a_link_out_of_the_repository_is_not_looked_at() -> None:
    text = "- [Builds](builds.md)\n- [Clock](clock.md)\n- [a](../../gone.md) [b](/gone.md)\n"
    assert problems(text) == []


def test_a_file_without_a_row() -> None:
    assert problems("- [Builds](builds.md)\n") == [("missing-row", "m/clock.md", 1)]


def test_a_file_with_two_rows() -> None:
    text = "- [Builds](builds.md)\n- [Clock](clock.md)\n- [Again](builds.md)\n"
    assert problems(text) == [("duplicate-row", INDEX, 3)]


@pytest.mark.parametrize(
    ("hook", "expected"),
    [
        ("colours of buttons in dark mode", [("hook-differs", INDEX, 1)]),
        ("locks that stay behind in dark corners", []),
        ("a few words", []),
        ("", []),
    ],
)
def test_a_row_that_says_something_else(hook: str, expected: list[tuple[str, str, int]]) -> None:
    assert problems(f"- [Builds](builds.md) — {hook}\n- [Clock](clock.md)\n") == expected


def test_a_row_is_written_as_the_others_are() -> None:
    row = written_row("m/MEMORY.md", "m/deep/a b.md", "A b", "what it says")
    assert row == "- [A b](deep/a%20b.md) — what it says"
    (read,) = link_rows((f"{row}\n",), blocks_of(row.encode()).outline)
    assert target_of("m/MEMORY.md", read) == "m/deep/a b.md"
    assert written_row("MEMORY.md", "m/a.md", "A", "") == "- [A](m/a.md)"
