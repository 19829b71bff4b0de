from __future__ import annotations

import pytest

from learnings.consolidation.plan.memory_edits import NewEntry, rewritten
from learnings.consolidation.plan.moving import block_of, insert, level_of_move, taken_out
from learnings.core.entries.document import read
from learnings.core.entries.rewriting import goes_on_top

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
    text = "## A\n```\n# no heading\n```\n### B"
    assert block_of(entries, text, 3, **HERE) == ["### A", "```", "# no heading", "```", "#### B"]
    items = read(b"- **One.** a\n  b\n- **Two.** c\n").entries
    assert block_of(items, "", 3, **HERE) == ["- **One.** a", "  b", "- **Two.** c"]


def test_a_moved_heading_goes_behind_an_entry_and_into_a_category() -> None:
    source = (
        "# T\n\nintro\n\n## Entry\n\ntext\n\n## Category\n\n### Inner\n\ntext\n\n"
        "## Bare\n\n---\n\n## Deep\n\n#### Inner\n"
    )
    lines = {line: n for n, line in enumerate(source.splitlines(), start=1)}
    levels = {"# T": 2, "## Entry": 2, "## Category": 3, "### Inner": 3, "## Bare": 3, "## Deep": 4}
    for heading, level in levels.items():
        assert level_of_move(source.encode(), lines[heading]) == level, heading
    assert level_of_move(b"# T\n\ntext\n", 1) == 2
    assert level_of_move(source.encode(), None) == 2


def test_a_heading_that_went_behind_its_section_is_not_inserted_again() -> None:
    lines = ["## N", "", "n"]
    after = inserted(lines, 13).encode()
    assert b"- two\n\n## N\n\nn\n\n## C" in after
    assert insert(after, lines, below=13) == after


RISING = "# L\n\n" + "\n---\n\n".join(
    f"## [2026-01-0{day}] {title}\n\n{title.lower()}\n" for day, title in enumerate("ABC", start=1)
)
FALLING = RISING.replace("01-01", "01-09")
NEW = ("## [2026-05-01] N", "", "n")


def after(text: str, removed: str, neighbour: str, *, on_top: bool) -> str:
    document = read(text.encode())
    by_title = {entry.title: entry for entry in document.entries}
    added = [NewEntry(NEW, by_title[neighbour])] if neighbour else []
    return rewritten(document, [by_title[t] for t in removed], added, on_top=on_top).decode()


def test_the_setting_decides_or_the_direction_of_the_dates() -> None:
    falling, rising = (read(text.replace("01-02", "01-05").encode()) for text in (FALLING, RISING))
    dated = read(b"## [2026-01-03] C\n\n## [2026-01-02] B\n\n## [2026-01-01] A\n")
    cases = {(dated, "auto"): True, (rising, "auto"): False, (rising, "top"): True}
    cases[falling, "bottom"] = False
    assert {key: goes_on_top(*key) for key in cases} == cases


def test_at_the_bottom_it_is_kept_apart_as_the_others_are() -> None:
    expected = RISING.replace("## [2026-01-01] A\n\na\n\n---\n\n", "")
    assert after(RISING, "A", "A", on_top=False) == f"{expected}\n---\n\n## [2026-05-01] N\n\nn\n"


def test_at_the_top_it_stands_above_all_others() -> None:
    assert (
        after(RISING, "C", "C", on_top=True)
        == (
            "# L\n\n## [2026-05-01] N\n\nn\n\n---\n\n"
            + RISING.removeprefix("# L\n\n").split("## [2026-01-03]")[0]
        ).rstrip("-\n")
        + "\n"
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_ends_as_it_did(newline: str) -> None:
    text = RISING.replace("\n", newline)
    assert after(text, "C", "", on_top=False).endswith(f"b{newline}")
    assert after(text.rstrip(), "B", "B", on_top=False).endswith(f"n{newline}")
    assert after(text.rstrip(), "B", "", on_top=False).endswith("c")


def test_a_separator_at_the_end_is_not_doubled() -> None:
    text = after(f"{RISING}\n---", "A", "A", on_top=False)
    assert text.count("---") == 3
    assert text.endswith("\nn\n\n---")


def test_it_stays_in_the_category_of_its_first_member() -> None:
    text = "# L\n\n## X\n\n### A\n\na\n\n### B\n\nb\n\n## Y\n\n### C\n\nc\n"
    document = read(text.encode())
    new = NewEntry(("### N", "", "n"), document.entries[1])
    assert rewritten(document, document.entries[:2], [new], on_top=False).decode() == (
        "# L\n\n## X\n\n### N\n\nn\n\n## Y\n\n### C\n\nc\n"
    )


def test_items_of_a_list_stay_together() -> None:
    text = "# L\n\n- **A.** a\n- **B.** b\n- **C.** c\n"
    document = read(text.encode())
    new = NewEntry(("- **N.**", "  n"), document.entries[0])
    assert rewritten(document, document.entries[:1], [new], on_top=False).decode() == (
        "# L\n\n- **B.** b\n- **C.** c\n- **N.**\n  n\n"
    )


def test_of_several_the_newer_is_nearer_to_the_end_where_new_ones_go() -> None:
    document = read(RISING.encode())
    new = [NewEntry((f"## N{number}",), document.entries[0]) for number in (1, 2)]
    for on_top, order in ((False, ["B", "C", "N1", "N2"]), (True, ["N2", "N1", "B", "C"])):
        data = rewritten(document, document.entries[:1], new, on_top=on_top)
        assert [e.title for e in read(data).read_as(document.dialect).entries] == order


def test_what_follows_the_entries_stays_behind_them() -> None:
    block = "<!-- INDEX:START -->\n| Entry |\n|---|\n| A |\n<!-- INDEX:END -->\n"
    text = f"# L\n\n## A\n\na\n\n## B\n\nb\n\n{block}"
    document = read(text.encode())
    new = NewEntry(("## N", "", "n"), document.entries[0])
    data = rewritten(document, document.entries, [new], on_top=False).decode()
    assert data == f"# L\n\n## N\n\nn\n\n{block}"
