from __future__ import annotations

import pytest

from learnings.core.errors import FixRefused
from learnings.index.comparison import problems_of
from learnings.index.fixing import with_fixes
from learnings.rules import RULES
from learnings.rules.index import IndexRule
from tests.index.index_cases import (
    BLOCK,
    ONE,
    ROWS,
    TABLE,
    TWO,
    fixed_index,
    fixed_text,
    index_and_files,
    problems_in,
)

UNTIDY = """# Index

/when one | only an example

## a.md

/how two | w
A note that stays.

- bullet — stays
**bold** — stays
/when four | strays
/when one | w
/when gone | nobody knows
/what is this

## Notes

/when four | no row here
"""
TIDY = """# Index

/when one | only an example

## a.md

/when one | w
A note that stays.

- bullet — stays
**bold** — stays
/how two | w
/when gone | nobody knows
/what is this

## b.md

/when four | strays

## Notes

/when four | no row here
"""


@pytest.mark.parametrize(
    ("newline", "top"), [("\n", ""), ("\r\n", "\ufeff"), ("\r", "---\na: 1\n---\n")]
)
def test_rows_find_their_place_and_the_rest_stays(newline: str, top: str) -> None:
    text, tidy = ((top + source).replace("\n", newline) for source in (UNTIDY, TIDY))

    assert fixed_text(text, TWO) == tidy
    assert fixed_text(tidy, TWO) == tidy
    added = tidy.replace(
        f"/how two | w{newline}", f"/how two | w{newline}Three — Third: x{newline}"
    )
    assert fixed_text(text, TWO, add_missing=True) == added


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("", "## a.md\n\n/when one\n/how two\nThree — Third: x\n"),
        ("# I", "# I\n\n## a.md\n\n/when one\n/how two\nThree — Third: x\n"),
        ("## a.md\n\nNote.\n", "## a.md\n\n/when one\n/how two\nThree — Third: x\n\nNote.\n"),
        ("## a.md\n## Notes\n", "## a.md\n\n/when one\n/how two\nThree — Third: x\n\n## Notes\n"),
        ("## N\n\nx\n", "## N\n\nx\n\n## a.md\n\n/when one\n/how two\nThree — Third: x\n"),
        ("## a.md\n\n/how two", "## a.md\n\n/when one\n/how two\nThree — Third: x\n"),
        ("## a.md\n\nThree — s\n\n---\n", "## a.md\n\n/when one\n/how two\nThree — s\n\n---\n"),
    ],
)
def test_where_new_rows_go(text: str, tidy: str) -> None:
    assert fixed_text(text, ONE, add_missing=True) == tidy
    assert problems_in(tidy, ONE) == []


def test_a_new_section_goes_below_the_first_rows_of_the_last_one() -> None:
    text = "## b.md\n\n# End\r"
    first, second = (
        "## b.md\n\n/when four\n\n## a.md\n\n",
        "/when one\n/how two\nThree — Third: x\n",
    )
    assert fixed_text(text, TWO, add_missing=True) == f"{first}{second}\n# End\r"
    assert fixed_text("# End\r\n\r\nx\r", ONE, add_missing=True).startswith("# End\r\n\r\nx\r\n")


def test_a_heading_that_no_row_can_name_is_left_out() -> None:
    files = {"a.md": "## ```\n\n## # x\n\n## <b>\n\n## 1. Setup\n\n## When a | b\n"}

    assert fixed_text("", files, add_missing=True) == "## a.md\n\n1. Setup — a.md\n/when a | b\n"


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ("/when one\n\nGroup — s\n\n/how two\n", "/when one\n\n/how two\n"),
        ("Group — s\n\n/when one\n", "/when one\n"),
        ("/when one\n\nGroup — s\n", "/when one\n"),
        ("/when one\n\n\nGroup — s\n\n\n/how two\n", "/when one\n\n\n\n/how two\n"),
        ("/when one\nGroup — s\n.Group — t\n/how two\n", "/when one\n/how two\n"),
        ("/when one\n- Group — s\n**Group** — s\n", "/when one\n- Group — s\n**Group** — s\n"),
    ],
)
def test_rows_of_structural_headings_go(rows: str, left: str) -> None:
    files = {"a.md": "## .Group\n\n## When one\n\n## How to two\n"}

    assert fixed_text(f"## a.md\n\n{rows}", files) == f"## a.md\n\n{left}"


