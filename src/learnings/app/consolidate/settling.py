"""What to settle before a consolidation, for the command, the plan and the issue alike."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.consolidate.inputs import Inputs
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.precheck import Precheck
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.redundancy import Thresholds
from learnings.core.due.rule_facts import Resurrected
from learnings.core.errors import UntrustedHistory


def prechecks_of(inputs: Inputs) -> Sequence[Precheck]:
    """Return the findings of the pre-checks on the entries of some inputs.

    Without a history that can be trusted no entry is known to have come back.
    """
    settings = inputs.file_query.workspace.settings
    return prechecks(
        inputs.entries,
        inputs.targets,
        entries=inputs.document.entries,
        order=Order(inputs.document.entries, inputs.dates or {}),
        resurrected=_resurrected(inputs),
        thresholds=Thresholds(settings.coverage, settings.coverage_perhaps),
    )


def _resurrected(inputs: Inputs) -> Sequence[Resurrected]:
    if inputs.dates is None or not inputs.entries:
        return ()
    from learnings.history.opening import open_history  # noqa: PLC0415  (only with history)
    from learnings.history.rule_facts import history_facts  # noqa: PLC0415  (as above)

    try:
        with open_history(inputs.file_query.query) as history:
            return history_facts(history).resurrected
    except UntrustedHistory:
        return ()
