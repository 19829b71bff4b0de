"""Find entries to settle before a consolidation: covered, superseded or redundant.

Each finding proposes to drop an entry, to add its missing part to the section that covers it, to
ask (escalate), or to look at the evidence. The command changes nothing. FILE defaults to every
configured learnings file, else to every discovered one. Several files give one report after
another; JSON is always one document.
"""

from __future__ import annotations

from learnings.app.consolidate.suggestions import prechecks_of
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import print_proposals

ARGUMENTS = """
+files
+selection
+quiet
+format precheck
"""


def run(args: Args, context: Context) -> int:
    return print_proposals("precheck", prechecks_of, args, context)
