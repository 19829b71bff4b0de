"""The body of the consolidation issue: complete, of bounded length, and inert."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from learnings.app.consolidate.inputs import TargetRoom
from learnings.app.consolidate.suggestions import Suggestions
from learnings.consolidation.checks.precheck import Against, Precheck
from learnings.consolidation.text.sections import TargetSection
from learnings.core.due.verdicts import Verdict
from learnings.core.settings.setting_values import FULL, TITLES, FileSettings, IssueSettings
from learnings.core.text import encode, printable
from learnings.forms.verdict_words import shell_word
from learnings.surfaces.render.issue_body import IssueTask, closing_comment, content, footer
from tests.support.frameworks import ORIGIN
from tests.surfaces.verdicts import FILE, HEAD, verdict

ROOM = 65_536
ENTRIES = [(f"When {number}", f"Text of {number}.") for number in range(1, 9)]
MOMENT, RUN = "2026-02-01 09:00 UTC", "https://github.example/ada/parcels/actions/runs/7"
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False, "html": True})
PARTS = ["@team", "fixes #1", "ada/parcels#2", "GH-3", "<img src=x onerror=y>", "![i](http://x/i)"]
PARTS += ["[l](http://x)", "https://x.example", "```", "````", "~~~", "<!-- learnings:end -->"]
PARTS += ["<!-- learnings:consolidation {} -->", "-->", "</details>", "\u202e", "\u2066", "| a |"]
PARTS += ["$`x`$", "[^1]: note", "[l]: http://x", "\\", "`", "``", "&lt;", "text", " ", "\t", "\r"]
LINE = st.lists(st.sampled_from(PARTS) | st.text(max_size=5), max_size=5).map(" ".join)
BODY = st.lists(LINE, max_size=6).map("\n".join)


def issue_task(
    sample: Verdict,
    targets: tuple[TargetRoom, ...] = (),
    suggestions: Suggestions = Suggestions(),  # noqa: B008  (immutable)
    mention: str | None = None,
    *,
    titles_only: bool = False,
) -> IssueTask:
    own = IssueSettings(mention=mention, body=TITLES if titles_only else FULL)
    return IssueTask(sample, targets, suggestions, own)


def section(path: str, title: str) -> TargetSection:
    return TargetSection(path, title, (), 1, 1, ())


def skeleton(markdown: str) -> list[str]:
    """Return the active Markdown, without code."""
    parts = []
    for token in MARKDOWN.parse(markdown):
        for part in token.children or [token]:
            code = part.type in ("code_inline", "fence")
            parts.append(f"{part.type} {part.tag} {'' if code else part.content}{part.attrs}")
    return parts


def task(body: str = "text", title: str = "When", **more: object) -> IssueTask:
    entries = [("When first", body), (f"When {title}", "text"), ("When third", "text")]
    sample = verdict(entries)
    return issue_task(sample, **more)  # type: ignore[arg-type]


def test_it_is_a_complete_task() -> None:
    sample = verdict(ENTRIES, active_days=21)
    groups = Suggestions(groups=(sample.report.document.entries[:2],))
    targets = (TargetRoom("agents/decisions/cli.md", 390, 400), TargetRoom("CLAUDE.md", 410, 400))
    text = content(issue_task(sample, targets, groups, mention="cc @ada"), ROOM)
    assert text.startswith(f"Consolidation of `{FILE}` is due: 20 active days since the oldest")
    assert "\n\ncc @ada\n\n" in text
    assert "| size | 34 lines | 150 | no |" in text
    assert (
        "| staleness | 20 active days since the oldest entry (never consolidated) | 14 | yes |"
        in text
    )
    assert "## The batch\n\n5 entries, oldest first." in text
    assert re.findall(r"^### (\d)\. `(.*)`$", text, re.MULTILINE) == [
        (str(number), f"When {number}") for number in range(1, 6)
    ]
    assert "20 active days, added 2026-01-01, line 3\n\n```markdown\nText of 1.\n```" in text
    assert "## Entries that overlap\n\n- `When 1`, `When 2`\n" in text
    assert "| `agents/decisions/cli.md` | 390 | 400 | 10 |" in text
    assert "| `CLAUDE.md` | 410 | 400 | 0 |" in text
    plan = "tmp/consolidation-plan.md"
    commands = [f"plan {FILE} --output {plan} ", f"apply {plan} --stage ", "verify --base HEAD "]
    assert sorted(text.index(f"\nlearnings {command}") for command in commands) == [
        text.index(f"\nlearnings {command}") for command in commands
    ]
    assert f"every entry below has left `{FILE}`" in text
    assert "`learnings verify --base HEAD` exits with 0" in text
    assert f"not installed: `pipx install {ORIGIN.requirement()}`" in text


def test_findings_have_their_evidence_and_superseded_entries_are_marked() -> None:
    evidence = ("line 14 marks it as superseded", "line 9: `no longer` @ada")
    sample = verdict([("When 1", "~~Superseded~~"), *ENTRIES[1:]])
    older, newer, third, *_ = sample.report.document.entries
    section = Against(None, "a.md", "Builds", 3)
    findings = (
        Precheck("supersession", "drop", older, Against(newer, line=7), 1.0, evidence),
        Precheck("redundancy", "escalate", third, section, 0.2, ()),
    )
    suggestions = Suggestions(findings)
    row = "- to drop (supersession): `When 1` (superseded); newer: `When 2`\n"
    below = "  - `line 14 marks it as superseded`\n  - ``line 9: `no longer` @ada``"
    text = content(issue_task(sample, suggestions=suggestions), ROOM)
    assert f"## To settle first\n\n{row}{below}\n" in text
    assert "- to decide (redundancy): `When 3`; against: `a.md:3 Builds`\n" in text
    titles = content(issue_task(sample, suggestions=suggestions, titles_only=True), ROOM)
    assert row in titles
    assert "line 14" not in titles


def test_the_footer_names_commit_time_and_run() -> None:
    assert footer(HEAD, MOMENT, RUN) == (
        "---\nWritten at 2026-02-01 09:00 UTC for commit `aaaaaaaaaaaa`, "
        "[run](https://github.example/ada/parcels/actions/runs/7)."
    )
    assert "run" not in footer(HEAD, MOMENT, None)


def test_where_an_entry_may_go_stands_below_it() -> None:
    sections = section("a.md", "Builds"), section("b.md", "")
    suggestions = Suggestions(destinations={"when 1": sections, "when 2": ()})
    text = content(issue_task(verdict(ENTRIES), suggestions=suggestions), ROOM)
    assert "Text of 1.\n```\n\nCould go to `a.md`, section `Builds` or `b.md`\n\n### 2." in text
    assert "Text of 2.\n```\n\n### 3." in text
    titles = content(issue_task(verdict(ENTRIES), suggestions=suggestions, titles_only=True), ROOM)
    assert "1. `When 1`: 19 active days" in titles
    assert "line 3; could go to `a.md`, section `Builds` or `b.md`\n\n2." in titles
    assert "Text of" not in titles


def test_a_path_is_quoted_where_it_is_a_word_of_a_command() -> None:
    sample = verdict(ENTRIES, file="my notes/$(x) `y`.md", shallow=True, notes=("grafts (@x)",))
    text = content(issue_task(sample), ROOM)
    assert "learnings plan 'my notes/$(x) `y`.md'" in text
    assert "Note: `grafts (@x)`" in text
    assert "≥ 19 active days" in text


def test_four_hundred_entries_fit_by_leaving_whole_ones_out() -> None:
    entries = [(f"When {n}", f"Text of {n} 🦉. " * 20) for n in range(400)]
    sample = verdict(entries)
    text = content(issue_task(sample), ROOM)
    shown = [int(n) for n in re.findall(r"^### (\d+)\.", text, re.MULTILINE)]
    missing = re.search(r"\*\*(\d+) more entries are not shown\*\*", text)
    assert ROOM - 2_500 < len(text.encode("utf-16-le")) // 2 <= ROOM
    assert missing
    assert len(shown) + int(missing[1]) == len(sample.batch) == 397
    assert shown == list(range(1, len(shown) + 1))
    assert all(f"{entries[n - 1][1]}\n```" in text for n in shown)
    assert "## Done when" in text


@pytest.mark.parametrize("room", [0, 3_300])
def test_with_little_room_the_rest_of_the_task_is_there(room: int) -> None:
    sample = verdict([(f"When {n}", "x" * 900) for n in range(9)])
    text = content(issue_task(sample), room)
    assert "more entries are not shown" in text
    assert "## What to do" in text
    one = content(issue_task(verdict([("a", "x"), ("b", "x"), ("c", "x" * 70_000)])), ROOM)
    assert "**1 more entry is not shown**" in one


def test_very_long_texts_in_lists_leave_the_task_within_its_bound() -> None:
    long = [(f"{n}{'x' * 2_000}", "") for n in range(10, 40)]
    groups = Suggestions(groups=tuple((entry,) for entry in verdict(long).report.document.entries))
    targets = tuple(TargetRoom(f"docs/{'x' * 900}/{n}.md", n, 400) for n in range(40))
    text = content(issue_task(verdict(ENTRIES), targets, groups), ROOM)
    assert len(text) <= ROOM
    assert "## Entries that overlap\n\n- `10xx" in text
    assert "- 20 more" in text
    short = tuple(TargetRoom(f"docs/{n}.md", n, 400) for n in range(41))
    entries = verdict([(f"Number {n}", "") for n in range(41)]).report.document.entries
    many = Suggestions(groups=tuple((entry,) for entry in entries))
    text = content(issue_task(verdict(ENTRIES), short, many), ROOM)
    assert "1 more target file" in text
    assert text.count("| `docs/") == 40
    assert "- `Number 39`\n- 1 more" in text
    text = content(issue_task(verdict(ENTRIES), targets, groups), 9_000)
    assert len(text) <= 9_000
    assert "40 more target files" in text
    assert "## Entries that overlap\n\n- 30 more" in text


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(body=BODY, title=LINE)
def test_what_entries_say_does_nothing(body: str, title: str) -> None:
    calm = task()
    hostile = issue_task(_with_text(body, title))
    shown = content(hostile, ROOM)
    assert skeleton(shown) == skeleton(content(calm, ROOM))
    assert not {"\u202e", "\u2066", "\r", "\0"} & set(shown)


def _with_text(body: str, title: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Return the calm verdict with other words in its first entry: anything a file can hold."""
    sample = task().verdict
    first = sample.batch[0]
    lines = (f"## {title}\n", "\n", *(f"{line}\n" for line in body.split("\n")), "text\n")
    entry = first.entry._replace(title=f"x{title}", lines=lines)
    return sample._replace(batch=(first._replace(entry=entry), *sample.batch[1:]))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(words=LINE)
