"""Find missing parts of the set-up, and print the commands that add them.

The command checks the hooks, the merge driver, the workflow, the plugin, the instructions that lead
agents to the memory, the history and the versions. It changes nothing.

Exit code: 0, with --exit-code 1 if a part is missing.
"""

from __future__ import annotations

from learnings.app.setup.doctor import setup_report
from learnings.surfaces.cli.commands import CLEAN, FINDINGS, Args, Context

ARGUMENTS = """
+format doctor
--exit-code  exit with 1 if a part is missing
"""


def run(args: Args, context: Context) -> int:
    report = setup_report(context.workspace)
    context.show("doctor", args.format, report)
    return FINDINGS if args.exit_code and report.missing else CLEAN
