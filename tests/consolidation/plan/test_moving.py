from __future__ import annotations

from learnings.consolidation.plan.moving import block_of, insert, level_of_move, taken_out
from learnings.core.entries.document import read

TARGET = b"# T\n\n## A\n\na\n\n### A1\n\n- one\n\n---\n\n## B\n\n- two\n\n## C\n"
LINES = ["### N", "", "n"]

HERE = {"source": "a.md", "target": "b.md"}


def inserted(lines: list[str], below: int | None, target: bytes = TARGET) -> str:
    after = insert(target, lines, below=below)
    assert after is not None
    return after.decode()


def test_a_heading_goes_behind_the_inner_sections_and_text_before_them() -> None:
    text = TARGET.decode()
    assert inserted(LINES, 3) == text.replace("- one\n", "- one\n\n### N\n\nn\n")
    assert inserted(["more"], 3) == text.replace("\na\n", "\na\n\nmore\n")
    assert inserted(["- three"], 13) == text.replace("- two\n", "- two\n- three\n")
    assert inserted(["text"], 17) == f"{text}\ntext\n"
    assert inserted(LINES, None) == f"{text}\n### N\n\nn\n"


def test_the_newlines_of_the_target_are_taken() -> None:
    target = TARGET.replace(b"\n", b"\r\n").rstrip()
    assert inserted(LINES, None, target) == target.decode() + "\r\n\r\n### N\r\n\r\nn\r\n"


def test_what_stands_there_is_not_inserted_again_and_can_be_taken_out() -> None:
    after = inserted(LINES, 3).encode()
    assert insert(after, LINES, below=3) == after
    assert insert(after, LINES, below=15 + 2) != after, "elsewhere it is another text"
    assert taken_out(after, LINES).count(b"### N") == 0
    assert taken_out(TARGET, LINES) == TARGET


def test_nothing_goes_where_it_would_be_hidden() -> None:
    assert insert(b"# T\n\n```\nopen\n", LINES, below=None) is None
    assert insert(TARGET, ["```", "open"], below=3) is None


def test_an_entry_goes_word_for_word_its_headings_one_below_the_section() -> None:
    entries = read(
        b"## [2026-01-01] One ##\n\na\n\n### Deeper\n\n```\n## code\n```\n\n---\n"
    ).entries
    assert block_of(entries, "", 4, **HERE) == [
        "#### [2026-01-01] One", "", "a", "", "##### Deeper", "", "```", "## code", "```",
    ]  # fmt: skip
    assert block_of(entries, "- text\n- more", 4, **HERE) == ["- text", "- more"]
    items = read(b"- **One.** a\n  b\n- **Two.** c\n").entries
    assert block_of(items, "", 3, **HERE) == ["- **One.** a", "  b", "- **Two.** c"]


def test_a_moved_heading_goes_behind_an_entry_and_into_a_category() -> None:
    source = (
        "# T\n\nintro\n\n## Entry\n\ntext\n\n## Category\n\n### Inner\n\ntext\n\n"
        "## Bare\n\n---\n\n## Deep\n\n#### Inner\n"
    )
    lines = {line: n for n, line in enumerate(source.splitlines(), start=1)}
    levels = {
        "# T": 2,
        "## Entry": 2,
        "## Category": 3,
        "### Inner": 3,
        "## Bare": 3,
        "## Deep": 4,
    }
    for heading, level in levels.items():
        assert level_of_move(source.encode(), lines[heading]) == level, heading
    assert level_of_move(b"# T\n\ntext\n", 1) == 2
    assert level_of_move(source.encode(), None) == 2


def test_a_heading_that_went_behind_its_section_is_not_inserted_again() -> None:
    lines = ["## N", "", "n"]
    after = inserted(lines, 13).encode()
    assert b"- two\n\n## N\n\nn\n\n## C" in after
    assert insert(after, lines, below=13) == after
