"""List all rules: id, severity, the roles of the files they check, and what they find.

`learnings explain RULE` prints the documentation of a rule. The role `none` stands for a file
without a role that is named on the command line.
"""

from __future__ import annotations

from learnings.rules import RULES
from learnings.surfaces.cli.commands import Args, Context

ARGUMENTS = "+format rules"


def run(args: Args, context: Context) -> None:
    context.show("rules", args.format, RULES)
