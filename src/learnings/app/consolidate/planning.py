"""From a learnings file to the plan that is proposed for it."""

from __future__ import annotations

from learnings.app.consolidate.grouping import groups_of
from learnings.app.consolidate.inputs import Inputs
from learnings.app.consolidate.routing import routes_of
from learnings.app.consolidate.settling import prechecks_of
from learnings.consolidation.plan.model import Plan
from learnings.consolidation.plan.prefill import Proposals, proposed_plan


def plan_for(inputs: Inputs) -> Plan:
    """Return the plan for the entries of some inputs.

    Groups are those of the whole file, as far as they are among these entries.
    """
    grouping = groups_of(inputs.document, inputs.file_query.workspace.settings)
    proposals = Proposals(grouping.groups, prechecks_of(inputs), routes_of(inputs))
    return proposed_plan(inputs.file, inputs.entries, proposals, inputs.targets)
