"""What holds for a memory index of any shape, however untidy."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, example, given
from hypothesis import strategies as st

from learnings.core.entries.document import read
from learnings.core.errors import FixRefused
from learnings.core.index import check
from learnings.core.index.files import IndexedFile, entries_of, headings_of
from learnings.core.index.fix import fixed
from learnings.core.index.fixes import with_fixes
from learnings.core.index.match import MatchStatus, match
from learnings.core.index.model import ARROW, BLOCK, FORMS, ROWS, TABLE, IndexFile, read_index
from learnings.core.index.rows import new_row
from learnings.core.text import chomp
from learnings.rules import RULES
from learnings.rules.rule import Needs

PATH = "agents/memory-index.md"
KINDS = {rule.ID for rule in RULES if rule.NEEDS is Needs.INDEX}
TITLES = (
    "When Writing Tests",
    "When writing test",
    "How to Encode",
    "How to",
    "Plain title",
    "Plain — dashed title",
    "When a | b",
    "1. Setup",
    "**Bold**",
    "- x",
    "```",
    "# x",
    "<div>",
    "`code` x",
    ".Structure",
    ".When Hidden",
    "..",
    "Straße",
)
WORDS = ("writing tests", "encode", "to encode", "a", "a | b", "nothing", "hidden", "")
LINES = (
    *(f"/when {words} | more" for words in WORDS),
    *(f"/how {words}" for words in WORDS),
    *(f"{title} — summary" for title in TITLES),
    *(f"**{title}** — summary → agents/a.md" for title in TITLES),
    *(f"| x | agents/b.md | {title} |" for title in TITLES),
    *(f"| 2026-02-01 | {title} |" for title in TITLES),
    "**a** — the whole file → a.md",
    "| Topic | File | Key |",
    "| Date | Learning |",
    "|---|---|---|",
    "|---|---|",
    "# Index",
    "## agents/a.md",
    "## `agents/b.md`",
    "## agents/gone.md",
    "## Notes",
    "### deeper",
    "- bullet — with a dash",
    "1. Setup — as an item",
    "**Bold** — a note",
    "STRASSE — folded",
    "A note in prose.",
    "    /when writing tests",
    "---",
    "```",
    "<!--",
    "-->",
    "<!-- INDEX:START -->",
    "<!-- INDEX:END -->",
    "<div>",
    "> quote",
    "",
    "",
    "",
    "a\rb",
)
newlines = st.sampled_from(("\n", "\r\n"))
LEVELS = ("#", "##", "##", "###")
HEADINGS = ("## agents/a.md", "## agents/b.md", "## agents/gone.md", "## Notes")
line = st.sampled_from(LINES) | st.text(alphabet="/when|—*#- \t\r`", max_size=8)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Draw lines of any kind in any order."""
    return draw_text(draw, draw(st.lists(line, max_size=25)))


@st.composite
def indexes(draw: st.DrawFn, form: str) -> bytes:
    """Draw an index as people keep them: rows that belong, rows that stray, other lines."""
    if form == BLOCK:
        return draw_block(draw)
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        if form != ARROW:
            parts += [draw(st.sampled_from(HEADINGS)), ""]
        if form == TABLE:
            parts += ["| Topic | File | Key |", "|---|---|---|"]
        parts += draw(st.lists(rows_of(form) | rows_of(form) | line, max_size=8))
        parts += draw(st.sampled_from(([], [""], ["", "- a note", ""], ["", "---", ""])))
    return draw_text(draw, parts)


def draw_block(draw: st.DrawFn) -> bytes:
    titles = draw(st.lists(st.sampled_from(TITLES), max_size=6))
    listed = draw(st.lists(st.sampled_from(titles), max_size=8)) if titles else []
    inside = [f"| 2026-02-01 | {title} |".replace("a | b", "a \\| b") for title in listed]
    inside += draw(st.lists(line, max_size=2))
    head = ["<!-- INDEX:START -->", "| Date | Learning |", "|---|---|", *inside]
    body = [f"## [2026-02-0{n}-120000] {title}\n\nText.\n" for n, title in enumerate(titles, 1)]
    return draw_text(draw, [*head, "<!-- INDEX:END -->", "", *body])


def rows_of(form: str) -> st.SearchStrategy[str]:
    if form == ROWS:
        rows = [f"{title} — summary" for title in TITLES]
        return st.sampled_from([*rows, *("/when Writing Tests | x", "/how encode", "/when A | B")])
    paths = ("agents/a.md", "b.md", "agents/gone.md")
    if form == ARROW:
        rows = [f"**{title}** — summary → {path}" for title in TITLES for path in paths]
        return st.sampled_from([*rows, "**a** — whole → a.md", "**b** — whole → `agents/b.md`"])
    keys = [title.replace("|", "\\|") for title in TITLES]
    return st.sampled_from([f"| x | {path} | {key} |" for key in keys for path in paths])


