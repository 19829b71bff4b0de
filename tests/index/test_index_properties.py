"""What holds for a memory index of any shape, however untidy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from learnings.core.entries.document import read
from learnings.core.errors import FixRefused
from learnings.core.text import chomp
from learnings.index.comparison import Comparison, problems_of
from learnings.index.fixing import with_fixes
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.problems import DUPLICATE_ROW, MISSING_ROW, ORPHAN_ROW, STRUCTURAL_ROW
from learnings.index.rows import FORMS, Index, read_index
from learnings.rules import RULES
from learnings.rules.index import rule_id
from tests.index.index_cases import BLOCK, PATH, ROWS, TABLE, fixed_index

IDS = {rule.id for rule in RULES if rule.needs == "index"}
TITLES = (
    *("When Writing Tests", "How to Encode", "Plain title", "Plain — dashed title", "When a | b"),
    *("1. Setup", "**Bold**", "```", "# x", ".Structure", "..", "Straße"),
)
WORDS = ("writing tests", "encode", "to encode", "a", "a | b", "nothing", "hidden", "")
LINES = (
    *(f"/when {words} | more" for words in WORDS),
    *(f"/how {words}" for words in WORDS),
    *(f"{title} — summary" for title in TITLES),
    *(f"- {title} — summary (line 3)" for title in TITLES),
    *(f"| x | agents/b.md | {title} |" for title in TITLES),
    *(f"| 2026-02-01 | {title} |" for title in TITLES),
    *("| Topic | File | Key |", "| Date | Learning |", "| File | Key | Line |"),
    *("|---|---|---|", "|---|---|", "# Index", "## agents/a.md", "## `agents/b.md`"),
    *("## agents/gone.md", "## Notes", "- bullet — with a dash", "**Bold** — a note"),
    *("A note in prose.", "---", "```", "<!--", "-->", "<!-- INDEX:START -->"),
    *("<!-- INDEX:END -->", "<div>", "", "", "", "a\rb"),
)
LEVELS = ("#", "##", "##", "###")
HEADINGS = ("## agents/a.md", "## agents/b.md", "## agents/gone.md", "## Notes")
line = st.sampled_from(LINES) | st.text(alphabet="/when|—*#- \t\r`", max_size=8)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Draw lines of any kind in any order."""
    return draw_text(draw, draw(st.lists(line, max_size=25)))


@st.composite
def indexes(draw: st.DrawFn, form: str) -> bytes:
    """Draw an index as people keep them: rows in the right or in a wrong section, other lines."""
    if form == BLOCK:
        return draw_block(draw)
    parts = []
    for _ in range(draw(st.integers(0, 4))):
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
    keys = [title.replace("|", "\\|") for title in TITLES]
    return st.sampled_from([f"| x | {path} | {key} |" for key in keys for path in paths])


def draw_text(draw: st.DrawFn, parts: list[str]) -> bytes:
    top = draw(st.sampled_from(("", "", "\ufeff", "---\na: 1\n---\n")))
    ends = draw(st.sampled_from((["\n"], ["\r\n"], ["\n", "\r\n"])))
    text = top + "".join(part + ends[n % len(ends)] for n, part in enumerate(parts))
    return (text.removesuffix("\n") if draw(st.booleans()) else text).encode()


@st.composite
def sources(draw: st.DrawFn) -> list[IndexedFile]:
    files = []
    for path in ("agents/a.md", "agents/b.md", "agents/with blank.md"):
        headings = draw(
            st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(TITLES)), max_size=8)
        )
        text = "".join(f"{level} {title}\n\nText of it.\n\n" for level, title in headings)
        files.append(headings_of(path, text.encode()))
    return draw(st.permutations(files))


def files_for(index: Index, files: list[IndexedFile]) -> list[IndexedFile]:
    """Return what the index is compared with: itself where it is a block."""
    if index.form.is_block:
        return [entries_of(index.path, read(index.to_bytes()))]
    return files


forms = st.sampled_from([*FORMS])
cases = forms.flatmap(lambda form: st.tuples(texts() | indexes(form), st.just(form)))
anything = given(case=cases, files=sources(), flag=st.booleans())


def after_fix(
    index: Index,
    files: list[IndexedFile],
    *,
    add_missing: bool,
    ignored: Iterable[tuple[str, str]] = (),
) -> tuple[Index, list[IndexedFile]]:
    """Return the fixed index and its files; a fix that refuses is not an example."""
    try:
        data = fixed_index(index, files, add_missing=add_missing, ignored=set(ignored))
    except FixRefused:
        assume(False)  # noqa: FBT003  (that is its name)
        raise
    result = read_index(data, form=index.form.name, path=PATH)
    return result, files_for(result, files)


