"""Each flow of the instructions, run on a real repository with the commands they name."""

from __future__ import annotations

import re
import shutil
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED
from tests.agent_core.agent_files import PLUGIN
from tests.agent_core.prose import REPORT_SECTIONS, Prose
from tests.agent_core.walker import (
    DECISIONS,
    FILE,
    HANDOFF,
    PLAN,
    REFACTOR,
    REPORT,
    SKIPPED,
    TASK,
    Session,
    handoff,
    remember_task,
    remove_false,
)
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.tier_stores import raw_file

pytestmark = pytest.mark.slow

CLI, SERVICES = "agents/decisions/cli.md", "agents/decisions/services.md"
TOPICS = ["caches", "queues", "retries", "locks", "clocks"]
NEWER = ["ports", "shards", "quotas"]
STARVING = "size-trigger = 5\noversize = 100\nstarved-escalates-after = 100\n"
SETTINGS = "size-trigger = 20\nsoft-limit = 1000\n"


def entry(title: str, text: str = "") -> str:
    topic = title.rpartition(" ")[2]
    return (
        f"\n## {title}\n\n{text or f'Look at the {topic} first, and write down {topic} limits.'}\n"
    )


def title_of(topic: str) -> str:
    return f"When dealing with {topic}"


def memory(
    path: Path, *, old: list[str] | None = None, settings: str = SETTINGS, days: int = 10
) -> GitRepository:
    """Return a repository with old entries and three newer, staying ones; each day has a commit."""
    repository = GitRepository(path)
    entries = [entry(title_of(topic)) for topic in TOPICS] if old is None else old
    text = "# Learnings\n" + "".join(entries)
    repository.write("learnings.toml", settings)
    repository.write(CLI, "# Command line\n\n## Exit codes\n\nNonzero says why.\n")
    repository.write(SERVICES, "# Services\n\n## Start\n\nIn any order.\n")
    repository.write(FILE, text)
    repository.commit("Learn", date="2026-01-01")
    repository.work("2026-01-02", days=days - 1)
    repository.write(FILE, text + "".join(entry(title_of(topic)) for topic in NEWER))
    repository.commit("Learn more", date=str(date(2026, 1, 1) + timedelta(days=days)))
    return repository


def drafts(target: str = CLI) -> dict[str, tuple[str, str]]:
    return {title_of(topic): (target, f"Know the limits of {topic}.") for topic in TOPICS}


def archive(session: Session) -> str:
    (archive,) = (session.repository.path / "agents/archive").glob("*-consolidated-*.md")
    return archive.read_text(encoding="utf-8")


def told(session: Session) -> list[str]:
    """Walk the handoff to its last step; return what it says."""
    before, wanted = len(session.said), HANDOFF.commands("Step 5: Size check")
    handoff(session)
    assert session.commands[-len(wanted) :] == wanted
    return session.said[before:]


def test_steps_and_sections_are_in_the_order_in_which_they_are_walked() -> None:
    steps = [heading.partition(":")[0] for heading in HANDOFF.headings(2)]
    assert steps == [f"Step {number}" for number in ("1", "2", "3", "4", "4b", "4c", "5", "6")]
    parts = [heading.partition(" ")[0] for heading in HANDOFF.headings(3)]
    assert parts == [f"4c.{number}" for number in range(1, 6)]
    verdicts = re.findall(r"`([a-z-]+)`", "".join(HANDOFF.section("4c.1 Ask")))
    assert [name for name in verdicts if name not in ("verdict", "reason")] == [
        NOT_DUE,
        STARVED,
        DUE,
    ]
    splitting = [heading for heading in REFACTOR.headings(2) if heading.startswith("Step")]
    assert [step.partition(":")[0] for step in splitting] == ["Step 1", "Step 2", "Step 3"]
    example = PLUGIN / "skills/remember/report.md"
    lines = example.read_text(encoding="utf-8").splitlines()
    first = lines.index("# Consolidation Report")
    report = lines[first : lines.index("```", first)]
    assert [line[3:] for line in report if line.startswith("## ")] == [*REPORT_SECTIONS]
    for prose in (HANDOFF, TASK):
        text = prose.path.read_text(encoding="utf-8")
        named = re.findall(r"\*([A-Z][\w ]+(?: \(ESCALATION\)|Decisions|Details))\*", text)
        assert {*named} <= {*REPORT_SECTIONS}, prose.path.name


