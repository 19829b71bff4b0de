"""From a learnings file to the plan that is proposed for it."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.consolidate.inputs import Inputs
from learnings.app.consolidate.settling import prechecks_of
from learnings.consolidation.groups.groups import propose
from learnings.consolidation.groups.partition import levels_of
from learnings.consolidation.plan.model import Plan
from learnings.consolidation.plan.prefill import Proposals, proposed_plan
from learnings.consolidation.routes.routes import Route, routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
from learnings.core.errors import UntrustedHistory
from learnings.history.transfers import transfers


def plan_for(inputs: Inputs) -> Plan:
    """Return the plan for the entries of some inputs.

    Groups are those of the whole file, as far as they are among these entries.
    """
    levels = levels_of(inputs.file_query.workspace.settings.eagerness)
    grouping = propose(inputs.document.entries, with_neighbours=False, levels=levels)
    proposals = Proposals(grouping.groups, prechecks_of(inputs), _routes(inputs))
    return proposed_plan(inputs.file, inputs.entries, proposals, inputs.targets)


def _routes(inputs: Inputs) -> Sequence[Route]:
    return routes(
        [entry for entry in inputs.entries if not entry.superseded],
        inputs.targets,
        line_limit=inputs.file_query.workspace.settings.line_limit,
        activity=_target_activity(inputs),
    )


def _target_activity(inputs: Inputs) -> TargetActivity | None:
    if inputs.dates is None or not inputs.targets or not inputs.entries:
        return None
    try:
        return target_activity_of(transfers(inputs.file_query.query, inputs.target_paths))
    except UntrustedHistory:
        return None
