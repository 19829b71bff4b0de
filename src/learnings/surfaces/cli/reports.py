"""Reports on several files: one after another, or one JSON document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from learnings.core.errors import (
    LearningsError,
    MissingConfigured,
    MissingFile,
    UntrustedHistory,
    UnusableFile,
)
from learnings.surfaces.cli.commands import CLEAN, Args, Context, code_of, document_of, renderer
from learnings.workspace.memory_file import ChosenFiles, MemoryFile, chosen_files

if TYPE_CHECKING:
    from learnings.app.consolidate.inputs import Inputs
    from learnings.surfaces.render.proposals import FileProposals


def print_reports(
    result: str,
    chosen: ChosenFiles,
    report: Callable[[MemoryFile], object],
    args: Args,
    context: Context,
    *,
    summary: Callable[..., str] | None = None,
    **text_options: object,
) -> int:
    """Print a report on each file; return the exit code of the worst error.

    report() returns a result of this name, a key of FORMATS; summary() prints it in one line. The
    error of one file goes to standard error and does not stop the other reports. A command about
    one file raises it.
    """
    reports: list[object] = []
    errors: list[LearningsError] = [*chosen.errors]
    for file in chosen.files:
        try:
            reports.append(report(file))
        except (MissingFile, UnusableFile, UntrustedHistory) as error:
            errors.append(error)
    if errors and not chosen.several:
        raise errors[0]
    if not (chosen.files or chosen.errors):
        from learnings.forms.registry import no_file  # noqa: PLC0415  (seldom needed)

        context.note(no_file(context.workspace), unless=args.quiet)
    context.note(*errors)
    if args.format == "json" and chosen.several and not summary:
        text = document_of(result).text_of_files(reports)
    else:
        render = summary or renderer(result, args.format, context.out)
        text = ("" if summary else "\n").join(render(each, **text_options) for each in reports)
    context.out.write(text if reports or not errors else "")
    return max((code_of(error, result) for error in errors), default=CLEAN)


def usable_files(name: str | None, context: Context) -> list[MemoryFile]:
    """Return the named learnings file, else all; print why others that nobody named are unusable.

    Raises MissingFile, UnusableFile or BadSettings.
    """
    chosen = chosen_files([] if name is None else [name], context.workspace)
    for error in chosen.errors:
        if not chosen.files or isinstance(error, MissingConfigured):
            raise error
        context.note(error)
    return [*chosen.files]


def required_files(name: str | None, context: Context) -> list[MemoryFile]:
    """Return usable_files(); raises MissingFile for none."""
    files = usable_files(name, context)
    if not files:
        from learnings.forms.registry import no_file  # noqa: PLC0415  (seldom needed)

        raise MissingFile(no_file(context.workspace))
    return files


def print_proposals(
    result: str, propose: Callable[[Inputs], Sequence[object]], args: Args, context: Context
) -> int:
    """Print the proposals about the entries of each file; return the exit code."""
    from learnings.app.consolidate.inputs import load_inputs  # noqa: PLC0415  (only for consolidation)
    from learnings.surfaces.render.proposals import FileProposals  # noqa: PLC0415  (as above)

    def report(file: MemoryFile) -> FileProposals[object]:
        with load_inputs(file, args.targets, every_entry=args.all) as inputs:
            context.note(*inputs.notes, unless=args.quiet)
            return FileProposals(inputs.file, inputs.scope, propose(inputs))

    chosen = chosen_files(args.files, context.workspace)
    return print_reports(result, chosen, report, args, context)