def test_not_due_or_starved(tmp_path: Path) -> None:
    old = [entry(title_of("caches"))]
    for name, settings, start in (
        ("later", "size-trigger = 500\n", ""),
        (
            "starved",
            STARVING,
            "Consolidation starved: 17 lines, but only 1 of the 3 entries that a ",
        ),
    ):
        session = Session(memory(tmp_path / name, old=old, settings=settings))
        assert "".join(told(session)).startswith(start)
        assert len(session.said) == bool(start)
        assert [ran.command for ran in session.ran if ran.code] == []
        assert session.tasks == []
        assert session.repository.git("status", "--porcelain") == ""


def test_due_with_five_entries(tmp_path: Path) -> None:
    said = "All done. The report is at `{path}`."  # a sentence counts as the path
    session = Session(memory(tmp_path / "memory"), drafts(), returned=said)
    before = session.text(FILE)
    assert told(session) == [f"Consolidated 5 of 5 entries; report: {REPORT}"]
    assert session.tasks == [[title_of(topic) for topic in TOPICS]]
    after = session.text(FILE)
    for topic in TOPICS:
        assert entry(title_of(topic)).strip() in archive(session)
        assert title_of(topic) not in after
        assert f"limits of {topic}." in session.text(CLI)
    assert all(title_of(topic) in after for topic in NEWER)
    assert set(before.splitlines()) <= set((after + archive(session)).splitlines())
    assert [ran.command for ran in session.ran if ran.code] == []
    left = {path.name for path in (session.repository.path / "tmp").iterdir()}
    assert left == {Path(path).name for path in (REPORT, PLAN, DECISIONS)}
    assert session.commands == [
        *HANDOFF.commands("Step 1: Gather"),
        *HANDOFF.commands("Step 4: Append learnings"),
        *HANDOFF.commands("4c.1 Ask"),
        *TASK.commands("Step 1: Understand"),
        *TASK.commands("Step 4: Apply and verify"),
        *TASK.commands("Step 4a: Update discovery"),
        *HANDOFF.commands("Step 5: Size check"),
    ]
    # Nobody has committed it, and it is not begun again.
    assert told(session) == []
    assert len(session.tasks) == 1
    assert session.text(FILE) == after


def test_supersession_and_redundancy(tmp_path: Path) -> None:
    known = "Exports finish before six, because the invoices of the day are printed from them."
    old = [
        entry("Cache of access tokens", "Cache access tokens in memory."),
        entry("Migrations and rollout", "Run database migrations before the rollout starts."),
        entry("Exports of invoices", known),
        entry(title_of("locks")),
    ]
    repository = memory(tmp_path / "memory", old=old)
    newer = entry("Access tokens without cache", "Never cache access tokens in memory.")
    mark = "\n## When dealing with ports"
    repository.write(FILE, session_text(repository).replace(mark, newer + mark))
    never = "Never run database migrations before the rollout starts.\n"
    repository.write(SERVICES, f"# Services\n\n## Migrations and rollout\n\n{never}")
    repository.write(CLI, f"# Command line\n\n## Exports of invoices\n\n{known}\n")
    for day in range(12, 22):
        repository.commit("Work", date=f"2026-01-{day}")
    topics = [*TOPICS, "ports", "shards", "quotas"]
    judged = {title_of(topic): (CLI, f"Know {topic}.") for topic in topics}
    judged["Access tokens without cache"] = (CLI, "Keep access tokens nowhere.")
    session = Session(repository, judged)
    told(session)
    report = session.text(REPORT)
    parts = dict(re.findall(r"^## (.+)\n\n((?:.+\n)+)", report, re.MULTILINE))
    assert "Dropped `Cache of access tokens`" in parts["Supersession Decisions"]
    assert "Dropped `Exports of invoices`" in parts["Redundancy Decisions"]
    assert "Escalated `Migrations and rollout`" in parts["Redundancy Decisions"]
    after = session.text(FILE)
    assert "## Migrations and rollout" in after
    assert "Cache of access tokens" not in after
    for title in ("Cache of access tokens", "Exports of invoices"):
        dropped = rf"^## Dropped: .+\n\n[~`]+.*\n+## {title}$"
        assert re.search(dropped, archive(session), re.MULTILINE), title