def test_what_needs_a_decision_stays() -> None:
    for text in (
        "## a.md\n\n/when one\n/when gone\n/how two\nThree — s\n",
        "## a.md\n\n/when one\n/when one\n/how two\n",
        "## gone.md\n\n/when gone\n",
        "## a.md\n\n\n\n/when one\n\n\n/how two\n\n\n\n",
        "```\n## a.md\n/how two\n/when one\n```\n",
        "<!--\n## a.md\n/how two\n/when one\n-->\n",
        "## Notes\n\n/what is this\n\n/when nobody knows\n- How to two\n**Three** — a note\n",
    ):
        assert fixed_text(text, ONE) == text


SCATTERED = """# Index

Each row names a heading.

## Behaviour

/when four | b
- a note
**bold** — stays

/how two
/when nobody knows

## Words

Three — s
"""
GATHERED = """# Index

Each row names a heading.

## Behaviour

- a note
**bold** — stays

/when nobody knows

## Words

## a.md

/how two
Three — s

## b.md

/when four | b
"""


def test_rows_leave_a_section_that_names_no_file() -> None:
    assert fixed_text(SCATTERED, TWO) == GATHERED
    assert fixed_text(GATHERED, TWO) == GATHERED
    added = GATHERED.replace("/how two", "/when one\n/how two")
    assert fixed_text(SCATTERED, TWO, add_missing=True) == added
    assert fixed_text("/how two\n/when one\n", ONE) == "## a.md\n\n/when one\n/how two\n"
    # A row is not added again where the section is ignored.
    index, files = index_and_files(SCATTERED, TWO)
    ignored = {("wrong-section", "## Behaviour")}
    text = fixed_index(index, files, add_missing=True, ignored=ignored).decode()
    assert text.startswith(SCATTERED.partition("## Words")[0])
    assert text.endswith("## Words\n\n## a.md\n\n/when one\nThree — s\n")


@pytest.mark.parametrize("open_end", ["```\n", "<!-- rows\n"])
def test_a_row_is_not_moved_to_where_nobody_reads_it(open_end: str) -> None:
    rows = f"## a.md\n\n/when one\n/when four\n{open_end}"
    with pytest.raises(FixRefused, match="close them"):
        fixed_text(rows, TWO)
    assert fixed_text(rows.replace(open_end, ""), TWO).endswith("## b.md\n\n/when four\n")


HEAD = "| Topic | File | Key |\n|---|---|---|\n"


def test_a_table() -> None:
    first, lost, last = (
        "| a | a.md | /when one |\n",
        "| o | gone.md | x |\n",
        "| b | a.md | How to two |\n",
    )
    tidy = f"# I\n\n{HEAD}{first}{lost}{last}"
    assert fixed_text(f"# I\n\n{HEAD}{last}{lost}{first}", ONE, TABLE) == tidy
    assert fixed_text(tidy, ONE, TABLE, add_missing=True) == tidy + "| Three | a.md | Three |\n"
    piped = f"{HEAD}| How to a \\| b | a.md | /how a \\| b |\n"
    assert fixed_text("", {"a.md": "## How to a | b\n"}, TABLE, add_missing=True) == piped


START, END = "<!-- INDEX:START -->\n", "<!-- INDEX:END -->\n\n"
ENTRIES = "## [2026-02-01-120000] One\n\n## [2026-02-02-120000] A | b\n"
ROWED = "| 2026-02-01 | One |\n| 2026-02-02 | A \\| b |\n"
DATED = "| Date | Learning |\n|---|---|\n"


@pytest.mark.parametrize(
    ("inside", "after"),
    [
        ("", "| Date | Entry |\n|---|---|\n" + ROWED),
        (DATED, DATED + ROWED),
        (DATED + "| x | A \\| b |\n", DATED + "| 2026-02-01 | One |\n| x | A \\| b |\n"),
    ],
)
def test_a_block_is_filled(inside: str, after: str) -> None:
    text = f"{START}{inside}{END}{ENTRIES}"

    assert fixed_text(text, {}, BLOCK, add_missing=True) == f"{START}{after}{END}{ENTRIES}"


