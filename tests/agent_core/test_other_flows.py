"""The instructions that a handoff does not start, run with the commands they name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.agent_core.agent_files import PLUGIN
from tests.agent_core.prose import Prose
from tests.agent_core.walker import FILE, PLAN, Session
from tests.support.repository import GitRepository
from tests.support.tier_stores import raw_file

pytestmark = pytest.mark.slow

CONSOLIDATE = Prose(PLUGIN / "skills/consolidate/SKILL.md")
LIFECYCLE = Prose(PLUGIN / "skills/learning-lifecycle/SKILL.md")
CURATOR = Prose(PLUGIN / "agents/memory-curator.md")
RAW = ".specwright/learnings"
LESSONS = {
    "cache of tokens": "Never share the cache of tokens between two tenants",
    "lock of a job": "Claim the lock of a job with a condition on its worker",
}
OTHERS = ["ports", "colours", "invoices", "mail", "clocks", "fonts", "rounding", "sorting"]


def _entries() -> str:
    pairs = [
        f"\n## When a {subject} is {state}\n\n{lesson}, {state} or not.\n"
        for subject, lesson in LESSONS.items()
        for state in ("stale", "lost")
    ]
    single = [f"\n## About {topic}\n\nLook into {topic} first.\n" for topic in OTHERS]
    return "# Learnings\n" + "".join((*pairs, *single))


def test_one_group_is_merged_and_all_else_stays(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "memory")
    repository.write(FILE, _entries())
    repository.commit("Learn", date="2026-01-01")
    before = repository.read(FILE).decode()
    session = Session(repository)
    for step in ("Step 1: Parse", "Step 2: Group"):
        for command in CONSOLIDATE.commands(step):
            session.must(command)
    head, *sections = re.split(r"(?m)^(?=## )", repository.read(PLAN).decode())
    groups = [section for section in sections if section.startswith("## merge ")]
    [agreed] = [section for section in groups if "cache of tokens is stale" in section]
    assert len(groups) > 1
    merged = re.sub(r"\A.*", "## merge Caches", agreed)
    merged = re.sub(r"(?s)<!-- draft.*```", "- Never share caches of tokens.\n```", merged)
    repository.write(PLAN, head + merged)
    for step in ("Step 5: Apply", "Step 6: Rebuild the index"):
        for command in CONSOLIDATE.commands(step):
            session.must(command)
    after = repository.read(FILE).decode()
    (archive,) = (repository.path / "agents/archive").glob("*-consolidated-*.md")
    gone = re.findall(r"(?m)^- merge `\w+` (.*)$", agreed)
    assert all(f"{name}\n" in archive.read_text(encoding="utf-8") for name in gone)
    assert "## Caches (consolidated)" in after
    titles = re.findall(r"^## (.+)$", before, re.MULTILINE)
    assert [title for title in titles if f"## {title}\n" not in after] == gone
    undo = next(ran.out for ran in session.ran if ran.command.startswith("learnings apply tmp"))
    session.must(undo.partition("Undo: ")[2].splitlines()[0])
    assert repository.read(FILE).decode() == before


def test_raw_files_are_compacted_checked_and_promoted(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "memory")
    (status,) = LIFECYCLE.commands("Step 1: See what there is to do")
    (compact,) = LIFECYCLE.commands("Step 2: Compact")
    (check,) = LIFECYCLE.commands("Step 4: Check")
    (promote,) = LIFECYCLE.commands("Step 5: Promote, when asked to")
    session = Session(repository)
    commands = (status, compact, check, promote)
    assert [session.must(command).out for command in commands] == [""] * 4
    for number in range(3):
        finding = ("Freeze the clock in tests that expire", f"It failed on day {number}.")
        repository.write(f"{RAW}/WU-{number}.json", raw_file(f"WU-{number}", [finding]))
    repository.commit("Finish three units", date="2026-01-01")
    assert "new    freeze-clock-tests: 3 findings of 3 work units" in session.must(compact).out
    # In the next session nothing is due, and the draft is still one.
    assert session.must(compact).out == ""
    assert "1 draft to rewrite\n             freeze-clock-tests\n" in session.must(status).out
    theme = repository.read(f"{RAW}/themes/freeze-clock-tests.md").decode()
    draft = next(line for line in theme.splitlines() if line.startswith("<!-- draft: "))
    assert draft[:12] in "".join(LIFECYCLE.section("Step 3: Rewrite the drafts"))
    rewritten = theme.replace(f"{draft}\n", "").replace("It failed", "The test failed")
    repository.write(f"{RAW}/themes/freeze-clock-tests.md", rewritten)
    assert session.must(check).out == ""
    assert "## Freeze Clock" in session.must(promote).out
    repository.write(f"{RAW}/WU-1.json", '{"workId": "WU-1"}\n')
    assert "tiers-raw-changed" in session.run(check).out
    assert session.must(compact).out == ""


SOURCE = ".shaktra/stories/ST-1/.observations.yml"
OBSERVED = """\
observations:
  - id: OB-001
    type: discovery
    text: The carrier caps every page at 100 rows, always follow the next link.
    tags: [reliability, carrier]
"""
CURATOR_STEPS = ("Step 1: See whether the files are sound", "Step 3: Curate", "Step 5: Check")


def curated(session: Session) -> None:
    """Run the commands of the curator in the order of its text."""
    for step in CURATOR_STEPS:
        for command in CURATOR.commands(step):
            session.must(command.replace("SOURCE", SOURCE))


def test_the_curator_brings_a_story_into_the_memory(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "memory")
    repository.write(SOURCE, OBSERVED)
    repository.commit("Finish a story", date="2026-01-01")
    session = Session(repository)
    curated(session)
    memory = repository.read(".shaktra/memory/principles.yml")
    assert b"- id: PR-001\n" in memory
    assert b"confidence: 0.60\n" in memory
    handoff = repository.read(".shaktra/stories/ST-1/handoff.yml")
    assert handoff == b"memory_captured: true\n"
    files = [path for path in (tmp_path / "memory/.shaktra").rglob("*") if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    curated(session)
    assert {path: path.read_bytes() for path in files} == before
    repository.write(SOURCE, OBSERVED.replace("discovery", "invention"))
    (check,), (curate,) = (CURATOR.commands(step) for step in CURATOR_STEPS[:2])
    assert session.run(check).code == 1
    left_out = session.run(curate.replace("SOURCE", SOURCE))
    assert left_out.code == 1
    assert f"{SOURCE}:3: OB-001: type takes one of discovery, " in left_out.err
    text = CURATOR.path.read_text(encoding="utf-8")
    assert re.findall(r"python3 -c|\b0\.\d+|\(default", text) == []  # it computes nothing
