"""`learnings ci`: outside GitHub Actions, and in each kind of run."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from learnings.surfaces.issues.notify import NotifyResult
from learnings.surfaces.issues.reconciler import IssueOutcome
from learnings.surfaces.render.job_summary import LARGEST_SUMMARY
from learnings.surfaces.reporters import Reporter
from tests.support.command import Command
from tests.support.forge import refused
from tests.support.github.server import BASE, TOKEN, GitHub
from tests.support.repository import GitRepository
from tests.support.runner import outputs_in
from tests.support.stand_in import Fault
from tests.surfaces.memory import FILE, memory

pytestmark = pytest.mark.usefixtures("instructed")

NEXT = f"learnings plan {FILE} --output tmp/consolidation-plan.md"
TWICE = "\n## When one\n\nagain\n"


class Done(NamedTuple):
    code: int
    out: str
    err: str
    summary: str
    outputs: Mapping[str, str]


class Job:
    """Runs the command as a step of a job, and reads its results from the runner's files."""

    def __init__(self, learnings: Command, folder: Path) -> None:
        self._learnings = learnings
        self._folder = folder
        folder.mkdir()

    def __call__(
        self, repository: GitRepository, *words: str, event: str = "push",
        payload: object = None, ref: str = "refs/heads/main", **more: str,
    ) -> Done:  # fmt: skip
        summary, out = self._folder / "summary.md", self._folder / "output"
        for path in (summary, out):
            path.write_bytes(b"")
        (self._folder / "event.json").write_text(json.dumps(payload or {}), encoding="utf-8")
        env = {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self._folder / "event.json"),
            "GITHUB_REF": ref,
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(out),
            "RUNNER_TEMP": str(self._folder),
            "GITHUB_REPOSITORY": "ada/parcels",
            **more,
        }
        done = self._learnings("ci", *words, cwd=repository.path, env=env)
        outputs = outputs_in(out.read_text(encoding="utf-8"))
        assert TOKEN not in done.out + done.err + summary.read_text("utf-8") + str(outputs)
        return Done(done.code, done.out, done.err, summary.read_text(encoding="utf-8"), outputs)

    def keeping(self, repository: GitRepository, github: GitHub, **more: str) -> Done:
        """Run with a token, and keep the issue on the stand-in."""
        env = {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": github.url, **more}
        payload = {"repository": {"default_branch": "main"}}
        return self(repository, "--notify", "github", payload=payload, **env)


@pytest.fixture
def job(learnings: Command, tmp_path: Path) -> Job:
    return Job(learnings, tmp_path / "runner")


def test_a_push(job: Job, due: GitRepository) -> None:
    done = job(due, payload={"before": due.head("HEAD~3")})
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"::warning file={FILE},line=1,title=learnings::Consolidation due: 16 active days since "
        f"the oldest entry (never consolidated); next: {NEXT}\n"
    )
    assert f"Next:\n\n- `{NEXT}`\n" in done.summary
    assert done.outputs["verdict"] == "due"
    assert done.outputs["batch-size"] == "3"
    assert Path(done.outputs["report-path"]).read_text(encoding="utf-8") == done.summary
    assert f"| `{FILE}` | **due**: 16 active days" in done.summary
    assert "```mermaid" in done.summary
    assert "What this change does" not in done.summary
    assert "issue-number" not in done.outputs


def test_an_error_of_a_rule_fails_the_job(job: Job, due: GitRepository) -> None:
    due.write(FILE, memory("When one", "When two", "When three") + TWICE)
    due.commit(date="2026-01-17")
    done = job(due)
    assert done.code == 1
    assert f"::error file={FILE},line=15,col=1,title=duplicate-entry::" in done.out
    assert "1 error, " in done.summary


def pull_request(repository: GitRepository, *, base: str) -> str:
    """Check out the merge that a server makes for a pull request; return its base."""
    tip = repository.head(base)
    repository.git("checkout", "--quiet", "--detach", base)
    repository.merge("feature", message=f"Merge {repository.head('feature')} into {tip}")
    return tip