@anything
def test_what_is_ignored_is_left_and_all_else_is_fixed(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    index = read_index(case[0], form=case[1], path=PATH)
    files = files_for(index, files)
    subjects = [(p.kind, p.subject) for p in problems_of(index, files)]
    ignored = set(subjects if flag else subjects[:1])
    result, again = after_fix(index, files, add_missing=True, ignored=ignored)
    after = result.to_bytes()
    assert fixed_index(result, again, add_missing=True, ignored=ignored) == after
    assert not flag or after == case[0]


@pytest.mark.slow
@example(case=(b"|---|---|---|\n|\n", BLOCK), files=[], flag=False)  # a bar alone
@anything
def test_what_is_said_to_have_a_fix_is_gone_after_it_and_nothing_else(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    faults = tuple(with_fixes(index, files, list(problems_of(index, files))))
    is_added = flag or form == BLOCK
    fixable = [p for p in faults if p.is_fixable]
    fixable = [p for p in fixable if is_added or p.is_renamed or p.kind != MISSING_ROW]
    try:
        after = fixed_index(index, files, add_missing=flag)
    except FixRefused:
        # With rows to add it can be refused although all else could be fixed without them.
        assert not fixable or flag
        return
    result = read_index(after, form=form, path=PATH)
    left = Counter((p.kind, p.subject) for p in problems_of(result, files))

    assert (after == data) == (not fixable)
    gone = Counter((p.kind, p.subject) for p in fixable)
    # Rows with the same text may stand in several sections, and headings in several files.
    stay = Counter((p.kind, p.subject) for p in faults) - gone
    assert left & gone <= stay or form == BLOCK
    some = {MISSING_ROW, ORPHAN_ROW}
    assert not {p.kind for p in fixable} & {kind for kind, _ in left} - some


@pytest.mark.slow
@example(
    case=(b"## a.md\n\n## Notes\n\n/when b\n/when a\n", ROWS),
    files=[headings_of("a.md", b"## When a\n"), headings_of("b.md", b"## When b\n")],
    flag=False,
)
@anything
def test_a_fix_is_made_once_and_only_where_something_is_reported(
    case: tuple[bytes, str], files: list[IndexedFile], *, flag: bool
) -> None:
    data, form = case
    index = read_index(data, form=form, path=PATH)
    files = files_for(index, files)
    matched, found = Comparison(index, files), list(problems_of(index, files))
    result, files_after = after_fix(index, files, add_missing=flag)
    assert fixed_index(result, files_after, add_missing=flag) == result.to_bytes()

    old, new = ([chomp(line) for line in lines] for lines in (index.lines, result.lines))
    unused = {STRUCTURAL_ROW}
    if form == BLOCK:
        unused = {ORPHAN_ROW, DUPLICATE_ROW}
    removed = Counter(p.row.text for p in matched.matches if p.problem in unused)
    fixable = (p for p in with_fixes(index, files, found) if p.is_fixable)
    edited = Counter(old[p.line - 1] for p in fixable if p.path == PATH)
    edited += Counter(row.text for row in index.rows if row.pointers)
    assert Counter(filter(str.strip, old)) - Counter(new) <= removed + edited

    reported = {p.line for p in found if p.path == PATH}
    reported |= {p.row.line for group in matched.groups() for p in group}
    # Those of a section without a file are reported at its heading, all at once.
    reported |= {p.row.line for p in matched.matches if matched.is_without_file(p)}
    kept = [line for n, line in enumerate(old, start=1) if n not in reported and line.strip()]
    after = iter(new)
    assert all(line in after for line in kept)


@given(texts() | st.binary(max_size=200), forms, sources())
@example("\ufeff".encode(), ROWS, [])
@example(b"## a.md\r/when x\r", ROWS, [])
def test_whatever_comes_is_read_and_checked(
    data: bytes, form: str, files: list[IndexedFile]
) -> None:
    index = read_index(data, form=form, path=PATH)
    assert index.to_bytes() == data
    assert [row.text for row in index.rows] == [
        chomp(index.lines[row.line - 1]) for row in index.rows
    ]
    lengths = {PATH: len(index.lines), **{file.path: len(file.lines) for file in files}}
    for fault in problems_of(index, files_for(index, files)):
        assert rule_id(fault.kind) in IDS
        assert 1 <= fault.line <= max(1, lengths[fault.path])
        assert fault.message
        assert fault.message.isprintable()
