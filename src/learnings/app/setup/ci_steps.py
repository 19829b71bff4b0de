"""The CI job of `learnings init --github` and `--gitlab`, and the search for one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import learnings
from learnings.app.setup.origin import NO_ORIGIN, Origin, remote_hosts
from learnings.app.setup.text_steps import EditedText, ManualEditRequired
from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode
from learnings.history.git.repository import current_branch, output_of
from learnings.workspace.disk import content_of, is_file, is_folder

WORKFLOWS = ".github/workflows"
WORKFLOW = f"{WORKFLOWS}/learnings.yml"
_GITHUB_TEXT = """\
name: Learnings

on:
  push:
    branches: [{branch}]
  pull_request:
  merge_group:

permissions: {{}}

jobs:
  learnings:
    name: Learnings
    permissions:
      contents: read # to check out the repository
      issues: write # for the job that keeps the issue; the job for pull requests does not get this permission
    uses: {name}/.github/workflows/learnings.yml@{revision}
"""  # noqa: E501  (the line of the example)
_MOST_WORKFLOWS = 500  # far above any repository
# Our action or workflow under any owner; a fork may have renamed the repository.
_CALL = lazy_pattern(
    r"(?im)^[ \t]*(?:-[ \t]+)?uses:[ \t]*[\"']?[\w.-]+/"
    r"(?:learnings|[\w.-]+/\.github/workflows/learnings\.yml)@([^\s\"'#]+)"
    r"[\"']?(?:[ \t]+#[ \t]*(v\d\S*))?"
)
_COMMAND = lazy_pattern(r"\blearnings (?:ci|check|verify)\b")
# Special in a branch filter.
_FILTER_SIGNS = lazy_pattern(r"[+!*?\[\]]")


def default_branch(root: Path) -> tuple[str, bool]:
    """Return the default branch of a repository, and whether a remote names it.

    The HEAD of `origin`, or of the only remote, names it. Otherwise it is `main` or `master` if one
    exists, else the current branch, else `main`.
    """
    remotes = output_of(root, "remote").split()
    remote = "origin" if "origin" in remotes or len(remotes) != 1 else remotes[0]
    prefix = f"refs/remotes/{remote}/"
    head = output_of(root, "symbolic-ref", "--quiet", f"{prefix}HEAD")
    if head.startswith(prefix):
        return head.removeprefix(prefix), True
    listed = output_of(root, "for-each-ref", "--format=%(refname)", "refs/heads/", prefix).split()
    names = {name.removeprefix("refs/heads/").removeprefix(prefix) for name in listed}
    common = (name for name in ("main", "master") if name in names)
    return next(common, "") or current_branch(root) or "main", False


def workflow_text(branch: str, source: Origin) -> str:
    """Return the workflow of a repository with this default branch, calling our repository."""
    name = json.dumps(_FILTER_SIGNS.sub(lambda match: f"\\{match[0]}", branch))
    return _GITHUB_TEXT.format(branch=name, name=source.github_name, revision=source.revision)


class Workflow(NamedTuple):
    """A workflow, and the version of our workflow or action that it calls, or empty.

    For a commit, revision is the tag in the comment after it, if any.
    """

    path: str
    text: str
    revision: str


def workflows(root: Path) -> Iterator[Workflow]:
    """Yield the workflows of a repository."""
    try:
        names = sorted(os.listdir(root / WORKFLOWS))  # noqa: PTH208  (names, not paths)
    except OSError:
        return
    for name in names[:_MOST_WORKFLOWS]:
        path = root / WORKFLOWS / name
        if name.endswith((".yml", ".yaml")) and is_file(path):
            text = decode(content_of(path))
            call = _CALL.search(text)
            yield Workflow(f"{WORKFLOWS}/{name}", text, (call[2] or call[1]) if call else "")


def running_file(root: Path) -> str:
    """Return the path of a workflow or pipeline that runs learnings, or empty."""
    found = (each.path for each in workflows(root) if each.revision or _COMMAND.search(each.text))
    pipeline = decode(content_of(root / PIPELINE))
    is_there = _NAMED.search(pipeline) or "learnings " in pipeline
    return next(found, "") or (PIPELINE if is_there else "")


def servers(root: Path) -> list[str]:
    """Return the servers with a job of ours that a repository is on: github, gitlab."""
    hosts = [*remote_hosts(root)]
    signs = {
        "github": is_folder(root / ".github")
        or any(f".{host}".endswith(".github.com") for host in hosts),
        "gitlab": is_file(root / PIPELINE) or any("gitlab" in host.split(".") for host in hosts),
    }
    return [server for server, is_here in signs.items() if is_here]


def can_install(server: str, source: Origin | None) -> bool:
    """Return True if a runner of a server can install learnings from where this one came from."""
    if source is None or server == "gitlab":
        return source is not None and not source.is_local
    # Our workflow calls our action by the address that its commit names.
    home = Origin(learnings.HOME, "").github_name.lower()
    return home != "" and source.github_name.lower() == home


def with_workflow(text: str | None, root: Path, source: Origin | None) -> EditedText:
    """Return the text of the workflow, or "" for none; raises ManualEditRequired, UsageProblem.

    A file of that name with other content, and another workflow that calls us, do not change.
    """
    # Without the workflow that runs only on a schedule.
    calls = (each for each in workflows(root) if each.revision and "pull_request" in each.text)
    present = next(((each.path, "calls", each.revision) for each in calls), None)
    branch, is_known = default_branch(root)
    note = (
        f"no remote names its default branch, so {WORKFLOW} uses {branch}; change it there if the "
        "default branch has another name"
    )
    wanted = workflow_text(branch, source) if source and can_install("github", source) else ""
    return _with_job(WORKFLOW, text, wanted, source, present, note="" if is_known else note)


def _with_job(
    path: str,
    text: str | None,
    wanted: str,
    source: Origin | None,
    present: tuple[str, str, str] | None,
    *,
    note: str,
) -> EditedText:
    """Return a new file, or one that stays; raises ManualEditRequired, UsageProblem.

    wanted is empty if no runner could install from the source; present is the file that already
    runs learnings, the verb for it, and its version.
    """
    if text is not None and text.replace("\r\n", "\n") == wanted:
        return EditedText(text, (f"{path} is already up to date",))
    if present is not None:
        other, does, revision = present
        advice = f"{other} already {does} learnings and was not changed"
        if source and revision != source.revision:
            advice += f"; it {does} {revision}, change that to {source.revision}"
        return EditedText(text or "", (advice,))
    otherwise = f", or leave {'--github' if path == WORKFLOW else '--gitlab'} out"
    if source is None:
        raise UsageProblem(f"nothing was written, because {NO_ORIGIN}{otherwise}")
    if not wanted:
        where, first = "a server", "push it to a server"
        if path == WORKFLOW:
            where = "a repository on GitHub that names itself"
            first = "run `make home URL=https://github.com/OWNER/NAME` in a clone, push it there"
        raise UsageProblem(
            f"nothing was written, because a runner can install learnings only from {where}, and "
            f"this installation came from {source.address}; {first}, install it from that address, "
            f"and run this again{otherwise}"
        )
    if text is not None:
        sentence = (
            f"{path} exists with different content and was not changed; add the job above to it, "
            "or rename the file and run this again"
        )
        raise ManualEditRequired(sentence, wanted.splitlines())
    return EditedText(wanted, (note,) if note else ())


PIPELINE = ".gitlab-ci.yml"
JOB = ".gitlab/learnings.yml"
_ITEM = f"- local: {JOB}"
_GITLAB_TEXT = f"""\
# The job that `learnings init --gitlab` writes. {PIPELINE} includes it:
#
#   include:
#     {_ITEM}
#
# It runs in the stage `test`. If your pipeline has other stages, add `stage:` with one of them.