@pytest.mark.slow
def test_a_pull_request(job: Job, due: GitRepository) -> None:
    due.write("docs/lessons.md", memory("When one", "When two") + TWICE)  # broken, but not by it
    due.commit(date="2026-01-17")
    due.branch("feature")
    text = due.read(FILE).decode()
    due.write(FILE, f"{text}\n## When four\n\ntext of When one\n\n## When five\n\nx y z\n")
    due.commit(date="2026-01-17")
    base = pull_request(due, base="main")
    payload = {"pull_request": {"base": {"sha": base}}}
    done = job(due, event="pull_request", payload=payload, ref="refs/pull/3/merge")
    assert done.code == 0
    assert f"- `{FILE}`: 13 → 21 of 150 lines\n" in done.summary
    assert f"- Adds 2 entries.\n  - **added** `When four` at `{FILE}:15`\n" in done.summary
    assert "docs/lessons.md:" not in done.summary.partition("### Findings")[2]
    assert job(due).code == 1


def test_the_size_of_a_memory_in_the_row_of_its_change(job: Job, repository: GitRepository) -> None:
    steps = "".join(f"\n## Iteration {n}\n\nBuilt part {n} of the shop.\n" for n in range(1, 9))
    items = "- **Tags**: sign them\n- **Builds**: restart the worker\n"
    repository.write("progress.txt", f"## Codebase Patterns\n\n{items}{steps}")
    repository.write(".claude/memory/one.md", "# Tags\n\nSign them.\n")
    repository.commit(date="2026-01-01")
    repository.write("progress.txt", f"## Codebase Patterns\n\n{items}- **Ports**: ask\n{steps}")
    repository.commit(date="2026-01-02")
    done = job(repository, payload={"before": repository.head("HEAD~1")})
    [row] = [line for line in done.summary.splitlines() if line.startswith("| `progress.txt`")]
    assert "| 4/150 |" in row
    assert "- `progress.txt`: 3 → 4 of 150 lines\n" in done.summary
    assert "`.claude/memory`: " not in done.summary, "no commit has a folder as one text"


def test_a_shallow_clone_is_refused_with_the_remedy(
    job: Job, due: GitRepository, tmp_path: Path
) -> None:
    clone = due.clone(depth=1, path=tmp_path / "clone")
    done = job(clone)
    assert done.code == 2
    assert "::error title=learnings::" in done.out
    assert "fetch-depth: 0" in done.out
    assert "> **Not known:** `" in done.summary
    assert (done.outputs["verdict"], done.outputs["batch-size"]) == ("not-due", "0")


def test_the_issue_is_kept(job: Job, due: GitRepository, github: GitHub) -> None:
    done = job.keeping(due, github)
    assert (done.code, done.outputs["issue-number"]) == (0, "1")
    assert f"{FILE}: issue #1 created\n" in done.out
    assert done.summary.endswith(f"### Issue\n\n- `{FILE}: issue #1 created`\n\n")
    github.forget()
    assert job.keeping(due, github).outputs["issue-number"] == "1"
    assert github.writes == []


def test_what_is_not_merged_asks_nobody(job: Job, due: GitRepository, github: GitHub) -> None:
    done = job.keeping(due, github, event="pull_request", ref="refs/pull/3/merge")
    assert done.code == 0
    assert "not sent: this change is not merged" in done.out
    assert github.seen == []
    assert done.outputs["issue-number"] == ""


def test_an_issue_that_cannot_be_sent_hides_nothing_else(
    job: Job, due: GitRepository, github: GitHub
) -> None:
    github.faults = [Fault(f"POST {BASE}/issues", refused(403, "No"))]
    done = job.keeping(due, github)
    assert done.code == 2
    assert done.outputs["verdict"] == "due"
    assert "::error title=learnings::the token is not allowed to do this in ada/parcels" in done.out
    assert "> **Not done:** ``the token is not allowed to do this" in done.summary


