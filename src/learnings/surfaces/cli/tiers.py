"""Compact the raw JSON files of work units into themes under an index.

status: count the raw files and say whether a compaction is due. check: report errors in INDEX.md,
the themes and the raw files. compact: if due, merge similar observations into themes and update
INDEX.md; raw files do not change. --plan --output FILE writes the proposed themes to a file that
you can edit and apply at any time. promote: propose findings of two or more work units as rules for
patterns.md. Without a folder of raw files, the command reports nothing.

Exit code: 0 if all is well, 1 if check reports a finding, 2 for wrong usage, a refused plan, or a
file that cannot be written.
"""

from __future__ import annotations

from contextlib import suppress

from learnings.core.errors import UsageProblem
from learnings.core.text import encode, printable
from learnings.forms.tiers import (
    apply_tier_plan,
    compact,
    plan_compaction,
    promotions,
    read_tier_folder,
    report_on_tiers,
)
from learnings.forms.verdict_words import shell_word
from learnings.store.files import WriteError
from learnings.surfaces.cli.commands import CLEAN, WRONG, Args, Context
from learnings.surfaces.cli.output import write_file, write_plan
from learnings.surfaces.render.tiers import (
    PromotedRules,
    TierCompaction,
    TierStatus,
    skipped_lines,
)
from learnings.tiers.compaction import Account, account_of
from learnings.tiers.plan import RefusedTierPlan, applied_plan, is_applied, tier_plan_text
from learnings.workspace.disk import exists, read_file

ARGUMENTS = """
action=status|check|compact|promote
-n --dry-run --plan  compact: print what it would write; write nothing
--output PLAN        compact --plan: write the themes to this file to edit
--apply PLAN         compact: write the themes of this plan
--auto               compact: do nothing if auto-compact is off; for skills
--now INSTANT        compact: time to record, such as 2026-02-12T14:30:00Z (default: now)
--verbose            print the skipped files with the reasons
+format tiers-status
"""


def run(args: Args, context: Context) -> int:
    _refuse_misplaced(args)
    workspace = context.workspace
    if args.verbose and (files := read_tier_folder(workspace)):
        context.note(*skipped_lines(files))
    if args.action == "check":
        report = report_on_tiers(workspace)
        context.show("findings", args.format, report)
        return int(report.fails())
    if args.action == "compact":
        return _compact(args, context)
    if args.action == "promote":
        context.show("tiers-promote", args.format, PromotedRules(*promotions(workspace)))
        return CLEAN
    files = read_tier_folder(workspace)
    account = account_of(files) if files else Account(0, 0, ())
    status = TierStatus(files, workspace.settings.tiers, account)
    context.show("tiers-status", args.format, status)
    return CLEAN


def _refuse_misplaced(args: Args) -> None:
    options = {"--dry-run": args.dry_run, "--output": args.output, "--apply": args.apply}
    options |= {"--auto": args.auto, "--now": args.now is not None}
    given = [name for name, value in options.items() if value]
    if given and args.action != "compact":
        raise UsageProblem(f"{given[0]} needs `learnings tiers compact`; leave it out")
    if args.output and not args.dry_run:
        raise UsageProblem("--output needs --plan; add it")
    others = [name for name in given if name not in ("--apply", "--now")]
    if args.apply and others:
        raise UsageProblem(f"--apply and {others[0]} exclude each other; leave one of them out")


def _compact(args: Args, context: Context) -> int:
    workspace = context.workspace
    now, settings = context.clock.instant(args.now), workspace.settings.tiers
    is_off = args.auto and not settings.auto_compact
    if args.apply:
        data = read_file(context.folder / args.apply, shown=args.apply)
        try:
            plan = apply_tier_plan(workspace, data, now)
        except RefusedTierPlan as refused:
            context.note(*(f"{args.apply}:{one.line}: {one.message}" for one in refused.problems))
            return WRONG
        if plan is None:
            context.note(f"{printable(args.apply)}: nothing to do; the themes are already so")
        with suppress(WriteError):  # the next plan needs another name then
            write_file(context.folder / args.apply, data, applied_plan(data))
    else:
        plan = None if is_off else (plan_compaction if args.dry_run else compact)(workspace, now)
    if args.output and not is_off and (files := read_tier_folder(workspace)):
        data = encode(tier_plan_text(files))
        path, shown = context.folder / args.output, printable(args.output)
        before = read_file(path, shown=args.output) if exists(path) else None
        write_plan(path, before, data, is_done=is_applied(before or b""), shown=args.output)
        if args.format == "text":
            command = f"learnings tiers compact --apply {shell_word(args.output)}"
            context.out.write(f"next: edit {shown}, then {command}\n")
            return CLEAN
    is_written = plan is not None and not args.dry_run
    context.show("tiers-compact", args.format, TierCompaction(plan, settings, is_written))
    return CLEAN