learnings:
  image: python:3.13
  needs: [] # start at once
  variables:
    GIT_DEPTH: "0" # ages need full history
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH # including schedules
  script:
    - pip install --quiet "{{requirement}}"
    # `learnings ci` compares a push with the commit that it replaced; if forced, no branch has it.
    - git fetch --quiet --no-tags origin "$CI_COMMIT_BEFORE_SHA" 2> /dev/null || true
    # Exit code 1 stands for findings; `learnings ci` decides whether they fail the job.
    - learnings check --format gitlab > gl-code-quality-report.json || test $? -eq 1
    - |
      if [ "$CI_COMMIT_BRANCH" != "$CI_DEFAULT_BRANCH" ]; then
        learnings ci
      elif [ -n "$GITLAB_TOKEN" ]; then
        learnings ci --notify gitlab
      else
        echo "No issue is kept, because the variable GITLAB_TOKEN is not set."
        learnings ci
      fi
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
"""
PIPELINE_TEXT = f"include:\n  {_ITEM}\n"
"""A pipeline with only our job."""
_INSTALLED = lazy_pattern(r"(?m)^[ \t]*- pip install .*learnings.*@([^\s\"'@#]+)")
_INCLUDE = lazy_pattern(r"(?m)^include[ \t]*:")
# The key `stages` with its value: the rest of its line, and the indented lines, items, comments and
# empty lines below.
_STAGES = lazy_pattern(r"(?m)^stages[ \t]*:.*(?:\n(?:[ \t]+.*|-.*|#.*)?$)*")
_DEFAULT_STAGE = lazy_pattern(r"(?<![\w-])test(?![\w-])")
_STAGE = lazy_pattern(r"(?m)^[ \t]+stage[ \t]*:")
_NAMED = lazy_pattern(rf"(?m)^[^#\n]*{JOB}")  # not in a comment


def lines_to_include(pipeline: str) -> tuple[str, ...]:
    """Return the lines that add our job to a pipeline; empty if it names the file."""
    if _NAMED.search(pipeline):
        return ()
    return (_ITEM,) if _INCLUDE.search(pipeline) else tuple(PIPELINE_TEXT.splitlines())


def stage_notes(pipeline: str, job: str) -> tuple[str, ...]:
    """Return a note if the job runs in a stage that the pipeline lacks."""
    stages = _STAGES.search(pipeline.replace("\r\n", "\n"))
    if stages is None or _DEFAULT_STAGE.search(stages[0]) or _STAGE.search(job):
        return ()
    note = f"{PIPELINE} has no stage `test` for the job; set `stage:` to one of its stages in {JOB}"
    return (note,)


def job_text(source: Origin) -> str:
    return _GITLAB_TEXT.format(requirement=source.requirement("gitlab"))


def with_job(text: str | None, source: Origin | None) -> EditedText:
    """Return the text of the job file. Raises ManualEditRequired for another, UsageProblem."""
    installed = _INSTALLED.search((text or "").replace("\r\n", "\n"))
    present = (JOB, "installs", installed[1]) if installed else None
    wanted = note = ""
    if source and can_install("gitlab", source):
        wanted = job_text(source)
        is_open = source.address.lower().startswith("http")
        key = f"{JOB} installs from {source.address}, for which the runner needs an SSH key"
        note = "" if is_open else key
    return _with_job(JOB, text, wanted, source, present, note=note)
