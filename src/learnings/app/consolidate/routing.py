"""Where entries could go, for the command, the plan and the issue alike."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.consolidate.inputs import Inputs
from learnings.consolidation.routes.routes import Route, routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
from learnings.core.errors import UntrustedHistory


def routes_of(inputs: Inputs) -> Sequence[Route]:
    """Return the target files for each entry of some inputs, best first.

    Without a history that can be trusted the ranking goes by the texts alone.
    """
    return routes(
        inputs.entries,
        inputs.targets,
        line_limit=inputs.file_query.workspace.settings.line_limit,
        activity=_target_activity(inputs),
    )


def _target_activity(inputs: Inputs) -> TargetActivity | None:
    if inputs.dates is None or not inputs.targets or not inputs.entries:
        return None
    from learnings.history.opening import open_history  # noqa: PLC0415  (only with history)
    from learnings.history.transfers import transfers  # noqa: PLC0415  (as above)

    try:
        with open_history(inputs.file_query.query) as history:
            return target_activity_of(transfers(history, inputs.target_paths))
    except UntrustedHistory:
        return None