def test_what_sections_paths_and_notes_say_does_nothing(words: str) -> None:
    def body_with(text: str) -> str:
        sample = verdict(ENTRIES, file=text, notes=(text,))
        entry = sample.batch[0].entry._replace(title=text)
        against = Against(None, text, text, 1)
        suggestions = Suggestions(
            (Precheck("redundancy", "drop", entry, against, 1.0, (text,)),),
            ((entry,),),
            {"when 1": (section(text, text),)},
        )
        return content(issue_task(sample, (TargetRoom(text, 1, 2),), suggestions), ROOM)

    assert skeleton(body_with(f"x{words}")) == skeleton(body_with("x"))


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        (verdict(ENTRIES, consolidated=2), "no trigger holds: 34 lines (threshold 150), 2 active"),
        (
            verdict(ENTRIES[:2], settings=FileSettings(soft_limit=0, starved_escalates_after=99)),
            "too few entries are old enough: 10 lines",
        ),
        (
            verdict(ENTRIES, active_days=3, settings=FileSettings(size_trigger=20)),
            "no entry is old enough: 34 lines",
        ),
        (verdict([], settings=FileSettings(size_trigger=1)), "the file has no entries: 2 lines"),
        (verdict(ENTRIES, settings=FileSettings(due=False)), "`due = false` turns off the verdict"),
    ],
)
def test_the_comment_says_why_it_is_not_due_any_more(sample, said: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    text = closing_comment(sample)
    assert text.startswith("No longer due: ")
    assert said in text
    assert text.endswith("at commit `aaaaaaaaaaaa`.")


@pytest.mark.skipif(os.name == "nt", reason="bash of Windows takes paths for its own")
@pytest.mark.parametrize("path", ["a.md", "a b's.md", "a\n'\x1b\\\u202e\udc9bé.md"])
def test_a_shell_takes_the_path_in_a_command_for_one_word(path: str) -> None:
    word = shell_word(path)
    assert printable(word) == word
    run = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True)
    assert run.stdout == encode(path)
