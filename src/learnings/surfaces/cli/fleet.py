"""Compare the memories of many repositories in one table, most overdue first.

scan: NAME is a checkout on disk, or a folder with checkouts at most five folders below it. Each
checkout becomes a row, even if it cannot be judged; a repository with several worktrees is one row.
The search skips hidden folders, node_modules, links and folders inside a checkout.

merge: NAME is a document that a scan has written; the result is one document for all of them.

matrix: NAME is a file that lists repositories, one per line. The command prints the job matrix for
GitHub Actions, at most 256 jobs, and with --shard the repositories of one job.

Exit code: 0 if printed or written, whatever the state of the repositories; 2 for wrong usage, or a
file that cannot be read or written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from learnings.app import fleet
from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable
from learnings.surfaces.cli.arguments import command_table
from learnings.surfaces.cli.commands import Args, Context, renderer
from learnings.surfaces.cli.output import write_output
from learnings.workspace.disk import named_file, read_start

_LARGEST_LIST = 16_000_000  # bytes: 100,000 names are some 3 MB
_SHARD = lazy_pattern(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")  # 3/16


ARGUMENTS = """
action=scan|merge|matrix
names=NAME+    see above
--output FILE  write the result to a file
--shard I/N    matrix: print the repositories of job I of N
+format fleet
"""


def run(args: Args, context: Context) -> None:
    if args.action == "matrix":
        text = _matrix(args.names, args.shard, context.folder)
    elif args.shard is not None:
        raise UsageProblem("--shard needs matrix; leave it out")
    else:
        if args.action == "merge":
            today = context.clock.today()
            fleets = [*fleet.read_documents(args.names, context.folder, today=today)]
        else:
            names = [name.rstrip("/") or name for name in args.names]
            rows = fleet.scan_checkouts(names, context.folder, commands=command_table)
            fleets = [fleet.Fleet(tuple(rows))]
        text = renderer("fleet", args.format, context.out)(fleet.merged(fleets))
    if args.output is None:
        context.out.write(text)
    else:
        write_output(text, args.output, context)


def _matrix(names: Sequence[str], shard: str | None, folder: Path) -> str:
    if len(names) != 1:
        raise UsageProblem("matrix takes one file that lists repositories; name only that file")
    data = read_start(named_file(names[0], folder), _LARGEST_LIST, shown=names[0])
    repositories = fleet.repositories_in(data, shown=names[0])
    if shard is None:
        parts = fleet.shards(repositories)
        jobs = []
        for number, (first, *rest) in enumerate(parts, 1):
            name = f"{first} to {rest[-1]}" if rest else first
            jobs.append({"shard": f"{number}/{len(parts)}", "name": name})
        return json.dumps({"include": jobs}, ensure_ascii=False) + "\n"
    match = _SHARD.fullmatch(shard)
    number, jobs_of = map(int, match.groups()) if match else (1, 0)
    parts = fleet.shards(repositories, most=min(jobs_of, fleet.MOST_JOBS))
    if number > len(parts) or len(parts) != jobs_of:
        shown = printable(shard)
        raise UsageProblem(f"{shown} is not a shard of this list; use one from the matrix")
    return "".join(f"{name}\n" for name in parts[number - 1])