def test_the_decisions_that_the_text_shows_are_carried_out(tmp_path: Path) -> None:
    topics = [*TOPICS, "images", "tokens"]
    session = Session(memory(tmp_path / "memory", old=[entry(title_of(name)) for name in topics]))
    planning, *_ = TASK.commands("Step 1: Understand")
    session.must(planning)
    example = "\n".join(TASK.blocks("Step 3: Draft", "markdown"))
    for topic in topics[:6]:
        (digest,) = re.findall(rf"`(\w{{12}})` {title_of(topic)}\n", session.text(PLAN))
        example = example.replace("DIGEST", digest, 1)
    assert "DIGEST" not in example
    words = {"TARGET#HEADING": f"{CLI}#Exit codes", "STATEMENT": "No.", "TEXT": "- Know more."}
    for word, text in {**words, "TITLE": "Time", "REASON": "both claim to hold"}.items():
        example = example.replace(word, text)
    session.repository.write(DECISIONS, example)
    applying, *_ = TASK.commands("Step 4: Apply and verify")
    for command in (applying, *TASK.commands("Step 4a: Update discovery")):
        session.must(command)
    left = re.findall(r"(?m)^## (?:When dealing with )?(\w+)", session.text(FILE))
    assert left == ["locks", "tokens", *NEWER, "Time"]
    moved = re.findall(r"(?m)^## When dealing with (\w+)", session.text(CLI))
    assert moved == ["caches", "queues"]
    assert "\n- Know more.\n" in session.text(CLI)
    (section,) = re.findall(
        r"^## Contradictions \(ESCALATION\)\n\n((?:.+\n)+)", session.text(REPORT), re.MULTILINE
    )
    escalated = f"- Escalated `{title_of('locks')}`: "
    assert section == (f"{escalated}`{CLI}#Exit codes`\n  - `entry: No.`\n  - `target: No.`\n")
    assert f"{escalated}`both claim to hold`\n" in session.text(REPORT)


@pytest.mark.soak
def test_what_is_escalated_as_a_whole_is_not_begun_again(tmp_path: Path) -> None:
    lines = [
        ("Migrations and rollout", "Run database migrations before the rollout starts."),
        ("Secrets and images", "Put the secrets of a service into its image."),
        ("Retries and exports", "Retry every export that was refused."),
    ]
    repository = memory(tmp_path / "memory", old=[entry(*line) for line in lines])
    never = [(title, f"Never {text[0].lower()}{text[1:]}") for title, text in lines]
    repository.write(SERVICES, "# Services\n" + "".join(entry(*line) for line in never))
    repository.commit("Decide", date="2026-01-12")
    session = Session(repository)
    before = session.text(FILE)
    told(session)
    assert session.blockers == [f"Escalated: {title}" for title, _ in lines]
    assert told(session) == []
    (repository.path / REPORT).unlink()
    assert told(session) == []  # a person decides, whether there is a report or not
    assert len(session.tasks) == 1
    assert session.text(FILE) == before


def verdicts(repository: GitRepository) -> dict[str, Any]:
    document = Command("learnings")("due", "--format=json", cwd=repository.path).json
    return {file["file"]: file for file in document["files"]}


@pytest.mark.soak
def test_a_consolidation_that_keeps_most_entries_ends(tmp_path: Path) -> None:
    repository = memory(tmp_path / "memory")
    session = Session(repository, {title_of("caches"): drafts()[title_of("caches")]})
    assert told(session) == [f"Consolidated 1 of 5 entries; report: {REPORT}"]
    decisions = "agents/archive/learnings-decisions.md"
    # Days go by after it, so it must not be of today, as the commands of the texts have it.
    dated = re.sub(r"(?m)^- (\w+) \d{4}-\d\d-\d\d", r"- \1 2026-01-12", session.text(decisions))
    repository.write(decisions, dated)
    repository.git("add", "agents")
    repository.commit("Consolidate", date="2026-01-12", all=False)
    after = verdicts(repository)[FILE]
    assert (after["verdict"], after["decided_summary"]) == (
        "not-due",
        "4 entries kept on 2026-01-12",
    )
    assert told(session) == []
    assert len(session.tasks) == 1
    repository.work("2026-01-13", days=13)
    assert verdicts(repository)[FILE]["decided_summary"] == "4 entries kept on 2026-01-12"
    repository.work("2026-01-26", days=1)
    again = verdicts(repository)[FILE]
    back = {title_of(topic) for topic in TOPICS if topic != "caches"}
    assert again["verdict"] == "due"
    assert back <= {entry["title"] for entry in again["batch"]}


@pytest.mark.soak
def test_two_files_that_are_due_are_decided_one_after_the_other(tmp_path: Path) -> None:
    repository, other = memory(tmp_path / "memory"), "docs/lessons.md"
    repository.write(other, session_text(repository).replace("Look at", "Look into"))
    repository.commit("Copy", date="2026-01-12")
    repository.work("2026-01-13", days=9)
    session = Session(repository)
    for file in (FILE, other):
        returned = remember_task(session, [], file=file)
        assert returned == f"tmp/consolidation-report-{file[:-3].replace('/', '-')}.md"
        assert all(title_of(topic) in session.text(returned) for topic in TOPICS)
    found = {name: file["verdict"] for name, file in verdicts(repository).items()}
    assert found == {FILE: "not-due", other: "not-due"}