@pytest.mark.parametrize(
    "inside",
    [
        DATED,
        DATED + ROWED,
        DATED + "| 2026-01-01 | Gone |\n" + ROWED + "| d | One |\n",
        DATED + "| x | A \\| b |\n| x | a \\| B |\n| 2026-01-01 | Gone |\n",
    ],
)
def test_a_block_is_rebuilt_without_being_asked(inside: str) -> None:
    tidy = f"{START}{DATED}{ROWED}{END}{ENTRIES}"
    result = fixed_text(f"{START}{inside}{END}{ENTRIES}", {}, BLOCK)

    assert result.replace("| x |", "| 2026-02-02 |") == tidy


@pytest.mark.parametrize(
    ("head", "row", "entries"),
    [
        # Words that are in no entry.
        ("| Date | Entry | Note |\n|---|---|---|\n", "| d | Left | mine |\n", ENTRIES),
        (DATED, "| d | Left | mine |\n", ENTRIES),
        # Entries that cannot be seen.
        (DATED, "| d | Gone |\n", ""),
        (DATED, "| d | Gone |\n", "## [2026-02-01-120000] One\n\n```\n## [2026-02-02] Gone\n"),
    ],
)
def test_rows_that_may_say_more_than_the_entries_stay_in_a_block(
    head: str, row: str, entries: str
) -> None:
    text = f"{START}{head}{row}{END}{entries}"

    assert row in fixed_text(text, {}, BLOCK)


@pytest.mark.parametrize("top", ["", START + DATED, START + DATED + START + END, END + START])
def test_a_file_without_exactly_one_block_is_left(top: str) -> None:
    assert fixed_text(top + ENTRIES, {}, BLOCK, add_missing=True) == top + ENTRIES


@pytest.mark.parametrize(
    ("rows", "kind", "subject"),
    [
        ("/how two\n/when one\n", "order", "/when one"),
        ("/when one\nGroup — s\n/how two\n", "structural-row", "Group — s"),
        ("/when one\n/how two\n/when four\n", "wrong-section", "/when four"),
        ("/how two\n\n## b.md\n\n/when four\n", "missing-row", "When one"),
    ],
)
def test_what_is_ignored_is_left(rows: str, kind: str, subject: str) -> None:
    files = {"a.md": "## When one\n\n## How to two\n\n## .Group\n", "b.md": "## When four\n"}
    index, indexed = index_and_files(f"## a.md\n\n{rows}", files)
    is_added, ignored = kind == "missing-row", {(kind, subject)}
    assert fixed_index(index, indexed, add_missing=is_added) != index.to_bytes()
    after = fixed_index(index, indexed, add_missing=is_added, ignored=ignored)
    assert after == index.to_bytes()
    others = {(kind, subject) for kind in ("orphan-row", "duplicate-row")}
    assert fixed_index(index, indexed, ignored=others) == fixed_index(index, indexed)


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        (f"{START}- One, of February\n{END}{ENTRIES}", BLOCK, "not a table of entries"),
        (f"{START}{DATED}\n{ENTRIES}\n{END}", BLOCK, "heading is inside the index block"),
        (f"{START}- [ ] 2026-02-01: one\n{END}- 2026-02-03: x\n", BLOCK, "entry is inside"),
        # What would be added would be swallowed.
        ("# I\n\n```\ncode\n", ROWS, "cannot fix"),
        ("# I\n\n<!-- note\n", ROWS, "cannot fix"),
    ],
)
def test_what_cannot_be_fixed_is_refused(text: str, form: str, reason: str) -> None:
    with pytest.raises(FixRefused, match=reason):
        fixed_text(text, ONE, form, add_missing=True)


def test_rows_in_order_keep_their_line_ends() -> None:
    mixed = "## a.md\r\n\n/how two\r\n/when one\n"
    assert fixed_text(mixed, ONE) == "## a.md\r\n\n/when one\r\n/how two\n"
    assert fixed_text("## a.md\n\n/how two\n/when one", ONE) == "## a.md\n\n/when one\n/how two"
    # A duplicate follows the last heading of its name.
    twins, rows = {"a.md": "## K\n\n## M\n\n## K\n"}, "## a.md\n\nM — 0\nK — 1\nK — 2\nK — 3\n"
    assert fixed_text(rows, twins) == "## a.md\n\nK — 1\nM — 0\nK — 2\nK — 3\n"


