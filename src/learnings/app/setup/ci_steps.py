"""The CI job of `learnings init --github` and `--gitlab`, and the search for one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnings import REPOSITORY, REVISION, requirement
from learnings.app.setup.hooks import printed
from learnings.app.setup.text_steps import EditedText, ManualEditRequired
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, decode
from learnings.history.git.repository import current_branch
from learnings.workspace.disk import content_of, is_file, is_folder

WORKFLOWS = ".github/workflows"
WORKFLOW = f"{WORKFLOWS}/learnings.yml"
_OWNER_AND_NAME = REPOSITORY.partition("github.com/")[2]
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
      issues: write # for the job that keeps the issue; the one for pull requests has no such permission
    uses: {name}/.github/workflows/learnings.yml@{revision}
"""  # noqa: E501  (the line of the example)
# Chosen: far above any repository.
_MOST_WORKFLOWS = 500
_CALL = lazy_pattern(
    rf"(?im)^[ \t]*(?:-[ \t]+)?uses:[ \t]*[\"']?{_OWNER_AND_NAME}(?:/[^@\s]*)?@([^\s\"'#]+)"
    r"[\"']?(?:[ \t]+#[ \t]*(v\d\S*))?"
)
_COMMAND = lazy_pattern(r"\blearnings (?:ci|check|verify)\b")
# Without the workflow that runs only on a schedule.
_CHECKS_CHANGES = lazy_pattern(r"\bpull_request\b")
# Names that every YAML reader takes as strings, and that are not special in a branch filter.
_PLAIN = lazy_pattern(r"(?!(?:y|n|yes|no|on|off|true|false|null)\Z)[a-zA-Z][\w./-]*\Z")
_FILTER_SIGNS = lazy_pattern(r"[+!*?\[\]]")
_HEADS = ("refs/heads/", "refs/remotes/")
_COMMON_NAMES = ("main", "master")


class DefaultBranch(NamedTuple):
    """The default branch of a repository; is_known is False if no remote names it."""

    name: str
    is_known: bool


def default_branch(root: Path) -> DefaultBranch:
    """Return the default branch that a remote names, else the most likely one.

    The HEAD of `origin`, or of the only remote, names it. Otherwise it is `init.defaultBranch` if
    that branch exists, else `main` or `master` if one exists, else the current branch, else `main`.
    """
    remotes = printed(root, "remote").split()
    remote = "origin" if "origin" in remotes else remotes[0] if len(remotes) == 1 else ""
    if remote:
        prefix = f"refs/remotes/{remote}/"
        head = printed(root, "symbolic-ref", "--quiet", f"{prefix}HEAD")
        if head.startswith(prefix):
            return DefaultBranch(head.removeprefix(prefix), is_known=True)
    listed = printed(root, "for-each-ref", "--format=%(refname)", *_HEADS).split()
    names = {name.removeprefix("refs/heads/") for name in listed}
    names |= {name.removeprefix(f"refs/remotes/{remote}/") for name in listed if remote}
    configured = printed(root, "config", "--get", "init.defaultBranch")
    common = [name for name in _COMMON_NAMES if name in names]
    if configured in names:
        name = configured
    elif len(common) == 1:
        name = common[0]
    else:
        name = current_branch(root) or _COMMON_NAMES[0]
    return DefaultBranch(name, is_known=False)


def workflow_text(branch: str) -> str:
    """Return the workflow of a repository with this default branch."""
    if _PLAIN.match(branch.lower()) is None:
        branch = json.dumps(_FILTER_SIGNS.sub(lambda match: f"\\{match[0]}", branch))
    return _GITHUB_TEXT.format(branch=branch, name=_OWNER_AND_NAME, revision=REVISION)


class OwnWorkflow(NamedTuple):
    """The path of a workflow that calls our workflow or action.

    revision is the called version; for a commit, the tag in the comment after it, if any.
    """

    path: str
    revision: str
    checks_changes: bool


def own_workflows(root: Path) -> Iterator[OwnWorkflow]:
    """Yield the workflows of a repository that call our workflow or action."""
    for path, text in _workflows(root):
        call = _CALL.search(text)
        if call is not None:
            is_check = _CHECKS_CHANGES.search(text) is not None
            yield OwnWorkflow(path, call[2] or call[1], is_check)


def checking_workflow(root: Path) -> str | None:
    """Return the path of a workflow that calls us or runs one of our commands, or None."""
    runs = (path for path, text in _workflows(root) if _CALL.search(text) or _COMMAND.search(text))
    return next(runs, None)