def test_a_false_entry_leaves_and_staleness_goes_on_counting(tmp_path: Path) -> None:
    settings = "size-trigger = 500\nstaleness-trigger = 8\n"
    title = "When the customer's cache lies"
    old = [entry(title), *(entry(title_of(topic)) for topic in TOPICS)]
    session = Session(memory(tmp_path / "memory", old=old, settings=settings), drafts())
    printed = remove_false(session, title, "the customer's cache is gone")
    assert title not in session.text(FILE)
    assert "## Dropped: false since 4de5734: the customer's cache is gone" in archive(session)
    assert entry(title).strip() in archive(session)
    assert "agents/archive/" in printed
    assert "Undo: learnings archive --restore" in printed
    session.repository.commit("Remove what is false", date="2026-01-12")
    assert told(session) == [f"Consolidated 5 of 5 entries; report: {REPORT}"]


def test_without_a_tracked_memory_file_nothing_is_said(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "memory")
    repository.write("README.md", "# Readme\n")
    repository.commit("Begin", date="2026-01-01")
    assert told(Session(repository)) == []
    repository.write(FILE, "# Learnings\n" + entry(title_of("caches")))
    assert told(Session(repository)) == []


def session_text(repository: GitRepository) -> str:
    return repository.read(FILE).decode()


def full_target() -> str:
    first = "".join(f"- Queue fact {number}.\n" for number in range(190))
    second = "".join(f"- Log fact {number}.\n" for number in range(201))
    text = f"# Services\n\n## Queues\n\n{first}\n## Logs\n\n{second}\n"
    return text + "Last.\n" * (400 - text.count("\n"))


@pytest.mark.parametrize(
    ("cut", "text"),
    [
        (400, "Queues fill up."),
        # Only the new text would fill it.
        pytest.param(398, "Queues fill up.\n\nLook at them.", marks=pytest.mark.soak),
    ],
)
def test_a_full_target_is_split_and_only_the_skipped_entries_are_tried_again(
    tmp_path: Path, cut: int, text: str
) -> None:
    repository = memory(tmp_path / "memory")
    lines = full_target().splitlines(keepends=True)[:cut]
    repository.write(SERVICES, "".join(lines))
    repository.commit("Fill", date="2026-01-12")
    session = Session(repository, drafts() | {title_of("queues"): (SERVICES, text)})
    assert told(session) == [
        f"Consolidated 4 of 5 entries; report: {REPORT}",
        f"Consolidated 5 of 5 entries; report: {REPORT}",
    ]
    assert session.tasks == [[title_of(topic) for topic in TOPICS], [title_of("queues")]]
    assert session.blockers == []
    parts = sorted((repository.path / "agents/decisions").glob("services*.md"))
    assert len(parts) > 1
    texts = [path.read_text(encoding="utf-8") for path in parts]
    assert {*lines} <= {line for text in texts for line in text.splitlines(keepends=True)}
    new = [f"({path.name})" for path in parts if path.name != Path(SERVICES).name]
    assert all(link in session.text(SERVICES) for link in ("Queues fill up.", *new))
    assert title_of("queues") not in session.text(FILE)
    assert entry(title_of("queues")).strip() in archive(session)
    assert Command("learnings")("check", cwd=repository.path).code == 0


def test_a_full_target_with_one_topic_keeps_its_entries(tmp_path: Path) -> None:
    repository = memory(tmp_path / "memory")
    text = "# Services\n\n## Queues\n\n" + "- A fact about queues.\n" * 396
    repository.write(SERVICES, text)
    repository.commit("Fill", date="2026-01-12")
    session = Session(repository, drafts() | {title_of("queues"): (SERVICES, "Queues fill up.")})
    told(session)
    assert len(session.tasks) == 1
    assert session.blockers[-1] == title_of("queues")
    assert "cannot be cut" in session.blockers[0]
    assert session.text(SERVICES) == text
    assert title_of("queues") in session.text(FILE)


