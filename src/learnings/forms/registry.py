"""The forms of memory, in the order in which outputs name them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from learnings.forms.confidence.form import ConfidenceForm
from learnings.forms.learnings import LearningsForm
from learnings.forms.memory_form import FormStatus, MemoryForm
from learnings.forms.tier_form import TierForm
from learnings.workspace.workspace import Workspace

LEARNINGS = LearningsForm()
FORMS: tuple[MemoryForm, ...] = (LEARNINGS, ConfidenceForm(), TierForm())


def forms_here(workspace: Workspace) -> tuple[MemoryForm, ...]:
    """Return the forms of memory that a repository has. Raises BadSettings."""
    return tuple(form for form in FORMS if form.is_here(workspace))


def others_here(workspace: Workspace) -> tuple[MemoryForm, ...]:
    """Return the forms other than learnings files, which have their own verdicts and batches."""
    return tuple(form for form in FORMS if form is not LEARNINGS and form.is_here(workspace))


def statuses_here(workspace: Workspace) -> tuple[FormStatus, ...]:
    """Return the status of every memory of a repository. Raises BadSettings."""
    return tuple(one for form in forms_here(workspace) for one in form.statuses(workspace))


def no_file(workspace: Workspace) -> str:
    """Return the sentence for a command without a FILE that found none."""
    from learnings.workspace.skipped import nothing_found, skipped_files  # noqa: PLC0415  (seldom needed)

    return nothing_here(workspace, partial(nothing_found, skipped_files(workspace)))


def nothing_here(workspace: Workspace, sentence: Callable[..., str]) -> str:
    """Return a sentence that no learnings file was found, with the existing other memories.

    The function `sentence` takes has_advice, which is False if there are other memories.
    """
    titles = [form.title[0].lower() + form.title[1:] for form in others_here(workspace)]
    said = sentence(has_advice=not titles)
    return f"{said}; run `learnings` for the {' and the '.join(titles)} here" if titles else said


def needs_most(statuses: tuple[FormStatus, ...]) -> FormStatus | None:
    """Return the status to act on first, broken ones of its form before others, or None."""
    needing = [status for status in statuses if status.needs_action]
    of_first = [status for status in needing if status.form.name == needing[0].form.name]
    return next((status for status in of_first if status.problem), next(iter(needing), None))
