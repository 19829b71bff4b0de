"""Suggest target files for the entries of the batch, each with a section and reasons.

FILE defaults to every configured learnings file, else to every discovered one. Several files give
one report after another; JSON is always one document. The ranks are a proposal: neither a score nor
its distance to the next score measures certainty.
"""

from __future__ import annotations

from learnings.app.consolidate.suggestions import routes_of
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import print_proposals

ARGUMENTS = """
+files
+selection
+quiet
+format routes
"""


def run(args: Args, context: Context) -> int:
    return print_proposals("routes", routes_of, args, context)