def bare_tools(folder: Path) -> str:
    """Return a PATH without learnings, and a Python without packages."""
    folder.mkdir()
    for name in ("git", "sh", "env", "cat", "mkdir"):
        (folder / name).symlink_to(str(shutil.which(name)))
    (folder / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    (folder / "python3").chmod(0o755)
    return str(folder)


def test_nothing_is_installed(tmp_path: Path) -> None:
    session = Session(memory(tmp_path / "memory"), drafts(), path=bare_tools(tmp_path / "tools"))
    before = session.text(FILE)
    (line,) = told(session)
    assert line.startswith(f"{SKIPPED} learnings is not installed; run: pipx install ")
    assert line in HANDOFF.blocks("4c.5 On failure", "text")
    assert session.text(FILE) == before
    assert remember_task(session, TOPICS).startswith("remember-task: learnings plan failed")


def test_a_shallow_clone_and_broken_settings(tmp_path: Path) -> None:
    clone = memory(tmp_path / "memory").clone(depth=1)
    session = Session(clone, drafts())
    (line,) = told(session)
    assert line.startswith(f"{SKIPPED} this is a shallow clone, in which everything looks new;")
    for settings in ("size-triger = 20\n", "size-trigger = \n"):
        session.repository.write("learnings.toml", settings)
        (line,) = told(session)
        assert line.startswith(f"{SKIPPED} learnings.toml:1: ")


@pytest.mark.parametrize(
    "failing",
    [
        "due",
        "apply",
        pytest.param("plan", marks=pytest.mark.soak),
        pytest.param("verify", marks=pytest.mark.soak),
    ],
)
def test_a_command_that_fails(tmp_path: Path, failing: str) -> None:
    session = Session(memory(tmp_path / "memory"), drafts(), failing=failing)
    (line,) = told(session)
    assert line.startswith(SKIPPED)
    assert line.endswith("no space left")
    assert session.repository.git("diff", "--name-only") == ""


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
    for command in CONSOLIDATE.commands("Step 1: Parse"):
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


THEMES = "tmp/learning-themes.md"


def test_raw_files_are_compacted_checked_and_promoted(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "memory")
    (status,) = LIFECYCLE.commands("Step 1: See what there is to do")
    plan, apply = LIFECYCLE.commands("Step 2: Put findings into themes")
    (check, _) = LIFECYCLE.commands("Step 4: Check")
    (promote,) = LIFECYCLE.commands("Step 6: Promote, when asked to")
    session = Session(repository)
    assert [session.must(command).out for command in (status, plan, check, promote)] == [""] * 4
    for number in range(3):
        finding = ("Freeze the clock in tests that expire", f"It failed on day {number}.")
        repository.write(f"{RAW}/WU-{number}.json", raw_file(f"WU-{number}", [finding]))
    repository.commit("Finish three units", date="2026-01-01")
    alone = raw_file("WU-3", [("Ask for a sample order", "The file had two headers.")])
    repository.write(f"{RAW}/WU-3.json", alone)
    assert "compaction is due" in session.must(status).out
    assert session.must(plan).out == f"next: edit {THEMES}, then {apply}\n"
    assert not (repository.path / RAW / "themes").exists()  # nobody has looked yet
    text = repository.read(THEMES).decode()
    assert "\n## freeze-clock-tests: Freeze Clock Tests\n" in text
    repository.write(THEMES, text.replace("## freeze-clock-tests: ", "## clocks: "))
    out = session.must(apply).out
    assert "new    clocks: 3 findings of 3 work units" in out
    assert "Waiting for a theme: 1 finding.\n    - WU-3.json#1 Ask" in out
    # In the next session nothing is due, and the draft is still one.
    assert "not due" in session.must(status).out
    assert "             clocks: draft\n" in session.must(status).out
    theme = repository.read(f"{RAW}/themes/clocks.md").decode()
    draft = next(line for line in theme.splitlines() if line.startswith("<!-- draft: "))
    assert draft[:12] in "".join(LIFECYCLE.section("Step 3: Rewrite"))
    rewritten = theme.replace(f"{draft}\n", "").replace("It failed", "The test failed")
    repository.write(f"{RAW}/themes/clocks.md", rewritten)
    assert session.must(check).out == ""
    assert "3 in themes, 1 waiting" in session.must(status).out
    assert "## Freeze Clock Tests" in session.must(promote).out
    repository.write(f"{RAW}/WU-1.json", '{"workId": "WU-1"}\n')
    assert "tiers-raw-changed" in session.run(check).out


SOURCE = ".shaktra/stories/ST-1/.observations.yml"
OBSERVED = """\
observations:
  - id: OB-001
    type: discovery
    text: The carrier caps every page at 100 rows, always follow the next link.
    tags: [reliability, carrier]
"""
CURATOR_STEPS = ("Step 1: Check the files", "Step 3: Curate", "Step 5: Check")


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