def draw_text(draw: st.DrawFn, parts: list[str]) -> bytes:
    top = draw(st.sampled_from(("", "", "\ufeff", "---\na: 1\n---\n")))
    ends = draw(st.sampled_from((["\n"], ["\r\n"], ["\n", "\r\n"])))
    text = top + "".join(part + ends[n % len(ends)] for n, part in enumerate(parts))
    return (text.removesuffix("\n") if draw(st.booleans()) else text).encode()


@st.composite
def sources(draw: st.DrawFn) -> list[IndexedFile]:
    found = []
    for path in ("agents/a.md", "agents/b.md", "agents/with blank.md"):
        headings = draw(
            st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(TITLES)), max_size=8)
        )
        text = "".join(f"{level} {title}\n\nText of it.\n\n" for level, title in headings)
        found.append(headings_of(path, text.encode()))
    return draw(st.permutations(found))


def files_for(index: IndexFile, files: list[IndexedFile]) -> list[IndexedFile]:
    """Return what the index is held against: itself where it is a block."""
    if index.form == BLOCK:
        return [entries_of(index.path, read(index.to_bytes()))]
    return files


def texts_of(index: IndexFile) -> Counter[str]:
    return Counter(chomp(each) for each in index.lines if each.strip())


forms = st.sampled_from(FORMS)
cases = forms.flatmap(lambda form: st.tuples(texts() | indexes(form), st.just(form)))
anything = given(case=cases, files=sources(), flag=st.booleans())


def mended(
    index: IndexFile, files: list[IndexedFile], *, add_missing: bool
) -> tuple[IndexFile, list[IndexedFile]]:
    """Return the fixed index and what it is held against; a fix that refuses is no example."""
    try:
        data = fixed(index, files, add_missing=add_missing)
    except FixRefused:
        assume(False)  # noqa: FBT003  (that is its name)
        raise
    result = read_index(data, form=index.form, path=PATH)
    return result, files_for(result, files)


@given(texts() | st.binary(max_size=200), forms)
@example("\ufeff".encode(), ROWS)
@example(b"## a.md\r/when x\r", ROWS)
def test_an_index_is_its_spans(data: bytes, form: str) -> None:
    index = read_index(data, form=form, path=PATH)

    assert index.to_bytes() == data
    assert [row.text for row in index.rows] == [index.content(row.line) for row in index.rows]


