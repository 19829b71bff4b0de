"""What holds for the fixes of any memory file, however untidy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from learnings import rules
from learnings.check.fixing import fixed_text
from learnings.core.findings.finding import Finding, Severity
from learnings.core.roles import Role
from learnings.core.text import chomp, decode, newline_of, split_lines
from learnings.rules.rule import CheckedFile
from tests.rules.cases import checked_file

TITLES = (
    *(
        "Title",
        "When it hangs",
        "**Bold** title",
        "[2026-02-16-120000] Stamped",
        "[L-014] Numbered",
    ),
    *("[2026-02-30-120000] No day", "Themes", "123", "a\rb", "Title ##", "日本語"),
)
GAPS = ("", "", "", "\u00a0", "\u00a0 ", "\u2003", "\f", " ", " ", " ", "\t", "\r")
MARKS = ("##", "##", "##", "###", "#", "######", "#######")
LINES = (
    *("# Learnings", "- 2026-01-01 an item", "- item", "  ```", "```", "<!--", "-->", "<pre>"),
    *("<!-- a note -->", "</pre>", "> quote", "---", "    code", "", "", "", "\udcff"),
    *("<<<<<<< ours", "=======", ">>>>>>> theirs"),
    "<!-- learnings: ignore[entry-heading-malformed] for now -->",
    "<!-- learnings: ignore[final-newline] for now -->",
)
headings = st.builds(
    "".join, st.tuples(st.sampled_from(MARKS), st.sampled_from(GAPS), st.sampled_from(TITLES))
)
line = st.sampled_from(LINES) | headings | st.text(alphabet="#- \t\r`<>!A\u00a0\u2028", max_size=6)
# What a fix may bring to light: the line is a heading now, and as such has faults of its own.
OF_HEADINGS = {"duplicate-entry", "entry-heading-malformed", "entry-title-empty"}
OF_HEADINGS |= {"entry-title-form", "orphan-content"}


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Draw a file of lines of any kind, which end in any way."""
    parts = draw(st.lists(line, max_size=14))
    ends = draw(st.sampled_from((["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"])))
    top = draw(st.sampled_from(("", "", "\ufeff", "---\na: 1\n---\n")))
    text = top + "".join(part + ends[n % len(ends)] for n, part in enumerate(parts))
    cut = draw(st.integers(0, 2))
    return text[: len(text) - cut].encode("utf-8", "surrogateescape")


roles = st.sampled_from([*Role, None])
dialects = st.sampled_from(("auto", "auto", "auto", "heading", "bullet", "timestamped"))


def anything(test: Callable[..., None]) -> Callable[..., None]:
    return settings(deadline=None)(given(data=files(), role=roles, dialect=dialects)(test))


def findings_in(file: CheckedFile) -> list[Finding]:
    return list(rules.check(file))


def squeezed(data: bytes) -> list[str]:
    return ["".join(line.split()) for line in split_lines(decode(data))]


@anything
def test_what_has_a_fix_is_gone_and_nothing_else_is_touched(
    data: bytes, role: Role | None, dialect: str
) -> None:
    before = checked_file(data, role=role, dialect=dialect)
    fixable = [finding for finding in findings_in(before) if finding.fix]
    data_after = fixed_text(before)
    after = checked_file(data_after, role=role, dialect=dialect)

    assert [finding for finding in findings_in(after) if finding.fix] == []
    # What a comment ignores can change with the entries that there are.
    assume(b"ignore[" not in data)
    touched = {edit.line for finding in fixable if finding.fix for edit in finding.fix.edits}
    old, new = split_lines(decode(data)), split_lines(decode(data_after))
    changed = {n for n, (one, two) in enumerate(zip(old, new, strict=True), 1) if one != two}
    assert changed == touched
    assert (data_after == data) == (not fixable)


@pytest.mark.slow
@anything
@example(data=b"##A\n\n\n##B", role=Role.LEARNINGS, dialect="auto")
def test_a_fix_changes_white_space_within_lines_once(
    data: bytes, role: Role | None, dialect: str
) -> None:
    before = checked_file(data, role=role, dialect=dialect)
    after = fixed_text(before)
    assert fixed_text(checked_file(after, role=role, dialect=dialect)) == after
    assert squeezed(after) == squeezed(data)
    pairs = list(zip(*(split_lines(decode(text)) for text in (data, after)), strict=True))
    ends = [tuple(line[len(chomp(line)) :] for line in pair) for pair in pairs]
    assert all(old == new for old, new in ends[:-1])
    if ends and ends[-1][0] != ends[-1][1]:
        # What ends with a CR in a file of LFs gets the LF that makes one end of both.
        assert ends[-1] in {("", newline_of(decode(data))), ("\r", "\r\n")}

    def errors(file: CheckedFile) -> Counter[str]:
        found = findings_in(file)
        return Counter(one.rule for one in found if one.severity is Severity.ERROR)

    assert set(errors(before.reread(after)) - errors(before)) <= OF_HEADINGS
