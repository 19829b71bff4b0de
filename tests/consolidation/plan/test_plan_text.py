from __future__ import annotations

import string

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.supersession import Order
from learnings.consolidation.groups.groups import propose
from learnings.consolidation.plan.plan import (
    ADD,
    DROP,
    ESCALATE,
    JOIN,
    KEEP,
    MERGE,
    MOVE,
    Plan,
    PlanMember,
    PlanStep,
)
from learnings.consolidation.plan.plan_reading import read_plan, with_decisions
from learnings.consolidation.plan.plan_text import plan_text
from learnings.consolidation.plan.proposed_plan import Facts, proposed_plan
from learnings.consolidation.plan.resolved_steps import resolve
from learnings.consolidation.routes import Route, TargetIndex
from learnings.consolidation.text.sections import target_of
from learnings.core.entries.document import read
from tests.consolidation.memory import memory, target
from tests.consolidation.test_properties import TEXT

LINE = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n") | st.sampled_from(" #:`>-"), max_size=30
).map(lambda text: " ".join(text.split()))
NAME = LINE.filter(bool)
DIGEST = st.text(string.hexdigits[:16], min_size=12, max_size=12)
NOTES = st.lists(NAME, max_size=3).map(tuple)
QUOTE = st.lists(LINE, max_size=3).map(tuple)
MEMBERS = st.lists(
    st.builds(PlanMember, DIGEST, LINE, NOTES, QUOTE, line=st.just(0)), min_size=1, max_size=4
).map(tuple)
BODY = st.lists(LINE | st.sampled_from(["```", "````", "~~~", "## keep", "> no note", "- item"]))
TEXTS = BODY.map(lambda lines: "\n".join(lines).strip("\n"))
# Tuples, since builds() would also fill the fields that have a default.
STEPS = st.one_of(
    st.tuples(st.sampled_from((MERGE, MOVE)), NAME, MEMBERS, NOTES, TEXTS, st.booleans()),
    st.tuples(st.sampled_from((ADD, JOIN)), NAME, MEMBERS, NOTES, TEXTS.filter(bool)),
    st.tuples(st.just(DROP), NAME, MEMBERS, NOTES),
    st.tuples(st.sampled_from((KEEP, ESCALATE)), LINE, MEMBERS),
).map(lambda values: PlanStep(*values))
PLANS = st.builds(
    Plan,
    st.text(string.ascii_letters + "-_./é", min_size=1),
    st.lists(STEPS, min_size=1, max_size=4, unique_by=lambda step: step.subject.casefold()).map(
        lambda steps: tuple(sorted(steps, key=has_no_section))  # as the file has them
    ),
    st.lists(NAME.filter(lambda line: line[:1] != "["), max_size=2).map(tuple),
    is_unedited=st.just(value=True),
).filter(lambda plan: not any(is_rank(step) for step in plan.steps))


def has_no_section(step: PlanStep) -> bool:
    is_below = len(step.members) == 1 and step.action in (MOVE, ADD) and not step.is_draft
    has_one = step.action in (MERGE, JOIN) or step.notes or (step.text and not is_below)
    return not (has_one or step.is_draft)


def is_rank(step: PlanStep) -> bool:
    """Whether a move to a file would be read as the rank of a target."""
    return step.action in (MOVE, ADD) and step.subject.isdecimal()


def without_lines(plan: Plan) -> Plan:
    """The plan as it is before it has lines in a file."""
    steps = tuple(
        step._replace(line=0, members=tuple(m._replace(line=0) for m in step.members))
        for step in plan.steps
    )
    return plan._replace(steps=steps)


def text_of(plan: Plan) -> bytes:
    return plan_text(plan, keep_days=14)


@pytest.mark.slow
@given(PLANS)
@example(
    Plan(
        "m.md",
        (PlanStep(MERGE, ": a #", (PlanMember("0" * 12, ""),), (), "```\n## keep"),),
        is_unedited=True,
    )
)
def test_a_plan_is_read_as_it_was_written(plan: Plan) -> None:
    reading = read_plan(text_of(plan))
    assert (without_lines(reading.plan), reading.problems) == (plan, ())
    fenced = any(step.text for step in plan.steps)
    lines = text_of(plan).split(b"\n")
    other = b"\r\n".join(line if fenced else line + b"  " for line in lines)
    assert without_lines(read_plan(b"\xef\xbb\xbf" + other).plan) == plan


@settings(max_examples=20)
@given(TEXT, st.lists(TEXT, max_size=2))
@example("cache \r key", [])
def test_a_proposed_plan_is_read_again_whatever_the_memory_holds(
    memory: str, texts: list[str]
) -> None:
    source = f"# L\n\n## one\n\n{memory}\n\n## two\n\n{memory}\n\n## one\n\n~~Superseded~~\n"
    entries = read(source.encode("utf-8", "replace")).entries
    assume(entries)
    targets = [
        target_of(f"{number}.md", text.encode("utf-8", "replace"))
        for number, text in enumerate(texts)
    ]
    index = TargetIndex(targets, 400)
    facts = Facts(
        propose(entries),
        prechecks(entries, targets, Order(entries, {})),
        [Route(index, entry) for entry in entries],
        targets=targets,
        destinations=targets,
    )
    plan = proposed_plan("m.md", entries, facts)
    reading = read_plan(text_of(plan))
    assert reading.problems == ()
    assert decisions(reading.plan) == decisions(plan)
    assert reading.plan.is_unedited
    steps, problems = resolve(reading.plan, entries, ())
    assert problems == ()
    named = [entry for step in steps for entry in step.entries]
    assert sorted(named, key=lambda entry: entry.first) == list(entries)