@anything
def test_a_check_takes_whatever_comes(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    lengths = {PATH: len(index.lines), **{file.path: len(file.lines) for file in files}}

    for problem in check.problems(index, files_for(index, files), fuzzy=0.8 if flag else None):
        assert problem.kind in KINDS
        assert 1 <= problem.line <= max(1, lengths[problem.path])
        assert problem.message
        assert problem.message.isprintable()


@anything
def test_a_second_fix_changes_nothing(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    result, files = mended(index, files_for(index, files), add_missing=flag)

    assert fixed(result, files, add_missing=flag) == result.to_bytes()


@anything
def test_only_rows_of_structural_headings_go(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    row_matches = match(index, files).row_matches
    result, _ = mended(index, files, add_missing=flag)

    structural = Counter(p.row.text for p in row_matches if p.status is MatchStatus.STRUCTURAL)
    assert texts_of(index) - texts_of(result) <= structural
    if not flag and form != ROWS:
        assert texts_of(result) <= texts_of(index)


@anything
def test_all_that_is_no_row_stays_in_its_order(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    before = notes(index, files)
    result, files = mended(index, files, add_missing=flag)
    after = iter(notes(result, files))

    # What is added between them: headings of sections, the head of a table.
    assert all(note in after for note in before)


def notes(index: IndexFile, files: list[IndexedFile]) -> list[str]:
    """Return the lines with text that are rows to neither checker nor fixer, in their order.

    Rows that nobody may touch count as notes here.
    """
    movable = {
        MatchStatus.PLACED,
        MatchStatus.DUPLICATE,
        MatchStatus.ELSEWHERE,
        MatchStatus.STRUCTURAL,
    }
    rows = {p.row.line for p in match(index, files).row_matches if p.status in movable}
    return [
        index.content(number)
        for number in range(1, len(index.lines) + 1)
        if number not in rows and index.content(number).strip()
    ]


@anything
def test_what_can_be_mended_is(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    result, files = mended(index, files_for(index, files), add_missing=flag)
    left = list(check.problems(result, files))
    kinds = {problem.kind for problem in left}

    assert not kinds & {check.STRUCTURAL_ROW, check.ORDER}
    assert form != ROWS or check.WRONG_SECTION not in kinds
    if flag and not result.faults and (form != BLOCK or result.block):
        for target in match(result, files).missing:
            assert new_row(result, target, result.tables[-1] if result.tables else None) is None


@anything
def test_what_is_in_order_stays_as_it_is(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    kinds = {problem.kind for problem in check.problems(index, files)}
    mendable = {check.STRUCTURAL_ROW, check.ORDER} | ({check.MISSING_ROW} if flag else set())
    assume(not kinds & (mendable | ({check.WRONG_SECTION} if form == ROWS else set())))
    # What stands in the block is told before the rows that it lacks, and forbids to add them.
    assume(not flag or not check.blockers(index, files))

    assert fixed(index, files, add_missing=flag) == data


@anything
def test_the_fixer_touches_no_line_that_the_checker_is_content_with(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    told = {p.line for p in check.problems(index, files) if p.path == PATH}
    told |= {p.row.line for group in match(index, files).groups() for p in group}
    result, _ = mended(index, files, add_missing=flag)
    kept = [chomp(each) for n, each in enumerate(index.lines, start=1) if n not in told]
    after = iter([chomp(each) for each in result.lines])

    assert all(text in after for text in kept if text.strip())


@given(indexes(ROWS), sources())
def test_a_threshold_hides_no_missing_heading(data: bytes, files: list[IndexedFile]) -> None:
    index = read_index(data, path=PATH)

    def missing(fuzzy: float | None) -> set[tuple[str, int]]:
        found = check.problems(index, files, fuzzy=fuzzy)
        return {(p.path, p.line) for p in found if p.kind == check.MISSING_ROW}

    assert missing(0.5) == missing(None)


@given(indexes(ROWS), sources(), newlines)
def test_added_lines_end_as_the_others(data: bytes, files: list[IndexedFile], newline: str) -> None:
    text = data.decode().replace("\r\n", "\n").replace("\r", " ").replace("\n", newline)
    assume(newline in text)
    index = read_index(text.encode(), path=PATH)
    result, _ = mended(index, files, add_missing=True)

    assert all(each.endswith(newline) for each in result.lines[:-1])


@given(st.lists(line, max_size=6), st.lists(st.sampled_from(TITLES), max_size=6))
def test_a_filled_block_has_one_row_per_entry(inside: list[str], titles: list[str]) -> None:
    head = "<!-- INDEX:START -->\n" + "".join(f"{each}\n" for each in inside)
    body = "".join(f"## [2026-02-0{n}-120000] {t}\n\nx\n\n" for n, t in enumerate(titles, start=1))
    data = f"{head}<!-- INDEX:END -->\n\n{body}".encode()
    index = read_index(data, form=BLOCK, path=PATH)
    files = [entries_of(PATH, read(data))]
    try:
        again = fixed(index, files, add_missing=True)
    except FixRefused:
        return
    result = read_index(again, form=BLOCK, path=PATH)
    files = [entries_of(PATH, read(again))]

    assert fixed(result, files, add_missing=True) == again
    assert again.decode().endswith(f"<!-- INDEX:END -->\n\n{body}")
    listed = [
        p.target.heading.title
        for p in match(result, files).row_matches
        if p.target and p.target.heading
    ]
    writable = [t.title for t in files[0].headings]
    assert [title for title in writable if title in listed] == listed


@anything
def test_what_is_said_to_have_a_fix_is_gone_after_it_and_nothing_else(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    found = list(with_fixes(index, files, list(check.problems(index, files))))
    mends = [each for each in found if each.fix and (flag or each.kind != check.MISSING_ROW)]
    try:
        after = fixed(index, files, add_missing=flag)
    except FixRefused:
        # With rows to add it can be refused although all else could be mended without them.
        assert not mends or flag
        return
    result = read_index(after, form=form, path=PATH)
    left = Counter((each.kind, each.subject) for each in check.problems(result, files))

    assert (after == data) == (not mends)
    gone = Counter((each.kind, each.subject) for each in mends)
    assert left & gone == Counter() or form == BLOCK
    assert not {each.kind for each in mends} & {kind for kind, _ in left} - {check.MISSING_ROW}


@anything
def test_what_is_ignored_is_left_and_all_else_is_mended(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    ignored = [(each.kind, each.subject) for each in check.problems(index, files)]
    leave = set(ignored if flag else ignored[:1])
    try:
        after = fixed(index, files, add_missing=True, leave=leave)
    except FixRefused:
        assume(False)  # noqa: FBT003  (that is its name)
        raise
    result = read_index(after, form=form, path=PATH)

    assert fixed(result, files_for(result, files), add_missing=True, leave=leave) == after
    if flag:
        assert after == data
