"""The command `learnings report --consolidation`, in real repositories."""

from __future__ import annotations

import re

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.surfaces.cli.test_apply_command import (
    ARCHIVE,
    CACHE,
    EVERYTHING,
    FILE,
    MEMORY,
    NOW,
    TARGET,
    plan,
)

PLAN, REPORT = "tmp/consolidation-plan.md", "tmp/consolidation-report.md"
FINDINGS = {
    "drop false": """{Slow build}

> supersession, drop: Rollback
> - the newer one says "no longer"
""",
    "escalate": """{Rollback}

> line 20
> contradiction, escalate: agents/decisions/cache.md:3 Tokens
> - line 21: "About Rollback."
> - agents/decisions/cache.md:5: "Old text."
""",
    f"move to {TARGET}#Keys": """{Token}

> redundancy, escalate: agents/decisions/cache.md:3
""",
}


def report(learnings: Command, repository: GitRepository, text: str, *words: str) -> str:
    for path, content in ((FILE, MEMORY), (TARGET, CACHE), (PLAN, text)):
        repository.write(path, content)
    assert learnings("apply", PLAN, *NOW, *words, cwd=repository.path).code in (0, 1)
    run = learnings("report", "--consolidation", cwd=repository.path)
    assert (run.code, run.out, run.err) == (0, f"{REPORT}\n", "")
    return repository.read(REPORT).decode()


