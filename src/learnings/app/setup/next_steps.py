"""What comes after `learnings init`: commands that end in a first commit which passes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from learnings.app.check.baseline_file import load
from learnings.app.check.full_check import full_check
from learnings.app.setup.plan import Plan
from learnings.core.agents.model import Commands
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import Severity

MESSAGE = "Set up learnings"


class NextStep(NamedTuple):
    """A command for a shell in the folder of the user, and why it is there, else empty."""

    command: str
    reason: str = ""


def next_steps(plan: Plan, cwd: Path, *, commands: Callable[[], Commands]) -> list[NextStep]:
    """Return what to do once a plan is carried out, in order.

    Where the files have errors today, they are recorded first: otherwise the hooks refuse every
    commit until all are fixed.
    """
    steps, paths = [], [*plan.untracked, *(change.path for change in plan.changes)]
    try:
        errors, baseline = _new_errors(plan.root, commands)
    except LearningsError as error:  # a file that the hooks cannot read either
        errors, baseline = 0, ""
        steps.append(NextStep("learnings check", str(error)))
    if errors:
        number = "error" if errors == 1 else f"{errors} errors"
        reason = f"records the {number} of today: from now on only new ones fail"
        steps.append(NextStep("learnings baseline", reason))
        paths.append(baseline)
    if plan.installation:
        steps.append(NextStep(plan.installation))
    folder = os.path.realpath(cwd)
    relative = [os.path.relpath(plan.root / path, folder) for path in paths]
    words = " ".join(shlex.quote(Path(path).as_posix()) for path in relative)
    return [*steps, NextStep(f"git add {words}"), NextStep(f'git commit -m "{MESSAGE}"')]


def _new_errors(root: Path, commands: Callable[[], Commands]) -> tuple[int, str]:
    """Return the number of errors that no baseline knows, and the path of the baseline.

    They are those of `learnings baseline`, so of all hooks, wherever the user is.
    """
    result = full_check(root, commands=commands)
    file = load(result.workspace)
    new = [known for known in result.today if known.fingerprint not in file.known]
    return sum(known.severity is Severity.ERROR for known in new), file.path
