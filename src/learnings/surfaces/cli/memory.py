"""Manage a memory of scored entries: distil observations of stories into YAML.

curate: apply the observations of each FILE, by default of every file not yet captured, oldest
first. It writes the entries and records the applied observations, so a second run changes nothing.

check: report errors in the files of the memory and in their numbers compared with the last commit.
stats: summarise the memory. brief: print what to know before working on the story in the file of
--story.

Exit code: 0 if all is well, 1 if check finds an error or curate left out an observation, 2 for
wrong usage or settings, or a file that cannot be read or written; then nothing was changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from learnings.confidence.documents.settings_text import NUMBERS, parse_number
from learnings.confidence.summaries import Briefing, Statistics, brief, statistics
from learnings.core.errors import UsageProblem
from learnings.core.text import decode, quoted_if_empty
from learnings.forms.confidence.curating import CurateResult, curate_result
from learnings.forms.confidence.loaded_memory import Numbers, load_memory, report_on_memory
from learnings.forms.confidence.memory_folder import ConfidenceFolder, memory_folder_of
from learnings.store.files import Change, write_planned
from learnings.surfaces.cli.commands import CLEAN, FINDINGS, FORMATS, Args, Context
from learnings.surfaces.render.memory import CurationReport
from learnings.workspace.clock import parse_date
from learnings.workspace.disk import named_file, read_file, refuse_outside
from learnings.workspace.workspace import Workspace

RESULTS = {"curate": "curation", "check": "findings", "stats": "statistics", "brief": "briefing"}
"""The result of each action, a key of FORMATS."""


ARGUMENTS = f"""
action={"|".join(RESULTS)}
files=FILE...         curate: observations files
--format FORMAT:{"|".join(FORMATS["findings"])}  text or json; check: every format
--story FILE          brief: file with the text of the story
--workflow-type TYPE  curate: type of workflows that state none
--today DATE          curate: date of the changes
-n --dry-run          curate: print the changes; write nothing
+quiet
+numbers
"""


def run(args: Args, context: Context) -> int:
    args.format = args.format or "text"
    _refuse_misplaced(args)
    folder = memory_folder_of(context.workspace)
    numbers = _numbers(args)
    if not folder.exists:
        sentence = f"no folder {folder.path} here, so there is nothing to do"
        context.note(sentence, unless=args.quiet)
        if args.format == "text":
            return CLEAN
    if args.action == "curate":
        named = [_observations_file(name, context.workspace) for name in args.files]
        return _curate(args, folder, named, numbers, context)
    if args.action == "check":
        report = report_on_memory(folder, numbers=numbers)
        context.show("findings", args.format, report)
        return FINDINGS if report.fails() else CLEAN
    return _show(args, folder, numbers, context)


def _refuse_misplaced(args: Args) -> None:
    action, result = args.action, RESULTS[args.action]
    own = {"curate": ("files", "workflow_type", "today", "dry_run"), "brief": ("story",)}
    for other, names in own.items():
        given = [name for name in names if getattr(args, name)] if other != action else []
        if given:
            name = "FILE" if given[0] == "files" else _option(given[0])
            raise UsageProblem(
                f"memory {action} takes no {name}, which is for {other}; leave it out"
            )
    if args.format not in FORMATS[result]:
        formats = " or ".join(FORMATS[result])
        raise UsageProblem(f"memory {action} has no format {args.format}; choose {formats}")
    if action == "brief" and args.story is None:
        raise UsageProblem("memory brief needs --story FILE, a file with the text of the story")


def _curate(
    args: Args, folder: ConfidenceFolder, named: Sequence[str], numbers: Numbers, context: Context
) -> int:
    """Complete the work of a killed run, then curate."""
    date = parse_date(args.today) if args.today is not None else context.clock.today()
    curate = partial(
        curate_result,
        folder,
        today=date,
        named=named,
        workflow_type=args.workflow_type,
        numbers=numbers,
    )
    result = curate() if args.dry_run else write_planned(folder.root, curate, _steps)
    if result.completes and not args.dry_run:
        if args.format == "text":
            context.show("curation", args.format, CurationReport(result, is_written=True))
        result = write_planned(folder.root, curate, _steps)
    context.show("curation", args.format, CurationReport(result, is_written=not args.dry_run))
    if args.format == "text":
        context.note(*result.problems)
    return CLEAN if result.is_complete else FINDINGS


def _steps(result: CurateResult) -> tuple[Sequence[Change], Sequence[Change]]:
    return [result.applied] if result.applied else [], result.files


def _show(args: Args, folder: ConfidenceFolder, numbers: Numbers, context: Context) -> int:
    """Print a briefing or the statistics; return 1 if a file of the memory was left out."""
    loaded = load_memory(folder, numbers=numbers, with_observations=False)
    result: Briefing | Statistics
    if args.action == "brief":
        story = decode(read_file(named_file(args.story, context.folder), shown=args.story))
        result = brief(loaded.memory, story, loaded.settings)
    else:
        result = statistics(loaded.memory, loaded.settings)
    context.show(RESULTS[args.action], args.format, result)
    context.note(*loaded.problems)
    return FINDINGS if loaded.problems else CLEAN


def _observations_file(name: str, workspace: Workspace) -> str:
    """Return the path of an observations file from the root; its folder must exist."""
    path = workspace.start / name
    refuse_outside(path, workspace.start, shown=name, on_disk=False)
    relative = workspace.relative(path)
    if not name or relative is None or not path.parent.is_dir() or path.is_dir():
        raise UsageProblem(f"{quoted_if_empty(name)} is not an observations file; name one")
    return relative


def _numbers(args: Args) -> Numbers:
    numbers = {}
    for key, number in NUMBERS.items():
        text = getattr(args, key)
        if text is not None:
            value = parse_number(key, text)
            if value is None:
                raise UsageProblem(
                    f"{_option(key)} takes {number.wants}, not {quoted_if_empty(text)}; correct it"
                )
            numbers[key] = value
    return numbers


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
