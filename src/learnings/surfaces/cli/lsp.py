"""Serve an editor over standard input and output, as a language server.

The editor starts the server; see docs/editors.md. Findings appear as you type: the server checks
the text in the editor and not the file on disk, and only memory files. Hover shows the age of an
entry and the page of a rule. Code actions fix or ignore findings and archive entries. The command
needs the extra `lsp`.

Exit code: 0 if the editor ended it, 1 if the editor is gone, 2 for wrong usage or if the extra is
not installed.
"""

from __future__ import annotations

import gc
import io
import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

from learnings.core.errors import UsageProblem
from learnings.surfaces.cli.arguments import command_table, command_with, parser_for
from learnings.surfaces.cli.commands import Args, Context

ARGUMENTS = "--stdio"  # some clients always pass the transport


def run(args: Args, context: Context) -> int:
    """Serve until the editor ends it."""
    del args
    try:
        import pygls  # noqa: F401, PLC0415  (an extra, and slow to load)
    except ImportError:
        raise UsageProblem(
            "pygls is not installed; run: pipx inject learnings 'pygls>=2,<3' "
            "(in a virtual environment: pip install 'pygls>=2,<3')"
        ) from None
    from learnings.surfaces.editor.server import serve  # noqa: PLC0415  (loads the extra)

    if sys.stdin.isatty():
        context.err.write("learnings: waiting for an editor; see `learnings lsp --help`\n")
    gc.enable()  # unlike other commands, this one runs for days
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    with redirect_stdout(sys.stderr):  # printed text would corrupt the messages
        return int(not serve(command_table, partial(_archive, context), stdin, stdout))


def _archive(context: Context, root: Path, memory: str, identity: str, reason: str) -> str:
    """Run `learnings archive` in a repository and return its output."""
    parser = parser_for(prog="learnings archive")
    archive = command_with(parser, "archive")
    args = parser.parse_args([f"--file={memory}", f"--reason={reason}", "--", identity])
    out = io.StringIO()
    archive.run(args, Context(root, out=out, err=out, clock=context.clock))
    return out.getvalue()
