"""End earlier decisions about entries, so that the entries can be in a batch again.

These are decisions of an applied plan to keep or escalate an entry. IDENTITY names an entry as
reports do: by its identity in JSON, its heading, its title, or only its time stamp or id.

Exit code: 0 if done, 2 for wrong usage or a missing entry or decision; then nothing was changed.
"""

from __future__ import annotations

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.app.consolidate.archiving import choose, resolving
from learnings.app.consolidate.commit_files import is_in_repository
from learnings.core.errors import UsageProblem
from learnings.core.text import counted
from learnings.store.files import write
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import required_files
from learnings.surfaces.render.outcomes import commit_lines

ARGUMENTS = """
identities=IDENTITY...  an entry
--file FILE             the learnings file (default: all)
"""


def run(args: Args, context: Context) -> None:
    if not args.identities:
        raise UsageProblem("no entry named; name one that `learnings due` lists")
    files = required_files(args.file, context)
    chosen = choose(args.identities, [SourceFile(file) for file in files])
    changes = resolving(chosen)
    root = chosen.source.root
    write(root, changes)
    paths = [change.path for change in changes] if is_in_repository(root) else []
    count = counted(len(chosen.entries), "entry is", "entries are")
    context.say(f"{count} open again.", *commit_lines(paths))
