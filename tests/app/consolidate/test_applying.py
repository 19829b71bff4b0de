"""Applying any plan to any memory archives or keeps each original, and changes nothing else."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from learnings.app.consolidate.applying import Application, application_of
from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.consolidation.plan.plan import DROP, KEEP, MERGE, MOVE, Plan, PlanStep, member_of
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.consolidation.plan.plan_text import plan_text
from learnings.core.entries.archives import originals_in
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.layout import ENTRY
from learnings.core.entries.rewriting import original_of, with_entry
from learnings.core.text import decode
from learnings.store.safe_moves import write_move
from learnings.workspace.memory_file import named_memory
from learnings.workspace.workspace import Workspace
from tests.support.memories import Memory, memories

FILE, TARGET = "agents/learnings.md", "agents/decisions/all.md"
ARCHIVE = "agents/archive/learnings-consolidated-2026-05-01.md"
TARGETS = (
    b"# All\n\n## One\n\ntext\n\n### Inner\n\nmore\n\n---\n\n## Two\n\n- item\n",
    b"# All\r\n\r\n## One\r\n\r\ntext",
    b"## One\n## Two\n\n```\n## no heading\n```\n",
    b"## One",
)
TEXTS = (
    "- one line\n- and another",
    "#### Deeper\n\ntext",
    "Words.  \n\n```\n## code\n```",
    "一\u3000二",
    "One line for all, even of items.",
)
NOW = datetime(2026, 5, 1, 12, 0, 0)  # noqa: DTZ001  (wall time)
ACTIONS = st.sampled_from([MERGE, MERGE, MOVE, DROP, KEEP])


@st.composite
def plans(draw: st.DrawFn) -> tuple[Memory, bytes, list[tuple[str, str, str, list[int]]]]:
    """Generate a memory, a target, and steps: action, subject, text, the numbers of the entries."""
    memory = draw(memories(least=1))
    numbers = draw(st.permutations(range(8)))
    steps = []
    while numbers:
        count = draw(st.integers(1, 3))
        action = draw(ACTIONS)
        subject = draw(st.sampled_from([TARGET, f"{TARGET}#One"])) if action == MOVE else "Name"
        needs = action == MERGE or (action == MOVE and draw(st.booleans()))
        text = draw(st.sampled_from(TEXTS)) if needs else ""
        steps.append((action, subject, text, [*numbers[:count]]))
        numbers = numbers[count:]
    return memory, draw(st.sampled_from(TARGETS)), steps


def steps_of(
    document: Document, steps: Sequence[tuple[str, str, str, list[int]]]
) -> Iterator[PlanStep]:
    for number, (action, subject, text, members) in enumerate(steps):
        entries = [document.entries[n] for n in members if n < len(document.entries)]
        name = f"{subject} {number}" if action in (MERGE, DROP) else subject
        if action == KEEP:
            name = ""
        if entries:
            yield PlanStep(action, name, tuple(map(member_of, entries)), (), text)


def applied(plan: Plan, root: Path) -> Application:
    reading = read_plan(plan_text(plan, keep_days=14))
    assert reading.problems == ()
    memory = SourceFile(named_memory(reading.plan.file, Workspace.open(root)))
    application = application_of(reading.plan, memory, now=NOW, as_proposed=True)
    write_move(root, application.move)
    return application


@pytest.mark.slow
@settings(
    max_examples=40,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
@given(case=plans(), insert=st.sampled_from(["auto", "top", "bottom"]))
def test_no_original_is_lost_and_all_else_stays(
    case: tuple[Memory, bytes, list[tuple[str, str, str, list[int]]]], insert: str
) -> None:
    memory, target, steps = case
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "pyproject.toml").write_text(f'[tool.learnings]\ninsert = "{insert}"\n')
        for path, data in ((FILE, memory.data), (TARGET, target)):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        document = read(memory.data)
        plan = Plan(FILE, tuple(steps_of(document, steps)))
        _check(plan, document, root, target)


EDITS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from(["move", "copy", "drop"])),
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=40, phases=(Phase.explicit, Phase.generate))
@given(case=plans(), edits=EDITS)
def test_a_plan_edited_in_any_way_loses_nothing(
    case: tuple[Memory, bytes, list[tuple[str, str, str, list[int]]]],
    edits: list[tuple[int, int, str]],
) -> None:
    memory, target, steps = case
    document = read(memory.data)
    lines = plan_text(Plan(FILE, tuple(steps_of(document, steps))), keep_days=14).split(b"\n")
    for source, place, how in edits:
        line = lines[source % len(lines)] if how == "copy" else lines.pop(source % len(lines))
        if how != "drop":
            lines.insert(place % (len(lines) + 1), line)
    reading = read_plan(b"\n".join(lines))
    if reading.problems:
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, data in ((FILE, memory.data), (TARGET, target)):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        file = SourceFile(named_memory(reading.plan.file, Workspace.open(root)))
        application = application_of(reading.plan, file, now=NOW, as_proposed=True)
        if application.problems or not application.move.originals:
            return
        write_move(root, application.move)
        after = read((root / FILE).read_bytes()).read_as(document.dialect)
        left = Counter(map(_content, after.entries))
        left += Counter(_content_of(o.data) for o in originals_in((root / ARCHIVE).read_bytes()))
    assert Counter(map(_content, document.entries)) <= left


def _check(plan: Plan, document: Document, root: Path, target: bytes) -> None:
    by_member = {member_of(entry): entry for entry in document.entries}
    leaving = [by_member[m] for step in plan.steps if step.leaves for m in step.members]
    application = applied(plan, root)
    if any(not block.closed for block in document.outline.hiding_blocks) and application.problems:
        assert (root / FILE).read_bytes() == document.to_bytes()
        return
    assert application.problems == ()
    assert len(application.leaving) == len(leaving)
    source = (root / FILE).read_bytes()
    after = read(source).read_as(document.dialect)
    if not leaving:
        assert source == document.to_bytes()
        return
    archived = originals_in((root / ARCHIVE).read_bytes())
    assert Counter(o.data for o in archived) == Counter(map(original_of, leaving))
    merges = [step for step in plan.steps if step.action == MERGE]
    _check_entries(document, after, leaving, merges)
    assert _frame(after) == _frame(document)
    changed = (root / TARGET).read_bytes()
    assert _is_in_order(_lines(target), _lines(changed))
    for step in plan.steps:
        if step.action == MOVE and not step.text:
            for member in step.members:
                title = by_member[member].title
                assert title in decode(changed)
    files = {path: path.read_bytes() for path in root.rglob("*.md")}
    again = applied(plan, root)
    assert (again.move.changes, again.leaving, again.skips) == ([], [], ())
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == files
    for original in archived:
        source = with_entry(read(source).read_as(document.dialect), original.data)
    back = Counter(_content(e) for e in read(source).read_as(document.dialect).entries)
    assert Counter(map(_content, document.entries)) <= back


def _check_entries(
    before: Document, after: Document, leaving: Sequence[Entry], merges: Sequence[PlanStep]
) -> None:
    gone = {entry.first for entry in leaving}
    stay = [_content(entry) for entry in before.entries if entry.first not in gone]
    contents = [_content(entry) for entry in after.entries]
    assert [content for content in contents if content in stay] == stay
    assert len(contents) == len(stay) + len(merges)
    for step in merges:
        (entry,) = [e for e in after.entries if f"{step.subject} (consolidated)" in e.title]
        count = f"{len(step.members)} entr{'y' if len(step.members) == 1 else 'ies'}"
        assert f"**Consolidated from**: {count}" in entry.text
        assert _lines(step.text.encode()) == [
            line for line in _lines(entry.text.encode()) if line in _lines(step.text.encode())
        ]


def _content(entry: Entry) -> str:
    """Return the content of an entry; its separator may come or go with the next entry."""
    return _content_of(original_of(entry))


def _content_of(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n").rstrip().removesuffix("---").rstrip()


def _lines(data: bytes) -> list[str]:
    return [line.strip() for line in decode(data).splitlines() if line.strip()]


def _is_in_order(lines: Sequence[str], others: Sequence[str]) -> bool:
    remaining = iter(others)
    return all(line in remaining for line in lines)


def _frame(document: Document) -> list[str]:
    spans = [span for span in document.spans if span.kind != ENTRY]
    lines = (line for span in spans for line in document.lines[span.first - 1 : span.last])
    return [text for line in lines if (text := line.strip("\ufeff\r\n"))]
