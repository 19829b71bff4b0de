"""Show a change of the memory by entry: added, reworded, moved, merged, archived, dropped, lost.

A and B are revisions. Without B, the command compares A with the working tree; without both, HEAD
with the working tree. For an entry that stays, it shows the changed words.

Exit code: 0 whatever changed, 2 for wrong usage or history.
"""

from __future__ import annotations

from learnings.app.verify.verification import diff_of
from learnings.surfaces.cli.commands import Args, Context

ARGUMENTS = """
a=A?  default: HEAD
b=B?  default: the working tree
+format diff
"""


def run(args: Args, context: Context) -> None:
    difference = diff_of(context.workspace, "HEAD" if args.a is None else args.a, args.b)
    context.show("diff", args.format, difference)