def test_outside_of_actions_it_is_text(learnings: Command, due: GitRepository) -> None:
    done = learnings("ci", cwd=due.path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{FILE}: due\n")
    assert "::" not in done.out
    assert sorted(path.name for path in due.path.iterdir()) == [".git", ".windsurfrules", "agents"]


def test_a_dry_run_shows_what_a_run_writes_and_sends(
    job: Job, learnings: Command, due: GitRepository, github: GitHub
) -> None:
    dry_run = learnings("ci", "--dry-run", "--notify", "github", cwd=due.path)
    assert dry_run.code == 0
    done = job.keeping(due, github)
    assert done.out.splitlines()[0] in dry_run.out
    assert done.summary.partition("### Issue")[0] in dry_run.out
    assert f"verdict: due\nreasons: {done.outputs['reasons']}\nbatch-size: 3\n" in dry_run.out
    posts = (request for request in github.seen if request.body)
    sent = next(request.body for request in posts if request.path.endswith("/issues"))
    body = sent["body"].partition("## The batch")[2].partition("---\nWritten at")[0]
    shown = "\n".join(f"    {line}".rstrip() for line in body.split("\n"))
    assert shown in dry_run.out


def test_a_dry_run_in_actions_gives_no_commands(job: Job, due: GitRepository) -> None:
    done = job(due, "--dry-run", "--notify", "github")
    stop = done.out.index("::stop-commands::")
    assert stop < done.out.index("::warning ")
    assert (done.summary, done.outputs) == ("", {})


def test_named_files_only(job: Job, due: GitRepository) -> None:
    due.write("docs/lessons.md", memory("When one") + TWICE)
    due.commit(date="2026-01-17")
    assert job(due, FILE).code == 0
    assert job(due, "docs/lessons.md").code == 1


def test_no_learnings_file(job: Job, repository: GitRepository) -> None:
    repository.commit()
    done = job(repository, "--notify", "github")
    assert (done.code, done.out) == (0, "")
    assert "no learnings file found" in done.err
    assert done.outputs["verdict"] == "not-due"


def test_the_issue_of_the_only_file_is_closed_when_that_is_gone(
    job: Job, due: GitRepository, github: GitHub
) -> None:
    job.keeping(due, github)
    (due.path / FILE).unlink()
    due.commit(date="2026-01-18")
    assert (job.keeping(due, github).code, github.forge.open_issues()) == (0, [])


@pytest.mark.parametrize("name", ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "RUNNER_TEMP"])
def test_a_file_that_cannot_be_written_is_one_sentence(
    learnings: Command, due: GitRepository, tmp_path: Path, name: str
) -> None:
    nowhere = str(tmp_path / "nowhere/x")
    done = learnings("ci", cwd=due.path, env={"GITHUB_ACTIONS": "true", name: nowhere})
    assert done.code == 2
    assert done.err.startswith(f"learnings: cannot write {nowhere}")
    assert done.err.count("\n") == 1


def test_what_became_of_the_issue_fits_into_a_summary_that_is_nearly_full(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * (LARGEST_SUMMARY - 2_000))
    outcomes = [
        IssueOutcome("created", number=n, file=f"docs/{n}/learnings.md") for n in range(200)
    ]
    files = {"GITHUB_STEP_SUMMARY": str(path)}
    Reporter(io.StringIO(), io.StringIO(), files).issues(NotifyResult(outcomes))
    text = path.read_text(encoding="utf-8").lstrip("x")
    assert path.stat().st_size <= LARGEST_SUMMARY
    assert text.startswith("### Issue\n\n- `docs/0/learnings.md: issue #0 created`\n")
    shown = text.count("\n- ")
    assert f"\n{200 - shown} more rows left out" in text


def test_a_dry_run_says_what_it_could_not_look_at(
    learnings: Command, due: GitRepository, github: GitHub
) -> None:
    env = {
        "GITHUB_TOKEN": "expired",
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": "ada/parcels",
    }
    done = learnings("ci", "--dry-run", "--notify", "github", cwd=due.path, env=env)
    assert done.code == 2
    assert "--- consolidation issue\nunknown: GITHUB_TOKEN is invalid or belongs" in done.out


def test_a_file_that_cannot_be_judged_hides_no_other(job: Job, due: GitRepository) -> None:
    due.write("docs/lessons.md", memory("When a"))
    payload = {"pull_request": {"base": {"sha": due.head("HEAD~2")}}}
    done = job(due, event="pull_request", payload=payload, ref="refs/pull/3/merge")
    assert done.code == 2
    assert f"| `{FILE}` | **due**" in done.summary
    assert "git does not track docs/lessons.md" in done.summary


@pytest.mark.slow
def test_a_pull_request_that_loses_an_entry_fails(
    learnings: Command, repository: GitRepository
) -> None:
    kept = "# Learnings\n\n## When a build hangs\n\nLook at the lock first.\n"
    lost = "\n## When a test is slow\n\nProfile the fixture before the assertion.\n"
    repository.write("agents/learnings.md", kept + lost)
    repository.commit(date="2026-01-01")
    repository.write("agents/learnings.md", kept)
    repository.commit(date="2026-01-02")
    done = learnings("ci", "--base", "HEAD~1", cwd=repository.path)
    assert done.code == 1
    assert 'the entry "When a test is slow" is lost' in done.out
    dry = learnings("ci", "--base", "HEAD~1", "--dry-run", cwd=repository.path)
    assert "::error file=agents/learnings.md,line=5,title=learnings verify::" in dry.out
    assert "### What this change loses" in dry.out
    assert learnings("ci", "--base", "HEAD", cwd=repository.path).code == 0