def decisions(plan: Plan) -> dict[str, tuple[str, str]]:
    return {m.digest: (step.action, step.subject) for step in plan.steps for m in step.members}


def test_the_likely_section_stands_below_an_entry() -> None:
    said = "The cache returned the rows of another tenant."
    entries = memory(("Stale cache", said), ("Slow build", f"A penguin waits. {said}")).entries
    words = "The rows of another tenant returned with the cache."
    tenants = target(("Tenants", words), *(("Other", f"Word {n} of it.") for n in range(9)))
    index = TargetIndex([tenants], 400)
    facts = Facts(routes=[Route(index, entry) for entry in entries], targets=[tenants])
    plan = proposed_plan("m.md", entries, facts)
    first, second = plan.steps[0].members
    assert first.notes == (f"“{said}”", f"1 {tenants.path}#Tenants", f"“{words}”")
    assert second.notes[0] == f"“A penguin waits. {said}”"
    assert (first.quote, second.quote) == ((), ())
    named = proposed_plan("m.md", entries, facts, whole=True)
    assert named.steps[0].members[0].quote == (said,)


ALPHABET = " ".join(string.ascii_lowercase)


@pytest.mark.parametrize(
    ("entry", "notes"),
    [
        (
            "## Decision 12\n\n**Context**: A customer.\n\n**Decision**: Ask twice.\n",
            ("“Ask twice.”",),
        ),
        ("- Ask twice.\n", ()),
        (f"- {ALPHABET} {ALPHABET.upper()}\n", (f"“… {ALPHABET.upper()[26:]}”",)),
        ("- **Carrier:** Ask twice.\n", ()),
        (
            "## Dots\n\nWas: Query.\n\nNow: The `.` prefix asks.\n",
            ("“Now: The `.` prefix asks.”",),
        ),
        (
            "## Old\n\n> **Note**: Gone since 2.0.\n\n**Context**: X.\n\n**Lesson**: Ask twice.\n",
            ("“**Note**: Gone since 2.0. Ask twice.”",),
        ),
        ("## Two\n\nAsk twice:\n\n```\nask\n```\n", ("“Ask twice: …”",)),
        (f"## Long\n\n{'word ' * 41}\n", (f"“{'word ' * 40}…”",)),
    ],
)
def test_what_an_entry_says_to_do_stands_below_its_name(entry: str, notes: tuple[str, ...]) -> None:
    entries = read(f"# Learnings\n\n{entry}".encode()).entries
    (member,) = proposed_plan("m.md", entries, Facts()).steps[0].members
    assert member.notes == notes


def test_what_a_file_lacks_that_takes_no_text_is_added_nowhere() -> None:
    body = "The cache returned the rows of another tenant for an hour."
    entries = memory(("Stale cache", f"{body} Ask the carrier about penguins.")).entries
    targets = [target(("Stale cache", body), path="CLAUDE.md")]
    checks = prechecks(entries, targets, Order(entries, {}))
    assert [check.action for check in checks] == ["add"]
    for places, action in ((targets, ADD), ([], KEEP)):
        facts = Facts(prechecks=checks, targets=targets, destinations=places)
        plan = proposed_plan("m.md", entries, facts)
        (step,) = plan.steps
        assert step.action == action
        finding = "covered" if action == ADD else "covered, add: CLAUDE.md#Stale cache"
        assert finding in step.members[0].notes


A, B, C, D = (
    PlanMember(letter * 12, f"Entry {letter}", (f"1 {letter}.md#H",)) for letter in "abcd"
)
PLAN = Plan(
    "m.md",
    (
        PlanStep(MERGE, "Both", (A, B), ("they share: x",), "- draft", is_draft=True),
        PlanStep(KEEP, "", (C, D)),
    ),
    is_unedited=True,
)


def decided(text: str) -> dict[str, tuple[str, str, str, bool]]:
    reading = with_decisions(PLAN, text.encode())
    assert reading.problems == ()
    assert reading.plan.file == PLAN.file
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
    rows = decided(f"- move 1 `{C.digest}` `{D.digest}`\n  > contradiction: e.md\n")
    assert (rows["c"], rows["d"]) == ((MOVE, "c.md#H", "", False), (MOVE, "d.md#H", "", False))


def test_groups_without_a_name_keep_their_entries() -> None:
    groups = tuple(PlanStep(MERGE, "NAME", (member,)) for member in (A, B))
    plan = Plan("m.md", (*groups, PlanStep(MOVE, "c.md", (C,))))
    steps = with_decisions(plan, f"- keep `{C.digest}`\n".encode()).plan.steps
    assert [step.members for step in steps] == [(A,), (B,), (C._replace(line=1),)]


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
    digests = f"`{C.digest}` `{D.digest}`"
    text = f"- escalate why {digests}\n  > contradiction, escalate: x.md:3\n  > - entry: No.\n"
    for member, known in zip(
        with_decisions(PLAN, text.encode()).plan.steps[-1].members, (C, D), strict=True
    ):
        assert (member.name, member.notes[0]) == (known.name, known.notes[0])
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
