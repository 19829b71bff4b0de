"""Learning tiers: raw JSON files of work units, compacted to themes under an index.

status: how many raw files there are, and whether a compaction is due. check: what is wrong with
INDEX.md, the themes and the raw files. compact: where that is due, puts what is alike into themes
and updates INDEX.md; raw files stay as they are. promote: what two or more work units have found,
as rules for patterns.md. Without a folder of raw files there is nothing to say. Exit code: 0, 1
where check finds something, 2 wrong usage, or a file that cannot be written.
"""

from __future__ import annotations

import argparse

from learnings.core.errors import UsageProblem
from learnings.forms.tier_folder import has_tier_folder, tier_settings_of
from learnings.forms.tiers import (
    compact,
    plan_compaction,
    promotions,
    read_tier_folder,
    report_on_tiers,
    tier_folder_state,
)
from learnings.surfaces.cli.commands import add_flag
from learnings.surfaces.cli.context import Context
from learnings.surfaces.cli.formats import add_format_option, renderer
from learnings.surfaces.render.tiers import skipped_lines

ACTIONS = ("status", "check", "compact", "promote")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    parser.add_argument(
        "--dry-run",
        "--plan",
        action="store_true",
        help="compact: print what it would write, and write nothing",
    )
    add_flag(parser, "--auto", "compact: do nothing if auto-compact is off; for skills")
    parser.add_argument(
        "--now",
        metavar="INSTANT",
        help="compact: the time to write, as 2026-02-12T14:30:00Z; default: the present one",
    )
    add_flag(parser, "--verbose", "name the files that are skipped, with the reasons")
    add_format_option(parser, "tiers_status")


def run(args: argparse.Namespace, context: Context) -> int:
    options = {"--dry-run": args.dry_run, "--auto": args.auto, "--now": args.now is not None}
    if args.action != "compact" and any(options.values()):
        option = next(option for option, is_given in options.items() if is_given)
        raise UsageProblem(f"{option} belongs to `learnings tiers compact`; leave it out")
    workspace = context.workspace
    if args.verbose and has_tier_folder(workspace):
        lines = skipped_lines(read_tier_folder(workspace))
        context.err.writelines(f"learnings: {line}\n" for line in lines)
    if args.action == "check":
        report = report_on_tiers(workspace)
        context.out.write(renderer("findings", args.format)(report))
        return int(report.fails())
    render = renderer(f"tiers_{args.action}", args.format, context.out)
    if args.action == "status":
        text = render(tier_folder_state(workspace), tier_settings_of(workspace))
    elif args.action == "promote":
        text = render(promotions(workspace))
    else:
        now, settings = context.clock.instant(args.now), tier_settings_of(workspace)
        is_off = args.auto and not settings.auto_compact
        plan = None if is_off else (plan_compaction if args.dry_run else compact)(workspace, now)
        text = render(plan, settings, written=plan is not None and not args.dry_run)
    context.out.write(text)
    return 0
