"""Find entries to settle before a consolidation: covered, superseded, contradicted, redundant.

FILE defaults to every configured learnings file, else to every discovered one. Several files are
reported one after another; JSON is always one document. Each finding proposes to drop an entry, to
add the rest of it to the section that covers it, to ask (escalate), or to look for its text.
--places also names the text to compare with each entry that has no other finding. The command
changes nothing.
"""

from __future__ import annotations

import argparse
from functools import partial

from learnings.app.consolidate.suggestions import prechecks_of
from learnings.surfaces.cli.commands import Context, add_flag
from learnings.surfaces.cli.reports import add_proposal_arguments, print_proposals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_proposal_arguments(parser, "precheck")
    add_flag(
        parser, "--places", "also show where another text says nearly the same, to compare by hand"
    )


def run(args: argparse.Namespace, context: Context) -> int:
    propose = partial(prechecks_of, places=args.places)
    return print_proposals("precheck", propose, args, context)