LINED = "| Key | File | Lines |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("text", "form", "after"),
    [
        # Line numbers, of a range with its length.
        (
            "## a.md\n\n/when one | a.md:4 (line 9)\n",
            ROWS,
            "## a.md\n\n/when one | a.md:3 (line 3)\n",
        ),
        ("## a.md\n\n/when one | [lines 5-6]\n", ROWS, "## a.md\n\n/when one | [lines 3-4]\n"),
        ("## a.md\n\n/when one | a.md#L3-L99\n", ROWS, "## a.md\n\n/when one | a.md#L3-L6\n"),
        (f"{LINED}| How to two | a.md | L8 |\n", TABLE, f"{LINED}| How to two | a.md | L7 |\n"),
        # The path of a row, as it is written, with the lines of the other file.
        (f"{LINED}|When four|`a.md:9`| 9 |\n", TABLE, f"{LINED}|When four|`b.md:3`| 3 |\n"),
        (
            f"{LINED}| When one | [x](../gone.md#y) | |\n",
            TABLE,
            f"{LINED}| When one | [x](../a.md#y) | |\n",
        ),
        ("## a.md\n\n/when four | a.md:9\n", ROWS, "## a.md\n\n## b.md\n\n/when four | b.md:3\n"),
        # The path above rows that are all of one other file.
        (
            "# I\n\n## `gone.md`\n\n/when four | gone.md:3\nA note.\n",
            ROWS,
            "# I\n\n## `b.md`\n\n/when four | b.md:3\nA note.\n",
        ),
    ],
)
def test_paths_and_line_numbers_are_corrected(text: str, form: str, after: str) -> None:
    assert fixed_text(text, TWO, form) == after
    assert fixed_text(after, TWO, form) == after


def test_rows_may_be_list_items() -> None:
    text = "## a.md\n\n- How to two — w\n- a note — stays\n- /when one\n"
    tidy = "## a.md\n\n- /when one\n- a note — stays\n- How to two — w\n"
    assert problems_in(text, ONE) == [("missing-row", "a.md", 9), ("order", "", 5)]
    assert fixed_text(text, ONE) == tidy
    assert fixed_text(tidy, ONE, add_missing=True) == f"{tidy}- Three — Third: x\n"
    # Not an item that goes on, and not a second mention.
    for row in ("- How to two — w\n  and more\n", "/how two\n- How to two — see below\n"):
        assert fixed_text(f"## a.md\n\n{row}", ONE) == f"## a.md\n\n{row}"
    assert ("missing-row", "a.md", 7) in problems_in("## a.md\n\n- How to two — w\n  more\n", ONE)


def test_tables_below_paths_get_rows_of_their_own_files() -> None:
    head = "| Heading | About |\n|---|---|\n"
    text = f"## a.md\n\n{head}| When one | x |\n| How to two | y |\n| Three | z |\n"
    after = f"{text}\n## b.md\n\n{head}| When four |  |\n"
    assert fixed_text(text, TWO, TABLE, add_missing=True) == after
    empty = f"{text}\n## b.md\n\n{head}"
    assert fixed_text(empty, TWO, TABLE, add_missing=True) == after


FOUR_AS_OURS = f"{HEAD}| x | a.md | When four |\n"
OPEN_END = "## a.md\n\n/how two\n/when one\n\n```\ncode\n"


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        (FOUR_AS_OURS, TABLE, {"wrong-section 3": True, "missing-row 3": True}),
        # What is added would be swallowed, but what is there can be put in order.
        (OPEN_END, ROWS, {"order 4": True, "missing-row 9": False}),
        (f"{START}## A\n{END}## B\n", BLOCK, {"row-form 2": False}),
    ],
)
def test_what_is_not_fixed_has_no_fix(text: str, form: str, expected: dict[str, bool]) -> None:
    index, indexed = index_and_files(text, TWO, form)
    rules = {rule.kind: rule for rule in RULES if isinstance(rule, IndexRule)}
    problems = with_fixes(index, indexed, list(problems_of(index, indexed)))
    fixes = {f"{p.kind} {p.line}": rules[p.kind].fix_of(p) is not None for p in problems}
    assert {key: fixes[key] for key in expected} == expected
