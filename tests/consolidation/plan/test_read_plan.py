from __future__ import annotations

import pytest

from learnings.consolidation.plan.plan import ADD, DROP, JOIN, KEEP, MERGE, MOVE, PlanProblem
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.consolidation.plan.resolved_steps import resolve
from learnings.core.entries.document import Entry, digest_of, read
from tests.support.guard import ROOT

MEMORY = read(
    b"# L\n\n## Cache key\n\nTenant.\n\n## Cache time\n\nTen seconds.\n\n## Cache time\n\nTwenty.\n"
)
KEY, TIME, SECOND = (f"- `{digest_of(e)}` {e.title}" for e in MEMORY.entries)
HEAD = "# Plan\n\nFile: m.md\n\n"  # four lines
MERGED = "\n```\ntext\n```\n"

# What stands below the head; the line of the first problem, and words of its message.
MISTAKES = {
    f"## Join Caching\n\n{KEY}\n": (5, '"Join Caching" is not a step; write `## merge NAME`'),
    f"## mege Caching\n\n{KEY}\n": (5, "did you mean merge?"),
    f"## Moved to: t.md#A b\n\n{KEY}\n": (5, "is not a step; did you mean move?"),
    f"## keep\n\n1. {KEY[2:]}\n": (7, f"must begin with a dash and a blank; write {KEY}"),
    f"### keep\n\n{KEY}\n": (5, "heading of level 2"),
    f"## merge\n\n{KEY}\n{MERGED}": (5, "`merge` is incomplete; write `## merge NAME`"),
    f"## move to\n\n{KEY}\n": (5, "write `## move to FILE#HEADING`"),
    f"## drop\n\n{KEY}\n": (5, "write `## drop REASON`"),
    f"## merge Caching\n{MERGED}": (5, "names no entry"),
    f"## drop old\n\n{KEY}\n{MERGED}": (9, "takes no text"),
    f"## merge Caching\n\n{KEY}\n\n```\ntext\n": (9, "add a line ``` below it"),
    f"## merge Caching\n\n{KEY}\n{MERGED}{MERGED}": (13, "two texts"),
    f"## merge Caching\n\n{KEY}\n\nSome text.\n": (
        9,
        "this line is not part of a plan; begin it with > to make it a note",
    ),
    f"## merge Caching\n\n{KEY}\n\n```\na\n```\nb\n```\nc\n```\n": (12, "longer ones"),
    f"## merge Caching\n\n{KEY}\n\n## Details\n": (9, "a text goes between ``` lines"),
    "": (5, "the plan has no step"),
    f"## Entries\n\n- kept {KEY[2:]}\n": (7, '"kept" is not a decision; did you mean keep?'),
    f"## Entries\n\n{KEY}\n": (7, "has no decision for the entry"),
    "## Entries\n\n- keep Cache key\n": (7, "names no entry; put its digest"),
    f"## Entries\n\n- drop {KEY[2:]}\n": (7, "`drop` is incomplete; write `drop REASON`"),
    f"## Entries\n\n- move {KEY[2:]}\n": (7, "write `move FILE#HEADING`"),
    f"## Entries\n\n- move 4 {KEY[2:]}\n  > 1 t.md#A\n": (7, "no target 4 is listed below"),
    f"## Entries\n\n- keep {KEY[2:]}\n{MERGED}": (9, "this text belongs to no step"),
    f"## Entries\n\n- keep {KEY[2:]}\n  ```\n  text\n  ```\n": (8, "`keep` takes no text"),
    f"## Entries\n\n- merge A {KEY[2:]}\n  ```\n  b\n  ```\n": (8, "under `## merge A`"),
    f"## Entries\n\n- keep {KEY[2:]}\n\n## merge A\n{MERGED}": (9, "names no entry"),
}
# Lines of a step, and what is wrong with the entries that they name.
WRONG_ENTRIES = {
    "- `000000000000` Cache keys": (7, f"if you meant the nearest, write {KEY[2:]}"),
    "- `000000000000` Something else": (7, 'no entry "Something else" in m.md; remove the line'),
    "- `000000000000` Cache key": (
        7,
        f"changed since the plan was made; read it again, then write {KEY[2:]}",
    ),
    "- Cache key": (7, f"has no digest; write {KEY[2:]}"),
    f"{KEY}\n{KEY}": (8, '"Cache key" is also on line 7'),
    f"{KEY}\n\n## keep\n\n{KEY}": (11, '"Cache key" is also on line 7'),
}


