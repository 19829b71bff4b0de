"""Fix findings that need no decision, in all memory files or in the named files.

PATH selects the same files as in `learnings check`. The command

- adds a missing space after the # of a heading, and a missing final newline,
- moves rows of the memory index to the section of their file, in the order of
  the headings,
- updates the row of a reworded heading if no other heading can be meant,
- removes rows of structural headings,
- separates entries that the merge under way has mixed or doubled, if no line
  is lost; with --history, entries that any merge has mixed.

It changes nothing else, ignores findings that a comment ignores, and changes nothing in a second
run. Without PATH and --role, it also removes findings from the baseline that are gone. It prints
`Fixing FILE` for each changed file, writes all files or none, and stages nothing.

Exit code: 0 if there is nothing to fix, 1 if files changed (with --diff: would change), 2 for wrong
usage or configuration, or if a fix would lose something.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.roles import Role
from learnings.core.text import printable
from learnings.surfaces.cli.arguments import ROLES, command_table
from learnings.surfaces.cli.commands import CLEAN, Args, Context
from learnings.workspace.disk import may_exist
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.check.repository import SelectedFile
    from learnings.rules.rule import Rule
    from learnings.store.files import Change


ARGUMENTS = f"""
paths=PATH...        file or directory
-n --dry-run --diff  print the changes as a diff; write nothing
--add-missing        add rows to the memory index for headings that have none
--force-exclude      skip excluded files even if named, as the hooks do
--history            also rewrite references to files that git history shows as renamed, and
                     separate entries that older merges mixed
--quiet              do not print the fixed files
--role {ROLES}...    fix only files of this role; repeatable
"""


def run(args: Args, context: Context) -> int:
    """Fix the files; return 1 if one changed, else 0."""
    if args.force_exclude and args.role and args.paths:
        from learnings.surfaces.cli.passed_files import passed_files  # noqa: PLC0415  (for hooks)

        args.paths = passed_files(context.workspace, args.paths, args.role)
        if not args.paths:
            return CLEAN
    from learnings.check.fixing import fixed_files  # noqa: PLC0415  (most runs of a hook have ended)
    from learnings.check.search import Search  # noqa: PLC0415  (as above)

    search = Search(
        context.workspace,
        args.paths,
        commands=command_table,
        only=[Role(role) for role in args.role],
        force_exclude=args.force_exclude,
    )
    workspace, history = search.workspace, None
    if args.history:
        from learnings.check.history_inputs import HistoryLoader  # noqa: PLC0415  (most runs need no history)

        history = HistoryLoader(workspace)
    files = [history.with_history(file) if history else file for file in search.files()]
    is_partial = bool(args.paths or args.role) or any(file.unread for file in files)
    if args.dry_run:
        changes = fixed_files(workspace.root, files, add_missing=args.add_missing)
        if not is_partial and not changes:  # fixes also remove findings
            changes = _pruned_baseline(workspace)
        _show(workspace.root, changes, context.out)
    else:
        changes = fix_files(workspace, files, add_missing=args.add_missing, is_partial=is_partial)
        context.out.write("" if args.quiet else fixing(changes))
    if not files and not (args.role and args.paths) and not args.quiet:
        from learnings.forms.registry import nothing_here  # noqa: PLC0415  (seldom needed)

        sentence = nothing_here(workspace, search.nothing_found)
        context.note(sentence)
    unread = [file.unread for file in files if file.unread]
    complaints = [*unread, *(history.complaints() if history else ())]
    context.note(*complaints)
    return 2 if complaints else int(bool(changes))


def fix_files(
    workspace: Workspace,
    files: Sequence[SelectedFile],
    *,
    rules: Sequence[Rule] | None = None,
    add_missing: bool = False,
    is_partial: bool,
) -> tuple[Change, ...]:
    """Fix files, prune the baseline unless the files are partial, and return the changed files.

    Raises LearningsError, nothing written.
    """
    from learnings.check.fixing import fixed_files  # noqa: PLC0415  (most runs of a hook have ended)

    changes = fixed_files(workspace.root, files, rules=rules, add_missing=add_missing)
    _write(workspace.root, changes)
    if is_partial:
        return changes
    try:
        pruned = _pruned_baseline(workspace)
        _write(workspace.root, pruned)
    except LearningsError as error:  # only now is it known which findings are gone
        try:
            undoing = [file._replace(before=file.after, after=file.before) for file in changes]
            _write(workspace.root, undoing)
        except LearningsError:
            names = ", ".join(printable(file.path) for file in changes)
            reason = str(error).partition("; ")[0]
            raise UsageProblem(
                f"{names}: fixed and cannot be undone, but the baseline is unchanged "
                f"({reason}); correct that and run `learnings baseline --prune`"
            ) from None
        raise
    return (*changes, *pruned)


def fixing(changes: Sequence[Change]) -> str:
    return "".join(f"Fixing {printable(file.path)}\n" for file in changes)


def _pruned_baseline(workspace: Workspace) -> tuple[Change, ...]:
    if not may_exist(workspace.root / workspace.settings.baseline):
        return ()
    from learnings.check.full_check import pruned  # noqa: PLC0415  (most repositories have none)

    change = pruned(workspace, commands=command_table)
    return (change,) if change else ()


def _write(root: Path, changes: Sequence[Change]) -> None:
    if not changes:
        return
    from learnings.store.files import write  # noqa: PLC0415  (most runs change nothing)

    write(root, changes)


def _show(root: Path, files: Sequence[Change], out: TextIO) -> None:
    if not files:
        return
    from learnings.store.files import refuse_targets  # noqa: PLC0415  (most runs change nothing)
    from learnings.surfaces.cli.output import print_patch  # noqa: PLC0415  (with --diff only)

    refuse_targets(root, files)
    print_patch(files, out)
