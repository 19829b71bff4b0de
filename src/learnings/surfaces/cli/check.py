"""Structure of the memory files: every rule that needs no history.

PATH is a file, or a folder whose memory files are meant; without any: all learnings and target
files of the repository, configured or else discovered, and the memory index. A file that is none of
these is checked as a learnings file if it holds entries, else as text. Paths in the output start
from the root of the repository. Exit code: 0 clean or notices only, 1 findings, 2 usage or
configuration. A file of more than 4 MB is refused.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from learnings import rules
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.findings import Report, counted
from learnings.core.roles import Role
from learnings.surfaces.disk import find_root, printable
from learnings.surfaces.render.findings_text import wants_colour
from learnings.surfaces.selection import LARGEST_FILE, Selection, within_limit
from learnings.surfaces.workspace import Workspace

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import TextIO

    from learnings.core.findings import Finding
    from learnings.rules.context import Context

STDIN = "-"
# Each is a module findings_<format> of the renderers; only the one asked for is imported.
FORMATS = ("text", "json", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    ids = [rule.ID for rule in rules.RULES]
    parser.add_argument("paths", nargs="*", metavar="PATH", help="file or folder; - standard input")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="the form of the output (text)"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 for notices, too")
    parser.add_argument(
        "--stdin-filename", metavar="PATH", help="the file whose content standard input is"
    )
    parser.add_argument(
        "--role",
        choices=[role.value for role in Role],
        help="check files of this role only, and pass over all others",
    )
    parser.add_argument(
        "--rule",
        choices=ids,
        action="append",
        metavar="RULE",
        help=f"use this rule only; can be given again: {', '.join(ids)}",
    )
    parser.add_argument(
        "--line-limit", type=int, metavar="N", help="lines that a target file may have"
    )


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; returns 1 if the check fails, else 0. Raises LearningsError."""
    chosen = [rule for rule in rules.RULES if args.rule is None or rule.ID in args.rule]
    search = _Search(cwd, args)
    files = 0
    findings: list[Finding] = []
    for context in search.contexts():
        files += 1
        findings += rules.check(context, chosen)
    report = Report.of(findings, files=files)
    form = import_module(f"learnings.surfaces.render.findings_{args.format}")
    out.write(form.render(report, colour=wants_colour(out)))
    if report.findings:
        err.write(f"{summary(report)}\n")
    elif not files and not (args.role and args.paths):
        err.write(f"learnings: {search.nothing_found()}\n")
    return int(report.fails(strict=args.strict))


def summary(report: Report) -> str:
    """The counts of a report in words."""
    errors, notices = counted(report.errors, "error"), counted(report.notices, "notice")
    return f"{errors}, {notices} in {counted(report.files, 'file')}"


class _Search:
    """What the command line asks for; a path may lie in a repository that is not the user's."""

    def __init__(self, cwd: Path, args: argparse.Namespace) -> None:
        self._cwd = cwd
        self._paths: Sequence[str] = args.paths
        self._stdin_filename: str | None = args.stdin_filename
        self._only = Role(args.role) if args.role else None
        self._overrides = {"line-limit": args.line_limit}
        self._workspace = Workspace.open(cwd, overrides=self._overrides)
        self._selections = {self._workspace.root: self._selection(self._workspace)}
        self._homes: dict[Path, Path] = {}

    def contexts(self) -> Iterator[Context]:
        if STDIN in self._paths or self._stdin_filename is not None:
            return self._standard_input()
        if not self._paths:
            return self._selections[self._workspace.root].everything()
        return self._named()

    def nothing_found(self) -> str:
        passed = [each for one in self._selections.values() for each in one.passed_over]
        reasons = "; ".join(f"{printable(each.path)}: {printable(each.reason)}" for each in passed)
        because = f" ({reasons})" if reasons else ""
        return f"no memory file found{because}; `learnings config` tells where it looks"

    def _named(self) -> Iterator[Context]:
        for path in self._paths:
            full = self._cwd / path
            yield from self._home(full).named(full, shown=path)

    def _standard_input(self) -> Iterator[Context]:
        name = self._stdin_filename
        if name is None:
            raise UsageProblem("- does not say which file it is; give --stdin-filename PATH, too")
        if list(self._paths) != [STDIN]:
            raise UsageProblem("--stdin-filename takes - as the only PATH; give - and no other")
        full = self._cwd / name
        if full.is_dir():
            raise MissingFile(f"{printable(name)} is a folder; name a file")
        data = within_limit(sys.stdin.buffer.read(LARGEST_FILE + 1), shown="standard input")
        return self._home(full).given(full, data)

    def _home(self, path: Path) -> Selection:
        """The selection from the repository that a path lies in, ours where it lies in none."""
        folder = path if path.is_dir() else path.parent
        if folder not in self._homes:
            self._homes[folder] = self._root_around(folder.resolve())
        root = self._homes[folder]
        if root not in self._selections:
            workspace = Workspace.open(root, overrides=self._overrides)
            self._selections[root] = self._selection(workspace)
        return self._selections[root]

    def _root_around(self, folder: Path) -> Path:
        ours = self._workspace.root
        root = find_root(folder)
        is_ours = root == ours.resolve() or not folder.is_dir()
        is_below = folder.is_relative_to(ours.resolve()) and not os.path.lexists(root / ".git")
        return ours if is_ours or is_below else root

    def _selection(self, workspace: Workspace) -> Selection:
        return Selection(workspace, base=self._workspace.root, only=self._only)