def problems_of(text: str) -> tuple[PlanProblem, ...]:
    reading = read_plan((HEAD + text).encode())
    return reading.problems or resolve(reading.plan, MEMORY.entries, ())[1]


def test_each_mistake_is_named_with_its_line_and_what_to_write() -> None:
    cases = MISTAKES | {
        f"## drop old\n\n{lines}\n": known for lines, known in WRONG_ENTRIES.items()
    }
    wrong = {}
    for text, (line, words) in cases.items():
        problems = problems_of(text)
        if not problems or problems[0].line != line or words not in problems[0].message:
            wrong[text] = problems
    assert wrong == {}


def test_all_mistakes_are_named_at_once_in_the_order_of_the_lines() -> None:
    text = f"## join\n\n{KEY}\n\n## drop\n\n- one\n\n## merge A\n\nb\n"
    assert [problem.line for problem in problems_of(text)] == [5, 9, 13, 15]


def test_a_plan_without_its_file_is_named() -> None:
    reading = read_plan(f"# Plan\n\n## drop old\n\n{KEY}\n".encode())
    assert [problem.line for problem in reading.problems] == [1]
    assert "File: PATH" in reading.problems[0].message


def test_what_people_write_without_thinking_is_understood() -> None:
    text = (
        f"**File**: `m.md`\n\n## Merge: Caching  \n* [ ] {KEY[2:]}   \n  + {SECOND[2:]} #2\n"
        "<!-- mine -->\n> why\n~~~~text\n```sh\nls\n```\n~~~~\n"
        f"## MOVE  TO docs/a b.md#C # D\n{TIME.replace('Cache time', 'CACHE   time')}\n"
    )
    reading = read_plan(text.encode())
    assert reading.problems == ()
    assert reading.plan.file == "m.md"
    merge, move = reading.plan.steps
    assert (merge.action, merge.subject, merge.text) == (MERGE, "Caching", "```sh\nls\n```")
    assert (move.action, move.subject) == (MOVE, "docs/a b.md#C # D")
    steps, problems = resolve(reading.plan, MEMORY.entries, ())
    assert problems == ()
    assert _entries(steps[0].entries) == ["cache key", "cache time #2"]
    assert _entries(steps[1].entries) == ["cache time"]


def _entries(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.identity for entry in entries]


WORKSHEET = f"""\
## merge Caching

> they share: cache

- merge {TIME[2:]}
  > redundancy, look: t.md:3 A
  > - evidence
  > 1 t.md#A
  > “2 words of it”
  >
  > Ten seconds.
  > - drop false `{"0" * 12}` Quoted

```markdown
text
```

## Entries

- move 2 `{digest_of(MEMORY.entries[0])}` any other words
  > 1 t.md#A
  > 2 t.md#B > C
- Merge caching `{digest_of(MEMORY.entries[2])}`
"""


def test_a_worksheet_has_a_decision_on_each_line() -> None:
    reading = read_plan((HEAD + WORKSHEET).encode())
    assert reading.problems == ()
    merge, move = reading.plan.steps
    assert (merge.action, merge.subject, merge.text) == (MERGE, "Caching", "text")
    assert (move.action, move.subject) == (MOVE, "t.md#B > C")
    assert merge.members[0].notes[0] == "redundancy, look: t.md:3 A"
    assert merge.members[0].quote[0] == "Ten seconds."
    steps, problems = resolve(reading.plan, MEMORY.entries, ())
    assert problems == ()
    entries = [_entries(step.entries) for step in steps]
    assert entries == [["cache time", "cache time #2"], ["cache key"]]


def test_a_verb_on_the_line_counts_more_than_the_heading_above() -> None:
    text = f"## drop false\n\n- drop {KEY[2:]}\n- keep {TIME[2:]}\n{SECOND}\n"
    steps = read_plan((HEAD + text).encode()).plan.steps
    assert [(step.action, step.subject, len(step.members)) for step in steps] == [
        (DROP, "false", 2),
        (KEEP, "", 1),
    ]


def test_a_merge_whose_entries_are_all_decided_otherwise_is_gone() -> None:
    marker = "<!-- draft: edit the lines below, then remove this line -->"
    text = f"## merge A\n\n- keep {KEY[2:]}\n- drop old {TIME[2:]}\n\n```\n{marker}\nb\n```\n"
    reading = read_plan((HEAD + text).encode())
    assert reading.problems == ()
    assert [step.action for step in reading.plan.steps] == [KEEP, DROP]


