from __future__ import annotations

from learnings.consolidation.plan.plan import DROP, KEEP, MERGE, MOVE, Plan, PlanMember, PlanStep
from learnings.consolidation.plan.plan_text import with_decisions

A, B, C, D = (
    PlanMember(letter * 12, f"Entry {letter}", (f"1 {letter}.md#H",)) for letter in "abcd"
)
PLAN = Plan(
    "m.md",
    (
        PlanStep(MERGE, "Both", (A, B), ("they share: x",), "- draft", is_draft=True),
        PlanStep(KEEP, "", (C, D)),
    ),
    targets=("a.md (3 lines)",),
    is_unedited=True,
)


def decided(text: str) -> dict[str, tuple[str, str, str, bool]]:
    reading = with_decisions(PLAN, text.encode())
    assert reading.problems == ()
    assert (reading.plan.file, reading.plan.targets) == (PLAN.file, PLAN.targets)
    assert not reading.plan.is_unedited
    return {
        member.digest[0]: (step.action, step.subject, step.text, step.is_draft)
        for step in reading.plan.steps
        for member in step.members
    }


def test_only_the_entries_named_change_and_several_share_a_line() -> None:
    assert decided(f"- drop old `{A.digest}` `{C.digest}`\n") == {
        "a": (DROP, "old", "", False),
        "b": (MERGE, "Both", "- draft", True),
        "c": (DROP, "old", "", False),
        "d": (KEEP, "", "", False),
    }


def test_a_rank_is_that_of_the_plan() -> None:
    rows = decided(f"- move 1 `{C.digest}` `{D.digest}`\n")
    assert (rows["c"], rows["d"]) == ((MOVE, "c.md#H", "", False), (MOVE, "d.md#H", "", False))


def test_a_merge_of_the_plan_gets_its_text_and_more_entries() -> None:
    text = f"## merge both\n\n- `{D.digest}`\n\n```\n- written\n```\n"
    assert decided(text) == {
        **dict.fromkeys("abd", (MERGE, "Both", "- written", False)),
        "c": (KEEP, "", "", False),
    }
    assert decided("## merge Both\n\n```\n- written\n```\n")["a"][2] == "- written"


def test_texts_of_two_moves_to_one_place_stay_apart() -> None:
    line = "- move x.md `{}`\n  ```\n  {}\n  ```\n"
    rows = decided(line.format(C.digest, "one") + line.format(D.digest, "two"))
    assert (rows["c"][2], rows["d"][2]) == ("one", "two")


def test_names_and_notes_come_from_the_plan_with_those_added() -> None:
    text = f"- escalate why `{C.digest}`\n  > contradiction, escalate: x.md:3\n  > - entry: No.\n"
    (member,) = with_decisions(PLAN, text.encode()).plan.steps[-1].members
    assert (member.name, member.notes[0]) == (C.name, C.notes[0])
    assert member.notes[1:] == ("contradiction, escalate: x.md:3", "- entry: No.")


def test_mistakes_have_the_lines_of_the_decisions() -> None:
    cases = {
        "- drop old `ffffffffffff`\n": (1, "the plan has no entry `ffffffffffff`"),
        "\n## merge None\n\n```\n- x\n```\n": (2, "the plan has no `merge None`; name its entries"),
        f"- move 2 `{C.digest}`\n": (1, "no target 2 is listed below this entry"),
        f"## keep\nnothing\n- `{C.digest}`\n": (2, "this line is not part of a plan"),
    }
    for text, (line, message) in cases.items():
        (problem,) = with_decisions(PLAN, text.encode()).problems
        assert problem.line == line
        assert problem.message.startswith(message), text
