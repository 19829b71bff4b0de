"""Comments that ignore rules: which there are, and which lines each is about."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.entries.document import read
from learnings.core.entries.titles import heading_text, item_text
from learnings.core.findings.ignores import ignores_of
from learnings.core.markdown.ignore_comments import comments_behind, comments_in, without_ignores
from learnings.core.roles import Role

IGNORE = "<!-- learnings: ignore[a-rule] why -->"
FENCE = "```"
LEARNINGS, TARGET, INDEX = Role.LEARNINGS, Role.TARGET, Role.INDEX


def scopes(source: str, role: Role | None = LEARNINGS) -> list[tuple[int, int, bool]]:
    """First and last line of what each comment is about, and whether that is the whole file."""
    data = source.replace("@", IGNORE).encode()
    return [
        (ignore.first, ignore.last, ignore.whole_file) for ignore in ignores_of(read(data), role)
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# L\n\n## A @\n\ntext\n", (3, 3)),
        ("# L\n\n## A\n\ntext @ \t\n", (5, 5)),
        ("# L\n\n## A\n\nlast @", (5, 5)),
        ("- a @\n- b\n", (1, 1)),
        ("# L\n\n@\n## A\n\ntext\n\n## B\n", (4, 7)),
        ("## A\n\n@\n\n## B\n\ntext\n\n## C\n", (5, 8)),
        ("## A\n\ntext\n\n@\n\nmore\n\n## B\n", (1, 8)),
        ("## A\n\ntext\n@\n", (1, 4)),
        ("## A\n@\n# Part\n\n### not an entry\n\n## B\n\n## C\n# Other\n## D\n", (3, 9)),
        ("## A\n# Part\n\n@\ntext\n\n## B\n# Other\n## C\n", (2, 7)),
        ("- a\n@\n- b\n  more\n- c\n", (3, 4)),
        ("- a\n  @\n  more\n- b\n", (1, 3)),
        ("- a\n\n@\n\n**Queues:**\n\n- b\n", (5, 6)),
        ("## A\n\n- x\n  - y\n    @\n\n## B\n", (1, 6)),
        ("## A\r\n\r\n@\r\n\r\ntext\r\n\r\n## B\r\n", (1, 6)),
        ("## A\n\n<!-- learnings:\nignore[a-rule]\nwhy -->\n\n## B\n\n## C\n", (7, 8)),
        ("## A\n\ntext\n\n@\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n", (6, 7)),
        ("## A\n\n@\n\ntext\n\n<!-- open\n\n## B\n", (1, 7)),
    ],
)
def test_a_line_or_an_entry(source: str, expected: tuple[int, int]) -> None:
    assert scopes(source) == [(*expected, False)]


@pytest.mark.parametrize(
    "source",
    [
        "@\n# L\n\n## A\n",
        "---\na: b\n---\n@\n\n# L\n\n## A\n",
        "# L\n\n@\n\n---\n\n## A\n",
        "# L\n---\n@\nstray\n\n## A\n",
        "# L\n\nno entries\n@\n",
        "\ufeff@\n\n# L\n\n## A\n",
        f"# L\n\n@\n\n{FENCE}\n## A\n",
    ],
)
def test_the_whole_file(source: str) -> None:
    assert scopes(source) == [(1, source.count("\n"), True)]


def test_place_and_words() -> None:
    assert scopes("# L\n\n@\n\n@ @\n## A\n\n## B\n") == [(6, 7, False)] * 3
    # A carriage return in the last line begins no line.
    last = read(f"# L\n\n## A\n\ntext\n\n{IGNORE}\r{IGNORE}".encode())
    places = [(ignore.line, ignore.column) for ignore in ignores_of(last, LEARNINGS)]
    assert places == [(7, 1), (7, len(IGNORE) + 2)]
    source = (
        "## A\n\ntext <!-- learnings: ignore[b, a,b,] one\ttwo -->\n <!--learnings:ignore[c]-->\n"
    )
    first, second = ignores_of(read(source.encode()), LEARNINGS)
    assert (first.line, first.column, first.rules, first.reason) == (3, 6, ("b", "a"), "one two")
    assert (second.line, second.column, second.rules, second.reason) == (4, 2, ("c",), "")


@pytest.mark.parametrize("role", [TARGET, INDEX, None])
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# D\n\n## A @\n\ntext\n", (3, 3, False)),
        ("# D\n\n@\n## A\n\n### B\n\n## C\n", (4, 7, False)),
        ("## Z\n\n@\n\n### B\n\ntext\n## C\n", (5, 7, False)),
        ("@\n# D\n\n## A\n", (1, 4, True)),
        ("# D\n\n@\n\ntext\n\n## A\n", (1, 7, True)),
        ("# D\n\n## A\n\ntext\n@\n\n## B\n", (8, 8, False)),
        ("# D\n## A\n@\n# E\n\n## B\n", (4, 6, False)),
    ],
)
def test_sections(source: str, expected: tuple[int, int, bool], role: Role | None) -> None:
    assert scopes(source, role) == [expected]


def test_no_comment_of_this_kind() -> None:
    code = [f"## A\n\n{FENCE}\n@\n{FENCE}\n", f"- a\n  {FENCE}\n  @\n  {FENCE}\n", "`@`\n"]
    sources = [
        *(*code, "- a\n\nlazy\n      @\n", "<!--\n@\n", "<!-- example: @\n", "x @ y `code`\n"),
        *("## A\n\n<!-- learnings: ignore[a-rule] why\n\n## B\n", "---\na: @\n---\n"),
        "<!-- learnings: note[a-rule] why -->\n",
        "<!-- Learnings: ignore[a-rule] why -->\n",
    ]
    assert [text for text in sources for role in (*Role, None) if scopes(text, role)] == []


def test_line_without_them() -> None:
    without = {f"## A {IGNORE}\n": "## A\n", f"## A\t{IGNORE} {IGNORE}  \r\n": "## A  \r\n"}
    without |= {f"## A{IGNORE}": "## A", f"## {IGNORE}\n": "##\n"}
    kept = (f"{IGNORE}\n", f"## A {IGNORE} b\n", f"## A `{IGNORE}`\n", "## A <!-- note -->\n")
    lines = {line: without_ignores(line) for line in (*without, *kept)}
    assert lines == without | {line: line for line in kept}


def test_title_and_identity_are_the_same_with_and_without() -> None:
    assert heading_text(f"\ufeff## When A {IGNORE}\n") == "When A"
    assert heading_text(f"## When A ## {IGNORE}\n") == "When A"
    assert item_text(f"- 2026-01-01 A {IGNORE}\n") == "2026-01-01 A"
    for source in ("## When A@\n\ntext\n", "## [2026-01-02-120000] A@\n", "- a @\n- b\n"):
        plain = read(source.replace("@", "").encode()).entries
        marked = read(source.replace("@", f" {IGNORE}").encode()).entries
        assert [e.identity for e in marked] == [e.identity for e in plain]
        assert [e.title for e in marked] == [e.title for e in plain]


PARTS = ["<!--", "-->", "learnings:", "ignore[", "a", "]", " ", "\n", "why", IGNORE]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=20).map("".join)


def test_inside_a_section() -> None:
    source = "# D\n\n## a.md\n\n@\n\nA — b\n\n## b.md\n"
    assert scopes(source, TARGET) == scopes(source, None) == [(3, 8, False)]
    assert scopes(source, INDEX) == [(7, 7, False)]
    assert scopes("# D\n\n## a.md\n\nA — b\n\n@\n", INDEX) == [(3, 7, False)]


@given(TEXTS)
def test_comments_are_where_they_say_and_leave_none_behind(text: str) -> None:
    comments = comments_in(text)
    assert [text[c.start : c.start + 4] for c in comments] == ["<!--"] * len(comments)
    assert [text[c.end - 3 : c.end] for c in comments] == ["-->"] * len(comments)
    assert all(first.end <= second.start for first, second in pairwise(comments))
    rest = without_ignores(text)
    assert without_ignores(rest) == rest
    assert not comments_behind(rest) or not rest[: comments_behind(rest)[0].start].strip()
    assert text.startswith(rest.rstrip())
    document = read(text.encode())
    for ignore in (ignore for role in (*Role, None) for ignore in ignores_of(document, role)):
        assert 1 <= ignore.first <= ignore.last <= len(document.lines)
        assert 1 <= ignore.line <= len(document.lines)


SOAK = pytest.mark.soak


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("## A\n\n" + "@\n" * 8_000, marks=SOAK, id="one block"),
        pytest.param("## A\n\n@\n\n" * 8_000, marks=SOAK, id="one for each entry"),
        pytest.param("## A\n\n- item\n" + "  @\n" * 8_000, marks=SOAK, id="in an item"),
        pytest.param("## A\n\ntext " + "@" * 8_000 + "\n", marks=pytest.mark.slow, id="in a line"),
    ],
)
def test_many_comments_take_no_long_time(source: str) -> None:
    """20,000 took minutes where every comment looked at all lines, 8,000 a sixth of that."""
    begin = time.process_time()
    assert comments_in(f"learnings: {'<!--' * 500_000}") == ()
    for role in (LEARNINGS, TARGET):
        assert len(scopes(source, role)) == 8_000
    assert time.process_time() - begin < 8