# --- a push, compared with the commit that it replaced


@pytest.fixture
def pushed(due: GitRepository) -> GitRepository:
    """Return a repository in which the last commit, HEAD, has an entry more than the one before."""
    due.write(FILE, memory("When one", "When two", "When three", "When four"))
    due.commit(date="2026-01-17")
    return due


LOST = 'title=learnings verify::the entry "When four" is lost'


def test_a_push_that_loses_an_entry_fails(job: Job, pushed: GitRepository) -> None:
    before = pushed.head()
    pushed.write(FILE, memory("When one", "When two", "When three"))
    pushed.commit(date="2026-01-18")
    done = job(pushed, payload={"before": before})
    assert (done.code, LOST in done.out) == (1, True)
    assert f"learnings archive --from {before} --file {FILE} --stage" in done.summary
    nothing_before: list[tuple[str, dict[str, object], str]] = [
        ("push", {"before": "0" * 40, "created": True}, "refs/heads/main"),
        ("push", {"before": before, "deleted": True}, "refs/heads/main"),
        ("push", {"before": before}, "refs/tags/v1"),
        ("schedule", {}, "refs/heads/main"),
        ("workflow_dispatch", {}, "refs/heads/main"),
    ]
    for event, payload, ref in nothing_before:
        done = job(pushed, event=event, payload=payload, ref=ref)
        assert (done.code, "When four" in done.out + done.summary) == (0, False), (event, ref)


@pytest.mark.slow
@pytest.mark.parametrize("is_related", [True, False])
def test_what_a_forced_push_drops_is_lost(
    job: Job, pushed: GitRepository, tmp_path: Path, *, is_related: bool
) -> None:
    before = pushed.head()
    if is_related:
        pushed.git("reset", "--quiet", "--hard", "HEAD~1")
    else:
        pushed.git("checkout", "--quiet", "--orphan", "other")
        pushed.git("branch", "--quiet", "--delete", "--force", "main")
    pushed.write(FILE, memory("When one", "When two", "When three") + "\nAsk the log first.\n")
    pushed.commit(date="2026-01-18")
    # As a runner checks out: all branches, and no commit that none of them has.
    clone = pushed.clone(path=tmp_path / "clone")
    done = job(clone, payload={"before": before})
    assert done.code == 2
    missing = f"because the commit {before[:12]} that it replaced is missing here"
    assert "::error title=learnings::cannot verify this push, " in done.out
    assert f"{missing}; run git fetch origin {before} first" in done.out
    assert done.outputs["verdict"] == ("due" if is_related else "not-due")
    clone.git("fetch", "--quiet", "origin", before)
    done = job(clone, payload={"before": before})
    assert (done.code, LOST in done.out) == (1, True)
    assert "`When three`" not in done.summary.partition("### What this change loses")[2]


@pytest.mark.slow
@pytest.mark.parametrize("is_archived", [True, False])
def test_a_push_ends_like_the_pull_request_that_it_merges(
    job: Job, pushed: GitRepository, learnings: Command, *, is_archived: bool
) -> None:
    before = pushed.head()
    pushed.branch("feature")
    pushed.write(FILE, memory("When one", "When two", "When three"))
    if is_archived:
        words = ("archive", "--from", "HEAD", "--reason", "fixed")
        assert learnings(*words, cwd=pushed.path).code == 0
    pushed.commit(date="2026-01-18")
    pull_request(pushed, base="main")
    payload = {"pull_request": {"base": {"sha": before}}}
    done = job(pushed, event="pull_request", payload=payload, ref="refs/pull/3/merge")
    assert done.code == int(not is_archived), done.out
    pushed.checkout("main")
    pushed.git("merge", "--quiet", "--squash", "feature")
    pushed.commit(date="2026-01-19")
    assert job(pushed, payload={"before": before}).code == done.code
    pushed.git("reset", "--quiet", "--hard", before)
    pushed.merge("feature")
    assert job(pushed, payload={"before": before}).code == done.code