def test_every_section_is_there_and_the_numbers_add_up(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 18\n")
    index = "agents/memory-index.md"
    repository.write(index, f"# Index\n\n## {TARGET}\n\nTokens — old text\nKeys — last\n")
    steps = {**FINDINGS, "merge Cache": EVERYTHING["merge Cache keys"]}
    assert (
        report(learnings, repository, plan(steps))
        == f"""\
# Consolidation Report

## Summary

- Processed: 5
- Consolidated: 3
- Dropped: 1
- Escalated: 1
- Skipped: 0

## Supersession Decisions

- Dropped `Slow build`: `Rollback`
  - `the newer one says "no longer"`

## Redundancy Decisions

- Moved `Token`: `{TARGET}:3`

## Contradictions (ESCALATION)

- Escalated `Rollback`: `{TARGET}:3 Tokens`
  - `line 21: "About Rollback."`
  - `{TARGET}:5: "Old text."`

## File Limits (ESCALATION)

None.

## Discovery Updates

- Index: `{index}`

## Consolidation Details

- Dropped `Slow build`: `false`
- Escalated `Rollback`
- Moved `Token` → `{TARGET}#Keys`
- Merged `Cache key` → `Cache (consolidated)`
- Merged `Cache tenant` → `Cache (consolidated)`
- File: `{ARCHIVE}` (38 lines)
- File: `agents/archive/learnings-decisions.md` (6 lines)
- File: `{TARGET}` (17 lines)
- File: `{FILE}` (11 lines)
- File: `{index}` (7 lines)

<!-- {FILE}, consolidated at no commit -->
"""
    )
    numbers = learnings("report", "--format", "json", cwd=repository.path).json["indexes"]
    assert [(one["path"], one["rows"]) for one in numbers] == [(index, 3)]


def test_what_found_no_room_is_named_with_the_lines(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 17\n")
    text = report(learnings, repository, plan({f"move to {TARGET}": "{Token}\n{Rollback}"}))
    limits = text.partition("## File Limits (ESCALATION)\n\n")[2].partition("\n\n")[0]
    assert (
        limits == f'- Kept `Rollback`: `{TARGET} has 17 lines, 21 with "Rollback", the limit is 17`'
    )
    assert "- Consolidated: 1\n- Dropped: 0\n- Escalated: 0\n- Skipped: 1\n" in text
    assert f"- Moved `Token` → `{TARGET}`\n- Kept `Rollback`\n" in text


def test_a_merge_that_was_not_carried_out_is_named_with_the_reason(
    learnings: Command, repository: GitRepository
) -> None:
    steps = {"merge into Rollback": "{Token}", "merge NAME": "{Cache key}\n\n```\n- One.\n```"}
    text = report(learnings, repository, plan(steps), "--as-proposed")
    limits = text.partition("## File Limits (ESCALATION)\n\n")[2].partition("\n\n")[0]
    assert limits == (
        "- Kept `Token`: `not merged, because the plan has no text`\n"
        "- Kept `Cache key`: `not merged, because the plan has no name`"
    )
    assert "- Skipped: 2\n" in text


def commit_with_a_small_limit(repository: GitRepository) -> None:
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 17\n")
    for path, content in ((FILE, MEMORY), (TARGET, CACHE)):
        repository.write(path, content)
    repository.commit(date="2026-03-01")


def test_a_retry_adds_to_the_report_until_there_is_a_commit(
    learnings: Command, repository: GitRepository
) -> None:
    commit_with_a_small_limit(repository)
    steps = {**FINDINGS, f"move to {TARGET}": "{Cache key}"}
    first = report(learnings, repository, plan(steps))
    assert '"Cache key", the limit is 17' in first
    repository.write("pyproject.toml", "[tool.learnings]\nline-limit = 400\n")
    again = "tmp/again.md"
    repository.write(again, plan({f"move to {TARGET}": "{Cache key}"}))
    for _ in range(2):  # the same plan counts once
        assert learnings("apply", again, *NOW, cwd=repository.path).code == 0
        learnings("report", "--consolidation", again, cwd=repository.path)
    both = repository.read(REPORT).decode()
    assert re.findall(r"(?m)^- (\w+: \d)$", both) == [
        "Processed: 4",
        "Consolidated: 2",
        "Dropped: 1",
        "Escalated: 1",
        "Skipped: 0",
    ]
    assert "## File Limits (ESCALATION)\n\nNone.\n" in both
    for line in ("- Dropped `Slow build`: `Rollback`", "- Escalated `Rollback`:"):
        assert both.count(line) == 1
    assert both.count("`Cache key`") == 1
    repository.commit(date="2026-03-02")
    repository.write(again, plan({"keep": "{Cache tenant}"}))
    assert learnings("apply", again, *NOW, cwd=repository.path).code == 0
    learnings("report", "--consolidation", again, cwd=repository.path)
    assert "- Processed: 1\n" in repository.read(REPORT).decode()


def test_a_retry_after_a_split_says_where_entries_and_lines_are_now(
    learnings: Command, repository: GitRepository
) -> None:
    commit_with_a_small_limit(repository)
    report(learnings, repository, plan({f"move to {TARGET}": "{Token}\n{Rollback}\n{Cache key}"}))
    moved = b"\n## Token\n\nAbout Token.\n"
    assert moved in repository.read(TARGET)
    repository.write(TARGET, repository.read(TARGET).replace(moved, b""))
    other = "agents/decisions/cache-token.md"
    repository.write(other, f"# Tokens\n{moved.decode()}")
    again = "tmp/again.md"
    repository.write(again, plan({f"move to {other}": "{Rollback}"}))
    assert learnings("apply", again, *NOW, cwd=repository.path).code == 0
    learnings("report", "--consolidation", again, cwd=repository.path)
    text = repository.read(REPORT).decode()
    assert f"- Moved `Token` → `{other}`\n" in text
    assert f"- Moved `Rollback` → `{other}`\n" in text
    assert f'- Kept `Cache key`: `{TARGET} has 13 lines, 17 with "Cache key"' in text
    assert f"- File: `{other}` (9 lines)\n" in text


def test_each_of_several_files_has_a_report_of_its_own(
    learnings: Command, repository: GitRepository
) -> None:
    other = "docs/lessons.md"
    for file in (FILE, other):
        repository.write(file, MEMORY)
    for file in (FILE, other):
        repository.write(PLAN, plan({"keep": "{Token}"}, file=file))
        assert learnings("apply", PLAN, *NOW, cwd=repository.path).code == 0
        run = learnings("report", "--consolidation", cwd=repository.path)
        name = f"tmp/consolidation-report-{file[:-3].replace('/', '-')}.md"
        assert run.out == f"{name}\n"
        assert file in repository.read(name).decode()


def test_a_place_to_look_at_is_no_escalation(learnings: Command, repository: GitRepository) -> None:
    kept = "{Rollback}\n\n> redundancy, look: x.md:3\n"
    text = report(learnings, repository, plan({"keep for later": kept, "drop old": "{Token}"}))
    assert "## Redundancy Decisions\n\nNone.\n" in text
    assert "- Kept `Rollback`: `for later`\n" in text


def test_what_cannot_be_reported(learnings: Command, repository: GitRepository) -> None:
    repository.write(FILE, MEMORY)
    cases = {
        (): "tmp/consolidation-plan.md does not exist",
        ("open.md",): "open.md is not applied yet; run `learnings apply open.md` first",
        ("broken.md",): "broken.md:5: ",
    }
    repository.write("open.md", plan({"drop old": "{Token}"}))
    repository.write("broken.md", plan({"frop old": "{Token}"}))
    for words, message in cases.items():
        run = learnings("report", "--consolidation", *words, cwd=repository.path)
        assert (run.code, run.out) == (2, "")
        assert message in run.err
    assert learnings("report", PLAN, cwd=repository.path).code == 2


def test_a_reason_to_drop_is_a_finding_too(learnings: Command, repository: GitRepository) -> None:
    steps = {"drop superseded by Rollback": "{Slow build}", "drop Covered there": "{Token}"}
    text = report(learnings, repository, plan(steps))
    parts = re.split(r"(?m)^## (.+)\n", text)
    rows = dict(zip(parts[1::2], parts[2::2], strict=True))
    superseded, covered = rows["Supersession Decisions"], rows["Redundancy Decisions"]
    assert superseded.strip() == "- Dropped `Slow build`: `superseded by Rollback`"
    assert covered.strip() == "- Dropped `Token`: `Covered there`"
