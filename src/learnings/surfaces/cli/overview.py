"""`learnings` without a command: the state of the memory and the next step."""

from __future__ import annotations

from learnings.app.overview import overview
from learnings.surfaces.cli.commands import Context, command_table
from learnings.surfaces.cli.formats import coloured
from learnings.surfaces.render.overview import as_text


def run(context: Context) -> int:
    """Print the overview; return 0, or 2 if a file cannot be read."""
    result = overview(context.workspace, commands=command_table)
    context.out.write(coloured(as_text(result), "overview", context.out))
    return 2 if result.is_broken else 0
