"""The job for GitLab CI/CD of `learnings init --gitlab`, and the search for it in a pipeline."""

from __future__ import annotations

from pathlib import Path

from learnings import REVISION, requirement
from learnings.app.setup.text_steps import EditedText, ManualEditRequired
from learnings.app.setup.workflow_step import remote_hosts
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, decode
from learnings.workspace.disk import content_of, is_file

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
    wanted = job_text()
    if text is None:
        return EditedText(wanted)
    plain = text.removeprefix(BOM).replace("\r\n", "\n")
    if plain == wanted:
        return EditedText(text, (f"{JOB} is already up to date",))
    installed = _INSTALLED.search(plain)
    if installed is None or "learnings" not in installed[0]:
        sentence = (
            f"{JOB} exists with different content and was not changed; add the job above to "
            f"it, or rename the file and run this again"
        )
        raise ManualEditRequired(sentence, wanted.splitlines())
    note = f"{JOB} already installs learnings and was not changed"
    if installed[1] != REVISION:
        note += f"; it installs {installed[1]}, change that to {REVISION}"
    return EditedText(text, (note,))


def has_job(root: Path) -> bool:
    """Return True if the pipeline of a repository names our job file."""
    pipeline = root / PIPELINE
    return is_file(pipeline) and not lines_to_include(decode(content_of(pipeline)))


def is_on_gitlab(root: Path) -> bool:
    """Return True if a remote host is named like GitLab, or there is a pipeline."""
    if is_file(root / PIPELINE):
        return True
    return any("gitlab" in host.split(".") for host in remote_hosts(root))