def test_the_new_text_of_one_entry_stands_below_its_line() -> None:
    text = (
        f"## Entries\n\n- move t.md {KEY[2:]}\n  ```md\n  New\n    text\n  ```\n- keep {TIME[2:]}\n"
    )
    reading = read_plan((HEAD + text).encode())
    assert reading.problems == ()
    assert [step.text for step in reading.plan.steps] == ["New\n  text", ""]


def test_one_text_replaces_all_entries_of_its_line() -> None:
    digests = " ".join(f"`{line.split('`')[1]}`" for line in (KEY, TIME))
    text = f"- move t.md#A {digests}\n  ```\n  Both.\n  ```\n- move t.md#A {SECOND[2:]}\n"
    reading = read_plan(f"{HEAD}## Entries\n\n{text}".encode())
    assert reading.problems == ()
    both, one = reading.plan.steps
    assert (both.text, len(both.members), one.text, len(one.members)) == ("Both.", 2, "", 1)


def test_entries_are_found_when_the_heading_above_them_was_removed() -> None:
    reading = read_plan(f"{HEAD}- keep: it stays\n\n- keep {KEY[2:]}\n  > note\n".encode())
    assert reading.problems == ()
    assert [(step.action, len(step.members)) for step in reading.plan.steps] == [(KEEP, 1)]


@pytest.mark.parametrize("indent", ["", "  "])
def test_a_contradiction_is_a_note_wherever_it_stands_below_its_entry(indent: str) -> None:
    noted = ["Contradiction: agents/decisions/cache.md:3", "- entry: yes", "- target: no"]
    added = "".join(f"{indent}> {line}\n" for line in noted)
    for lines in (f"{KEY}\n{added}", f"{KEY}\n  > 3 days\n  >\n  > The text.\n{added}"):
        for text in (f"## keep\n\n{lines}", f"## entries\n\n- keep {lines[2:]}"):
            member, *_ = read_plan((HEAD + text).encode()).plan.steps[0].members
            assert member.notes[-3:] == tuple(noted)


def test_a_draft_is_unedited_until_its_marker_is_gone() -> None:
    marker = "<!-- draft: edit the lines below, then remove this line -->"
    cases = {
        f"```\n{marker}\ntext\n```": (True, "text"),
        f"{marker}\n```\ntext\n```": (True, "text"),
        "```\n<!-- Draft! -->\ntext\n```": (True, "text"),
        "```\ntext\n```": (False, "text"),
        f"```\ntext\n{marker}\n```": (False, f"text\n{marker}"),
    }
    wrong = {}
    for text, known in cases.items():
        step = read_plan(f"{HEAD}## merge A\n\n{KEY}\n\n{text}\n".encode()).plan.steps[0]
        if (step.is_draft, step.text) != known:
            wrong[text] = step
    assert wrong == {}


def test_what_left_before_is_done_and_a_merge_of_some_of_it_is_refused() -> None:
    text = f"## {{}}\n\n{KEY}\n- `123456789abc` Gone\n\n```\ntext\n```\n"
    for action, problems in {"move to a.md": 0, "merge A": 1}.items():
        plan = read_plan((HEAD + text.format(action)).encode()).plan
        steps, found = resolve(plan, MEMORY.entries, {"123456789abc"})
        assert len(found) == problems
        assert [member.name for member in steps[0].done] == ["Gone"]


def test_an_entry_to_join_may_be_named_by_its_digest() -> None:
    digest = "0123456789ab"
    rows = f"- merge into `{digest}` {KEY.removeprefix('- ')}\n"
    text = f"## merge into {digest}\n\n```\n- One.\n```\n"
    for lines in (rows, rows.replace(" Cache key", "")):
        (step,) = read_plan((HEAD + f"## entries\n\n{lines}\n{text}").encode()).plan.steps
        assert (step.action, step.subject, step.text) == (JOIN, digest, "- One.")
        assert [member.digest for member in step.members] == [KEY.split("`")[1]]


def test_a_kept_entry_may_have_changed() -> None:
    assert problems_of("## keep\n\n- `000000000000` Cache key\n") == ()
    assert problems_of("## keep\n\n- `000000000000` Cash\n") != ()


def test_the_plan_that_is_documented_is_one() -> None:
    page = (ROOT / "docs" / "consolidation.md").read_text(encoding="utf-8")
    shown = page.partition("````markdown\n")[2].partition("````\n")[0]
    reading = read_plan(f"File: m.md\n\n{shown}".encode())
    assert reading.problems == ()
    actions = [step.action for step in reading.plan.steps]
    assert actions == [MERGE, MOVE, DROP, ADD, KEEP]
