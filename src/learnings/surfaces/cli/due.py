"""Report whether consolidation is due, and why.

A file is due if it is long or stale and enough of its entries are old enough. FILE defaults to
every configured learnings file, else to every discovered one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from learnings.core.due.verdicts import DUE, NOT_DUE
from learnings.core.errors import MissingConfigured, UsageProblem
from learnings.forms.registry import no_file, others_here
from learnings.surfaces.cli.arguments import history_options
from learnings.surfaces.cli.commands import CLEAN, FORMATS, Args, Context, note_line
from learnings.surfaces.render.due import DueResult
from learnings.workspace.memory_file import ChosenFiles, MemoryFolder, chosen_files, judge_all

if TYPE_CHECKING:
    from learnings.app.consolidate.entry_references import Evidence


ARGUMENTS = """
+files
+format due
--exit-code  exit with 1 if a file is due
--replay     replay the history: print when a file was due, and what each consolidation did then
--brief      with --format json: print only the verdict, counts and the next command
--quiet      print only files that are due, without notes
--hook
+history
+thresholds
"""


def run(args: Args, context: Context) -> int:
    """Return 0, 1 with --exit-code if a file is due, 2 if a history cannot be trusted.

    As a hook it does not stop a push if the answer is unknown; it prints the reason.
    """
    if args.brief and (args.format != "json" or args.replay):
        raise UsageProblem("--brief needs --format json, and excludes --replay")
    history = history_options(args)
    chosen = chosen_files(args.files, context.workspace, history)
    is_about_files = args.files or args.at or args.replay
    others = () if is_about_files else others_here(context.workspace)
    if not (chosen.files or chosen.errors or others):
        context.note(no_file(context.workspace), unless=args.quiet)
    if args.replay:
        return _replay(chosen, args.format, context)
    verdicts, errors = judge_all(chosen.files)
    errors = [*chosen.errors, *errors]
    is_misused = not all(isinstance(error, MissingConfigured) for error in chosen.errors)
    lenient = args.hook and not args.exit_code and not is_misused
    for sentence in dict.fromkeys(str(error) for error in errors):
        stream = context.out if lenient else context.err
        stream.write(note_line(sentence, stream))
    due = [verdict for verdict in verdicts if verdict.verdict == DUE]
    is_brief = args.hook or args.quiet or args.format == "github"
    statuses = [
        status
        for form in others
        if form.is_quick or not is_brief
        for status in form.statuses(context.workspace)
    ]
    if verdicts or not errors:
        # A document lists every verdict; its reader selects.
        is_short = args.quiet and args.format == "text"
        shown = [status for status in statuses if status.needs_action or not is_short]
        evidence: Mapping[str, Evidence] = {}
        if not (is_brief or args.brief) and any(v.verdict != NOT_DUE for v in verdicts):
            from learnings.app.consolidate.entry_references import batch_evidence  # noqa: PLC0415  (most files are not due)

            evidence = batch_evidence(chosen.files, verdicts)
        result = DueResult(due if is_short else verdicts, shown, evidence)
        context.show("due-brief" if args.brief else "due", args.format, result)
    if errors and not lenient:
        return 2
    needs_action = due or any(status.counts for status in statuses)
    return int(args.exit_code and bool(needs_action))


def _replay(chosen: ChosenFiles, format_name: str, context: Context) -> int:
    for error in chosen.errors:
        raise error
    if format_name not in FORMATS["replay"]:
        listed = ", ".join(FORMATS["replay"])
        raise UsageProblem(f"--replay has no format {format_name}; choose one of {listed}")
    from learnings.app.memory_report import replays  # noqa: PLC0415  (a verdict does without)

    files = []
    for file in chosen.files:
        if isinstance(file, MemoryFolder):
            sentence = f"{file.name} is a folder, and --replay reads only files; it is left out"
            context.note(sentence)
        else:
            files.append(file)
    context.show("replay", format_name, replays(files))
    return CLEAN
