from __future__ import annotations

import pytest

from learnings.index.forms import read_index
from tests.index.index_cases import ARROW


@pytest.mark.parametrize(
    ("written", "known", "path"),
    [
        ("a.md", [], "a.md"),
        ("a/b.md", ["a/b.md"], "a/b.md"),
        ("b.md", ["agents/b.md"], "agents/b.md"),
        ("../a.md", ["a.md"], "a.md"),
        ("with blank.md", [], None),
        ("with blank.md", ["with blank.md"], "with blank.md"),
        ("Notes", [], None),
        ("See a/b.md", [], None),
        ("Makefile", ["Makefile"], "Makefile"),
    ],
)
def test_what_a_section_stands_for(written: str, known: list[str], path: str | None) -> None:
    assert read_index(b"", path="agents/i.md").resolve(written, known) == path


def test_an_arrow_to_the_web_is_not_a_file() -> None:
    assert read_index(b"", form=ARROW).resolve("https://example.org/a.md", ()) is None


def test_the_paths_to_look_up() -> None:
    index = read_index(b"## `x/a.md`\n\n## ./b.md\n\n## Notes\n\n# c.md\n", path="agents/i.md")

    assert index.named_paths() == (
        "x/a.md",
        "agents/x/a.md",
        "b.md",
        "agents/b.md",
        "Notes",
        "agents/Notes",
    )