def _workflows(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each workflow."""
    try:
        names = sorted(os.listdir(root / WORKFLOWS))  # noqa: PTH208  (names, not paths)
    except OSError:
        return
    for name in names[:_MOST_WORKFLOWS]:
        path = root / WORKFLOWS / name
        if name.endswith((".yml", ".yaml")) and is_file(path):
            yield f"{WORKFLOWS}/{name}", decode(content_of(path))


def is_on_github(root: Path) -> bool:
    """Return True if a remote is on GitHub, or the repository has files for it."""
    if is_folder(root / ".github"):
        return True
    return any(f".{host}".endswith(".github.com") for host in remote_hosts(root))


def remote_hosts(root: Path) -> Iterator[str]:
    """Yield the host in the address of each remote, in lower case."""
    rows = printed(root, "config", "--get-regexp", r"^remote\..*\.url$")
    for row in rows.splitlines():
        url = row.partition(" ")[2]
        host = url.partition("://")[2] or url
        yield host.partition("/")[0].rpartition("@")[2].partition(":")[0].lower()


def with_workflow(text: str | None, root: Path) -> EditedText:
    """Return the text of the workflow, or "" for none; raises ManualEditRequired.

    A file of that name with other content, and another workflow that calls us, do not change.
    """
    branch = default_branch(root)
    own = next((own for own in own_workflows(root) if own.checks_changes), None)
    present = _present(own.path, "calls", own.revision) if own else ""
    note = (
        f"no remote names its default branch, so {WORKFLOW} uses {branch.name}; change it there "
        "if the default branch has another name"
    )
    notes = () if branch.is_known else (note,)
    return _with_job(WORKFLOW, text, workflow_text(branch.name), present=present, notes=notes)


def _present(path: str, does: str, revision: str) -> str:
    note = f"{path} already {does} learnings and was not changed"
    advice = f"; it {does} {revision}, change that to {REVISION}"
    return note if revision == REVISION else f"{note}{advice}"


def _with_job(
    path: str, text: str | None, wanted: str, *, present: str, notes: tuple[str, ...] = ()
) -> EditedText:
    """Return a new file, or one that stays; raises ManualEditRequired for other content.

    present is the note if a file already does what is wanted, else empty.
    """
    if text is not None and text.removeprefix(BOM).replace("\r\n", "\n") == wanted:
        return EditedText(text, (f"{path} is already up to date",))
    if present:
        return EditedText(text or "", (present,))
    if text is not None:
        sentence = (
            f"{path} exists with different content and was not changed; add the job above to it, "
            "or rename the file and run this again"
        )
        raise ManualEditRequired(sentence, wanted.splitlines())
    return EditedText(wanted, notes)


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
  needs: [] # waits for no other job
  variables:
    GIT_DEPTH: "0" # the age of an entry comes from the whole history
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH # schedules, too
  script:
    - pip install --quiet "{{requirement}}"
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
_INSTALLED = lazy_pattern(r"(?m)^[ \t]*- pip install .*@([^\s\"'@#]+)")
_INCLUDE = lazy_pattern(r"(?m)^include[ \t]*:")
# The key `stages` with its value: the rest of its line, and the indented lines, items, comments and
# empty lines below.
_STAGES = lazy_pattern(r"(?m)^stages[ \t]*:.*(?:\n(?:[ \t]+.*|-.*|#.*)?$)*")
_DEFAULT_STAGE = lazy_pattern(r"(?<![\w-])test(?![\w-])")
_STAGE = lazy_pattern(r"(?m)^[ \t]+stage[ \t]*:")
_NAMED = lazy_pattern(rf"(?m)^[^#\n]*{JOB}")  # not in a comment


def job_text() -> str:
    return _GITLAB_TEXT.format(requirement=requirement("gitlab"))


def pipeline_text() -> str:
    """Return a pipeline with only our job."""
    return f"include:\n  {_ITEM}\n"


def lines_to_include(pipeline: str) -> tuple[str, ...]:
    """Return the lines that add our job to a pipeline; empty if it names the file."""
    if _NAMED.search(pipeline):
        return ()
    return (_ITEM,) if _INCLUDE.search(pipeline) else tuple(pipeline_text().splitlines())


def stage_notes(pipeline: str, job: str) -> tuple[str, ...]:
    """Return a note if the job runs in a stage that the pipeline lacks."""
    stages = _STAGES.search(pipeline.replace("\r\n", "\n"))
    if stages is None or _DEFAULT_STAGE.search(stages[0]) or _STAGE.search(job):
        return ()
    note = f"{PIPELINE} has no stage `test` for the job; set `stage:` to one of its stages in {JOB}"
    return (note,)


def with_job(text: str | None) -> EditedText:
    """Return the text of the job file. Raises ManualEditRequired if it has other content."""
    installed = _INSTALLED.search((text or "").removeprefix(BOM).replace("\r\n", "\n"))
    is_own = installed is not None and "learnings" in installed[0]
    present = _present(JOB, "installs", installed[1]) if installed and is_own else ""
    return _with_job(JOB, text, job_text(), present=present)


def has_job(root: Path) -> bool:
    """Return True if the pipeline of a repository names our job file."""
    pipeline = root / PIPELINE
    return is_file(pipeline) and not lines_to_include(decode(content_of(pipeline)))


def is_on_gitlab(root: Path) -> bool:
    """Return True if a remote host is named like GitLab, or there is a pipeline."""
    if is_file(root / PIPELINE):
        return True
    return any("gitlab" in host.split(".") for host in remote_hosts(root))
