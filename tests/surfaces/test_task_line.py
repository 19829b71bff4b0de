"""One task line for each learnings file, in a Markdown file that users edit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.surfaces.task_file import TaskLine, with_tasks

MARK = '<!-- learnings:task "a.md" -->'
OPEN = f"- [ ] Consolidate `a.md` with `learnings plan`, due since 2026-05-01 {MARK}"
DUE = TaskLine("a.md", due=True, since="2026-05-01")
DONE = DUE._replace(due=False)


@pytest.mark.parametrize(
    ("before", "task", "after"),
    [
        ("", DUE, f"# Tasks\n\n{OPEN}\n"),
        ("", DONE, ""),
        ("# T\n", DUE, f"# T\n\n{OPEN}\n"),
        ("- [ ] other\n", DUE, f"- [ ] other\n{OPEN}\n"),
        ("1. other\n", DUE, f"1. other\n{OPEN}\n"),
        ("- [ ] other\r\n", DUE, f"- [ ] other\r\n{OPEN}\r\n"),
        (f"{OPEN}\n", DUE._replace(since="2026-06-01"), f"{OPEN}\n"),
        (f"{OPEN}\n", DONE, f"{OPEN.replace('[ ]', '[x]')}\n"),
        (f"x\n{OPEN}\ny", DONE, f"x\n{OPEN.replace('[ ]', '[x]')}\ny"),
        (f"- [X] Done {MARK}\n", DONE, f"- [X] Done {MARK}\n"),
        (f"- [x] Done {MARK}\n", DUE, f"{OPEN}\n"),
        (f"  * [x] Done {MARK}  \r\nx\r\n", DUE, f"  *{OPEN[1:]}\r\nx\r\n"),
        (f"- no box {MARK}\n", DONE, f"- [x] no box {MARK}\n"),
        (f"no bullet {MARK}", DUE, OPEN),
        (f"{OPEN}\n{OPEN}\n", DUE, f"{OPEN}\n"),
        (f"{OPEN}\nx\n{OPEN}\n", DONE, f"{OPEN.replace('[ ]', '[x]')}\nx\n"),
        (f"```\n{OPEN}\n```\n", DUE, f"```\n{OPEN}\n```\n\n{OPEN}\n"),
        ("text\n```\ncode\n", DUE, f"text\n\n{OPEN}\n\n```\ncode\n"),
        ("text\n   ~~~\ncode\n", DUE, f"text\n\n   {OPEN}\n\n   ~~~\ncode\n"),
        ("- x\n<!-- open\n", DUE, f"- x\n{OPEN}\n\n<!-- open\n"),
        ("text\ntext\r", DUE, f"text\ntext\r\n\n{OPEN}\n"),
        ("text\r", DUE, f"text\r\r{OPEN}\r"),
        (f"text\r{OPEN}\n", DONE, f"text\r{OPEN.replace('[ ]', '[x]')}\n"),
        (f"{OPEN}\ntext\r{OPEN}\ny\n", DUE, f"{OPEN}\ntext\r\ny\n"),
        (f"x\ntext\rno bullet {MARK}\r", DUE, f"x\ntext\r{OPEN}\r"),
        (f"in the middle {MARK} of it\n", DONE, f"in the middle {MARK} of it\n"),
        (f"{OPEN}\n\n\r\n  ```{MARK}", DUE, f"{OPEN}\n\n\r\n"),
        (f"{OPEN}\n{MARK}{MARK}\r{MARK}", DUE, f"{OPEN}\n"),
    ],
)
def test_a_line(before: str, task: TaskLine, after: str) -> None:
    assert with_tasks(before, [task]) == after
    assert with_tasks(after, [task]) == after


def test_each_file_has_its_own() -> None:
    other = DUE._replace(file="b.md")
    text = with_tasks("", [DUE, other])
    assert text.count("- [ ]") == 2
    assert with_tasks(text, [DONE, other]).count("- [ ]") == 1


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("a`b.md", "``a`b.md``"),
        ("`a`.md", "`` `a`.md ``"),
        ("a\nb.md", "`a b.md`"),
        ("a\x1bb.md", "`a\\x1bb.md`"),
    ],
)
def test_a_path_is_code(file: str, shown: str) -> None:
    text = with_tasks("", [DUE._replace(file=file)])
    assert f"Consolidate {shown} with `learnings plan`, due" in text
    assert text.count("\n") == 3


def test_the_mark_ends_where_it_should() -> None:
    task = DUE._replace(file="a-->b--c.md")
    text = with_tasks("", [task])
    assert text.rstrip().endswith("-->")
    assert text.count("-->") == 2  # in the words for people, and at the end
    assert with_tasks(text, [task]) == text


def test_a_second_line_of_one_file_and_a_new_one_of_another() -> None:
    b = DUE._replace(file="b.md")
    text = f"x\n{OPEN}\n{OPEN}\n"
    assert with_tasks(text, [DUE, b]) == f"x\n{OPEN}\n{OPEN.replace('a.md', 'b.md')}\n"


# What opens and closes blocks, and ends lines, in Markdown and in a file.
PIECES = ["```", "~~~\n", "<!--", "-->", "- x", "1. y\n", "> q\n", "# H\n", "---\n", "<pre>\n"]
PIECES += ["\ufeff", "\n", "\r", "\r\n", "  ", "    ", "\t", "text", "\v", "\x85", "\u2028"]


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join), st.booleans())
def test_every_other_line_stays(text: str, due: bool) -> None:
    tasks = [DUE._replace(due=due), DUE._replace(file="b.md", due=due)]
    after = with_tasks(text, tasks)
    assert with_tasks(after, tasks) == after
    if not due:
        assert after == text
    start = next(
        (i for i, pair in enumerate(zip(text, after, strict=False)) if len({*pair}) > 1), len(text)
    )
    assert after.startswith(text[:start])
    assert after.endswith(text[start:])
