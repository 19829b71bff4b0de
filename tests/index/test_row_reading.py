"""How the words of a row, a cell and a pointer are read."""

from __future__ import annotations

from time import process_time

import pytest

from learnings.core.entries.document import read
from learnings.index.headings import entries_of, headings_of
from learnings.index.other_form import OtherForm, other_form
from learnings.index.rows import FORMS, Row, read_index, read_line
from tests.index.index_cases import BLOCK, PATH, ROWS, TABLE, index_and_files


def test_all_ways_to_read_a_row() -> None:
    ways = {"/When X|y": ("when x|y", "when x"), "Key – a — b": ("key – a — b", "key – a", "key")}
    for text, keys in (ways | {"/how x — y | z": ("how to x — y | z", "how to x — y")}).items():
        row = read_line(text)
        assert row is not None
        assert (row.keys, row.plain, row.fault) == (keys, True, None)
    # Rows only if a heading says so; list items are read behind their marker.
    marked = ("1. a — b", "**a** — b", "> a — b", "| a — b", "__a__ — b", "— b — c")
    for text in ("- a — b", "* a — b", "- /when a | b", *marked):
        row = read_line(text)
        assert row is not None
        assert not row.plain
        assert (row.keys[-1] in ("a", "when a")) is (text not in marked)


def test_what_is_no_row() -> None:
    plain = ["", "words", " /when x", "\t/when x", "/usr/bin/x", "a—b", "a - b", "/", "- /what x"]
    assert [text for text in plain if read_line(text)] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("/whenever x", "/whenever is not an operator"),
        ("/when", "no trigger"),
        ("/how \t|", "no trigger"),
    ],
)
def test_rows_that_cannot_be_read(text: str, word: str) -> None:
    row = read_line(text)
    assert row is not None
    assert word in (row.fault or "")


def test_a_row_has_the_path_of_its_section() -> None:
    text = b"/when a\n\n# Index\n\n/when b\n\n## a.md\n\n/when c\n\n### deeper\n\n/when d\n"
    text += b"\n## Notes\n\n/when e\n\n# End\n\n/when f\n"
    rows = [(row.keys[0], row.path) for row in read_index(text).rows]
    paths = zip("abcdef", ("", "", "a.md", "a.md", "Notes", ""), strict=True)
    assert rows == [(f"when {name}", path) for name, path in paths]


CELLS = "| Key | File | Lines |\n|---|---|---|\n| {} | {} | {} |\n"


def row_of(key: str, file: str = "", lines: str = "") -> Row:
    (row,) = read_index(CELLS.format(key, file, lines).encode(), form=TABLE).rows
    return row


def test_cells_that_name_a_heading_a_file_or_lines() -> None:
    keys: dict[str, tuple[str, ...]] = {"When x": ("when x",), "": ()}
    keys |= {"`/how x`": ("`/how x`", "how to x", "/how x")}
    keys |= {"[When x](a.md)": ("[when x](a.md)", "when x")}
    assert {cell: row_of(cell).keys for cell in keys} == keys
    for file in (" a.md ", "`a.md`", "[x](a.md#y)", "a.md:12"):
        row = row_of("x", file)
        assert row.path == "a.md"
        assert row.text[slice(*row.path_at)] == "a.md"
    assert row_of("x").path is None
    for cell, lines in ((" 12", [(12, 12)]), ("L3-7 ", [(3, 7)]), ("12 or so", [])):
        assert [pointer[1:3] for pointer in row_of("x", "a.md", cell).pointers] == lines


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ("see a/b.md:12", [("a/b.md", 12, 12)]),
        ("see a.md#L3-L9.", [("a.md", 3, 9)]),
        ("a.md:3 (b.md:4) and `c.md:5`", [("a.md", 3, 3), ("b.md", 4, 4), ("c.md", 5, 5)]),
        ("(line 7)", [(None, 7, 7)]),
        ("[lines 7-9]", [(None, 7, 9)]),
        ("| L7–9 | x", [(None, 7, 9)]),
        ("the limit is 400 lines, line 401 fails", []),
        ("(line 99999999999999999999)", []),
    ],
)
def test_lines_that_a_text_points_at(
    text: str, pointers: list[tuple[str | None, int, int]]
) -> None:
    row = read_line(f"x — {text}")
    assert row is not None
    assert [pointer[:3] for pointer in row.pointers] == pointers
    for pointer in row.pointers:
        assert row.text[slice(*pointer.first_at)] == str(pointer.first)


SOAK_UNITS = ("a — ", "| ", "**", "a.b", "`", "→", "(line 1")


