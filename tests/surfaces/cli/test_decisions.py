"""Lasting decisions: kept entries leave the batch and return in time."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository, dates

learnings = Command("learnings")
FILE, PLAN = "agents/learnings.md", "tmp/plan.md"
DECISIONS = "agents/archive/learnings-decisions.md"
WORDS = ("cache", "proxy", "login", "deploy", "queue", "index", "parser", "socket")
DAYS = 20  # so that all are old enough, and none has ever been consolidated
TODAY = (date(2026, 3, 1) + timedelta(days=DAYS)).isoformat()
NOW = ("--now", f"{TODAY}T12:00:00")
KEPT = f"5 entries kept on {TODAY}"


def memory(*words: str) -> str:
    texts = (f"## When the {w} fails\n\nLook at the {w} log first.\n" for w in words)
    return "# Learnings\n\n" + "\n".join(texts)


@pytest.fixture
def due(repository: GitRepository) -> GitRepository:
    """Return a repository with a memory of eight entries, of which the batch has five."""
    repository.write(FILE, memory(*WORDS))
    repository.commit(date="2026-03-01")
    repository.work("2026-03-02", days=DAYS)
    return repository


def verdict(repository: GitRepository) -> dict[str, Any]:
    found: dict[str, Any] = learnings("due", "--format=json", cwd=repository.path).json["files"][0]
    return found


def plan_of(repository: GitRepository) -> str:
    assert learnings("plan", FILE, "--output", PLAN, cwd=repository.path).code == 0
    return repository.read(PLAN).decode()


def keep_all(repository: GitRepository) -> Completed:
    plan_of(repository)
    return learnings("apply", PLAN, "--keep-all", *NOW, cwd=repository.path)


def decided(text: str, word: str, decision: str) -> str:
    """Return a plan with a different decision about the entry whose title has a word."""
    edited, count = re.subn(rf"(?m)^- .*?(?=`[0-9a-f]{{12}}` .*{word})", f"- {decision} ", text)
    assert count == 1
    return edited


def without(text: str, words: Sequence[str]) -> str:
    """Return a plan without the lines of the entries with some words."""
    lines = text.splitlines(keepends=True)
    return "".join(
        line for line in lines if not (line.startswith("- ") and any(w in line for w in words))
    )


def commit(repository: GitRepository, day: str = TODAY) -> None:
    repository.git("add", "agents", "docs" if (repository.path / "docs").exists() else "agents")
    repository.commit("Consolidate", date=day, all=False)


def test_kept_entries_rest_and_come_back(due: GitRepository) -> None:
    assert verdict(due)["verdict"] == "due"
    run = keep_all(due)
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[-1] == "5 entries kept: they rest for 14 active days."
    for is_committed in (False, True):
        if is_committed:
            commit(due)
        after = verdict(due)
        assert (after["verdict"], after["batch"], after["decided_summary"]) == ("not-due", [], KEPT)
    assert f"  decided    {KEPT}\n" in learnings("due", cwd=due.path).out
    assert f"  {KEPT}\n" in learnings(cwd=due.path).out
    due.work("2026-03-22", days=13)
    assert verdict(due)["verdict"] == "not-due"
    due.work("2026-04-05", days=1)
    again = verdict(due)
    assert (again["verdict"], len(again["batch"])) == ("due", 5)


def test_the_brief_verdict_counts_what_rests_and_waits(due: GitRepository) -> None:
    words = ("due", "--format=json", "--brief", FILE)
    [before] = learnings(*words, cwd=due.path).json["files"]
    assert before["reason"] == f"{DAYS} active days since the oldest entry (never consolidated)"
    counts = ("verdict", "batch", "kept", "waiting")
    assert [before[name] for name in counts] == ["due", 5, 0, 0]
    assert before["next"] == f"learnings plan {FILE} --output tmp/consolidation-plan.md"
    due.write(PLAN, decided(plan_of(due), "proxy", "escalate two owners disagree"))
    assert learnings("apply", PLAN, *NOW, cwd=due.path).code == 0
    [after] = learnings(*words, cwd=due.path).json["files"]
    assert [after[name] for name in counts] == ["not-due", 0, 4, 1]
    assert (after["reason"], after["next"]) == ("no trigger holds", None)
    for wrong in (("due", "--brief"), ("due", "--brief", "--format=json", "--replay")):
        assert learnings(*wrong, cwd=due.path).code == 2


def test_where_only_decisions_keep_a_file_from_being_due_they_are_the_reason(
    due: GitRepository,
) -> None:
    due.write("learnings.toml", "size-trigger = 10\n")
    keep_all(due)
    out = learnings("due", "--exit-code", cwd=due.path)
    assert (out.code, out.out.splitlines()[0]) == (0, f"{FILE}: not-due: {KEPT}")
    assert "forecast   due in 14 active days" in out.out
    assert "raise `size-trigger` if the file is right as it is" in out.out


def test_an_entry_that_is_edited_is_open_again(due: GitRepository) -> None:
    due.write("learnings.toml", "size-trigger = 10\nmin-batch = 1\n")
    keep_all(due)
    commit(due)
    due.write(FILE, due.read(FILE).replace(b"the proxy log first", b"the proxy log second"))
    after = verdict(due)
    assert (after["verdict"], after["decided_summary"]) == ("due", KEPT.replace("5", "4"))
    assert [entry["title"] for entry in after["batch"]] == ["When the proxy fails"]


def test_an_escalated_entry_waits_for_a_person(due: GitRepository) -> None:
    due.write("learnings.toml", "size-trigger = 10\n")
    text = plan_of(due)
    due.write(PLAN, decided(text, "proxy", "escalate two owners disagree"))
    run = learnings("apply", PLAN, *NOW, cwd=due.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[-2:] == [
        "4 entries kept: they rest for 14 active days.",
        "1 entry escalated; run `learnings resolve ENTRY` after the decision.",
    ]
    commit(due)
    due.work("2026-03-22", days=40)
    after = verdict(due)
    assert after["decided_summary"] == "1 escalated entry waits for your decision"
    assert [entry["title"] for entry in after["batch"]] == [
        f"When the {word} fails" for word in ("cache", "login", "deploy", "queue")
    ]
    waits = f"When the proxy fails (line 7): escalated on {TODAY}: two owners disagree"
    assert f"  waits      {waits}\n" in learnings("due", cwd=due.path).out
    environment = {"GITHUB_REPOSITORY": "a/b"}
    issue = learnings("notify", "github", "--dry-run", cwd=due.path, env=environment).out
    assert "## Waiting for a decision" in issue
    assert f"- `{waits}`" in issue
    run = learnings("resolve", "When the proxy fails", cwd=due.path)
    assert (run.code, run.err) == (0, "")
    assert verdict(due)["decided_summary"] is None
    assert len(verdict(due)["batch"]) == 5


def test_decisions_live_through_a_rename_and_end_with_a_revert(due: GitRepository) -> None:
    keep_all(due)
    commit(due)
    (due.path / "docs").mkdir()
    due.git("mv", FILE, "docs/lessons.md")
    commit(due)
    assert verdict(due)["decided_summary"] == KEPT
    due.git("revert", "--no-edit", "HEAD", "HEAD~1", env=dates(TODAY, None))
    assert verdict(due)["decided_summary"] is None
    assert verdict(due)["verdict"] == "due"


def test_a_line_that_is_lost_is_told_unless_its_entry_left(due: GitRepository) -> None:
    keep_all(due)
    commit(due)
    assert "notice" not in learnings("verify", "--base", "HEAD~1", cwd=due.path).out
    words = ("archive", "When the login fails", "--reason", "gone")
    assert learnings(*words, cwd=due.path).code == 0
    assert "notice" not in learnings("verify", "--base", "HEAD", cwd=due.path).out
    due.write(DECISIONS, without(due.read(DECISIONS).decode(), ["proxy"]))
    run = learnings("verify", "--base", "HEAD", cwd=due.path)
    line = f'{FILE}:7: notice: the entry "When the proxy fails" was kept on {TODAY}, and that line '
    assert run.code == 0
    assert run.out.splitlines()[0] == f"{line}is gone; the entry is open again"
    commit(due)
    document = learnings("verify", "--base", "HEAD~1", "--format=json", cwd=due.path).json
    assert [(one["kind"], one["title"]) for one in document["notices"]] == [
        ("decision", "When the proxy fails")
    ]


def test_a_broken_line_is_a_note_and_decides_nothing(due: GitRepository) -> None:
    keep_all(due)
    lines = due.read(DECISIONS).decode().splitlines(keepends=True)
    broken = next(n for n, line in enumerate(lines, 1) if "proxy" in line)
    lines[broken - 1] = lines[broken - 1].replace("kept", "keep it")
    due.write(DECISIONS, "".join(lines))
    after = verdict(due)
    assert after["decided_summary"] == KEPT.replace("5", "4")
    assert after["notes"] == [f"{DECISIONS}:{broken} is not a decision; correct or remove the line"]


def test_what_is_refused(due: GitRepository) -> None:
    plan_of(due)
    run = learnings("apply", PLAN, *NOW, cwd=due.path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"learnings: {PLAN}:1: this plan is unedited")
    assert not (due.path / DECISIONS).exists()
    run = learnings("resolve", "When the proxy fails", cwd=due.path)
    assert (run.code, run.out) == (2, "")
    assert run.err == "learnings: no decision about When the proxy fails; nothing to end\n"
    assert learnings("resolve", "nothing of that name", cwd=due.path).code == 2
    (due.path / DECISIONS).mkdir(parents=True)
    assert verdict(due)["verdict"] == "due"
    run = keep_all(due)
    assert (run.code, "learnings-decisions.md is a folder" in run.err) == (2, True)


def test_two_branches_that_both_decided_merge_without_a_conflict(due: GitRepository) -> None:
    driver = f"'{learnings.path.as_posix()}' merge-driver %O %A %B %P"
    due.git("config", "merge.learnings.driver", driver)
    due.write(".gitattributes", "*-decisions.md merge=learnings\n")
    due.commit(date=TODAY)
    text = plan_of(due)
    due.branch("other")
    for branch, removed in (("other", WORDS[:3]), ("main", WORDS[2:])):
        due.checkout(branch)
        due.write(PLAN, without(text, removed))
        assert learnings("apply", PLAN, *NOW, cwd=due.path).code == 0
        commit(due)
    due.git("merge", "--quiet", "--no-edit", "other")
    assert verdict(due)["decided_summary"] == KEPT.replace("5", "4")
    assert b"<<<<" not in due.read(DECISIONS)


def test_an_archived_entry_takes_its_decision_with_it(due: GitRepository) -> None:
    keep_all(due)
    commit(due)
    words = ("archive", "When the proxy fails", "--reason", "gone")
    run = learnings(*words, cwd=due.path)
    assert (run.code, DECISIONS in run.out, b"proxy" in due.read(DECISIONS)) == (0, True, False)
    assert learnings("archive", "--restore", "When the proxy fails", cwd=due.path).code == 0
    after = verdict(due)
    assert after["decided_summary"] == KEPT.replace("5", "4")


def test_a_plan_that_decided_the_batch_is_a_consolidation(due: GitRepository) -> None:
    text = plan_of(due)
    due.write(PLAN, decided(text, "proxy", "drop wrong"))
    assert learnings("apply", PLAN, *NOW, cwd=due.path).code == 0
    assert b"settled" in due.read(DECISIONS)
    # The line of the entry that left is gone with the next plan, those of the others stay.
    assert b"proxy" not in due.read(DECISIONS)
    commit(due)
    conditions = {c["name"]: c["value"] for c in verdict(due)["conditions"]}
    assert conditions["staleness"] == 0
    # What comes back from the archive ends what the plan settled.
    assert learnings("archive", "--restore", "When the proxy fails", cwd=due.path).code == 0
    assert b"settled" not in due.read(DECISIONS)


def test_an_entry_whose_line_is_removed_stays_undecided(due: GitRepository) -> None:
    due.write("learnings.toml", "size-trigger = 10\nmin-batch = 1\n")
    due.write(PLAN, without(plan_of(due), ["proxy"]))
    assert learnings("apply", PLAN, *NOW, cwd=due.path).code == 0
    assert [entry["title"] for entry in verdict(due)["batch"]] == ["When the proxy fails"]
    assert b"settled" not in due.read(DECISIONS)


def test_a_file_that_is_much_too_long_is_due_whatever_its_ages_and_this_ends(
    repository: GitRepository,
) -> None:
    long = "".join(f"- Step {number} of the routine.\n" for number in range(90))
    entries = (f"\n## When the {word} fails\n\n{long}" for word in WORDS)
    repository.write(FILE, "# Learnings\n" + "".join(entries))
    repository.commit(date=TODAY)
    run = learnings("due", cwd=repository.path)
    said = "due: too long to wait until entries are 7 active days old"
    assert run.out.splitlines()[0] == f"{FILE}: {said}"
    assert "  oversize   yes 745 lines (threshold 450)\n" in run.out
    assert f"next: learnings plan {FILE} --all --output tmp/consolidation-plan.md" in run.out
    before = verdict(repository)
    assert len(before["batch"]) == len(WORDS) - 3, "the newest three stay"
    assert learnings("plan", FILE, "--all", "--output", PLAN, cwd=repository.path).code == 0
    assert learnings("apply", PLAN, "--keep-all", *NOW, cwd=repository.path).code == 0
    commit(repository)
    after = verdict(repository)
    assert (after["verdict"], after["batch"]) == ("not-due", [])
    assert after["decided_summary"] == f"8 entries kept on {TODAY}"
    assert learnings("due", "--exit-code", cwd=repository.path).code == 0


def test_all_of_a_plan_is_kept_or_carried_out_as_proposed(due: GitRepository) -> None:
    mark = "~~Superseded by the new one~~\n\nLook at the proxy"
    superseded = due.read(FILE).decode().replace("Look at the proxy", mark)
    due.write(FILE, superseded)
    due.commit(date=TODAY)
    assert "\n- drop superseded `" in plan_of(due)
    run = learnings("apply", PLAN, *NOW, cwd=due.path)
    assert (run.code, "--as-proposed" in run.err, "--keep-all" in run.err) == (2, True, True)
    unedited = due.read(PLAN)
    assert learnings("apply", PLAN, "--as-proposed", "--keep-all", cwd=due.path).code == 2
    assert learnings("apply", PLAN, "--keep-all", *NOW, cwd=due.path).code == 0
    assert due.read(FILE).decode() == superseded
    again = learnings("apply", PLAN, *NOW, cwd=due.path)
    assert (again.code, due.read(FILE).decode()) == (0, superseded), "what is kept stays kept"
    edited = learnings("apply", PLAN, "--keep-all", *NOW, cwd=due.path)
    assert (edited.code, "is edited" in edited.err) == (2, True)
    due.write(PLAN, unedited)
    run = learnings("apply", PLAN, "--as-proposed", *NOW, cwd=due.path)
    assert (run.code, run.out.splitlines()[0]) == (0, "Dropped 1 entry. Originals archived.")
    assert b"proxy" not in due.read(FILE)


def test_what_rests_is_in_no_group_and_in_a_plan_only_by_name(due: GitRepository) -> None:
    keep_all(due)
    commit(due)
    run = learnings("plan", FILE, "--all", cwd=due.path)
    titles = [line for line in run.out.splitlines() if line.startswith("- keep among")]
    assert [line.split("When the ")[1].split()[0] for line in titles] == [
        "index",
        "parser",
        "socket",
    ]
    assert "learnings: 5 entries rest after a decision" in run.err
    grouping = learnings("groups", "--format=json", cwd=due.path).json
    assert (grouping["groups"], grouping["ungrouped"]) == ([], [])
    named = learnings("plan", FILE, "--only", "When the proxy fails", cwd=due.path)
    assert ("rest after" in named.err, "` When the proxy fails" in named.out) == (False, True)


@pytest.mark.skipif(os.name == "nt", reason="Windows starts no file without an ending")
def test_a_git_that_does_not_start_loses_no_decision(due: GitRepository, tmp_path: Path) -> None:
    unedited = plan_of(due)
    (tmp_path / "git").write_text("not a program", "utf-8")
    (tmp_path / "git").chmod(0o755)
    words = ("apply", PLAN, "--as-proposed", *NOW)
    run = learnings(*words, cwd=due.path, env={"PATH": str(tmp_path)})
    assert (run.code, run.out, "cannot start git" in run.err) == (2, "", True)
    assert (due.read(PLAN).decode(), (due.path / DECISIONS).exists()) == (unedited, False)
    assert learnings(*words, cwd=due.path).code == 0
    assert b"- settled " in due.read(DECISIONS)