@pytest.mark.parametrize(
    "unit",
    [" ", "**a** — ", "[", *(pytest.param(unit, marks=pytest.mark.soak) for unit in SOAK_UNITS)],
)
def test_a_line_of_100_000_characters_costs_no_square(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = process_time()
    for lead in ("", "/when a", "**a** — ", "a — "):
        read_line(lead + text)
        read_index((CELLS.format(lead + text, text, text)).encode(), form=TABLE)
    assert process_time() - start < 5


FILES = {
    "docs/a.md": "# A\n\n## When one\n\n## How to two\n\n## Three\n\n## Four\n",
    "docs/b.md": "# B\n\n## When five\n\n## Six\n\n## Seven\n\n## Eight\n",
}
HEADINGS = {
    path: [line[3:] for line in text.splitlines() if line.startswith("## ")]
    for path, text in FILES.items()
}


def rows_of(row: str, *, below: str = "") -> str:
    """Return a row for each heading, `{h}` in the file `{p}`, below a line for each file."""
    return "".join(
        below.format(p=path) + "".join(row.format(h=heading, p=path) for heading in headings)
        for path, headings in HEADINGS.items()
    )


HEAD = "| Topic | File | Key |\n|---|---|---|\n"
INDEXES = {
    ROWS: "# Index\n\n" + rows_of("{h} — about it\n", below="\n## {p}\n\n"),
    TABLE: "# Index\n\n" + HEAD + rows_of("| t | {p} | {h} |\n"),
}
NOTES = (
    "\n## Notes\n\n- see docs/b.md\n- **bold** — see docs/a.md\n1. one\n2. two\n> a quote\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\nProse — with a dash\nthat goes on.\n"
)


def judged(text: str, form: str) -> OtherForm | None:
    index, files = index_and_files(text, FILES, form)
    candidates = []
    for name in FORMS:
        other = read_index(text.encode(), form=name, path=PATH)
        own = [entries_of(PATH, read(text.encode()))]
        listed = [headings_of(path, source.encode()) for path, source in FILES.items()]
        if name != form and other.rows:
            candidates.append((other, own if other.form.is_block else listed))
    return other_form(index, files, candidates)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("written", INDEXES)
def test_the_form_to_configure_is_named(form: str, written: str) -> None:
    for text in (INDEXES[written], INDEXES[written] + NOTES):
        other = judged(text, form)
        if form == written:
            assert other is None
            continue
        assert other is not None
        assert other.is_list
        assert f'index-form is "{form}"; set index-form = "{written}"' in other.problem.message


def test_a_table_below_each_path_and_a_block_are_forms() -> None:
    tables = rows_of("| {h} | x |\n", below="\n## {p}\n\n| Heading | About |\n|---|---|\n")
    other = judged(tables, ROWS)
    assert other is not None
    assert '"table"' in other.problem.message
    block = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n| d | One |\n<!-- INDEX:END -->\n"
    other = judged(f"# L\n\n{block}\n## [2026-02-01-120000] One\n\nx\n", ROWS)
    assert other is not None
    assert '"block"' in other.problem.message


@pytest.mark.parametrize(
    "text",
    [
        rows_of("- [{h}]({p}) — a hook\n"),
        rows_of("- {h}\n", below="\n## {p}\n\n"),
        rows_of("{h}: about it\n", below="\n## {p}\n\n"),
        rows_of("  - {h}\n", below="- {p}\n"),
        rows_of("1. {h}: see {p}\n"),
        "| What | About |\n|---|---|\n" + rows_of("| {h} | x |\n"),
        rows_of("### {h}\n\nIn {p}.\n\n"),
    ],
)
def test_a_list_in_no_form_is_one_problem_that_shows_a_row(text: str) -> None:
    for newline in ("\n", "\r\n"):
        other = judged(("# Index\n\n" + text).replace("\n", newline), ROWS)
        assert other is not None
        assert other.is_list
        assert "`/when a build hangs`" in other.problem.message
        assert other.problem.line >= 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Index\n",
        "## docs/a.md\n\nSome words. See docs/b.md, docs/c.md and docs/d.md.\n",
        "## docs/a.md\n\n/when one\n" + NOTES,
        INDEXES[ROWS].replace("Three — about it\n", "- Three\n- Four\n"),
        INDEXES[ROWS].replace("docs/", "gone/"),
        "# Index\n\nA row is `/when x | y`.\n\n- `/when`: a trigger\n" + INDEXES[ROWS],
        rows_of("{h} — about it\n", below="\n### {p}\n\n"),
    ],
)
def test_an_index_in_its_form_is_judged_line_by_line(text: str) -> None:
    assert judged(text, ROWS) is None


def test_a_block_that_is_not_there_and_prose_are_one_problem() -> None:
    other = judged("# L\n\n## [2026-02-01-120000] One\n\nx\n", BLOCK)
    assert other is not None
    assert "has no index block" in other.problem.message
    assert judged("<!-- INDEX:START -->\n<!-- INDEX:START -->\n", BLOCK) is None
    # Every character of the long word was tried as the first one of a path: this took minutes.
    for text in ("The builds are in docs/a.md, and\nmore is in docs/b.md.\n", "a" * 200_000):
        other = judged(f"# Index\n\n{text}", ROWS)
        assert other is not None
        assert not other.is_list
        assert "8 headings of its files need rows" in other.problem.message
