"""The state of the set-up, as text."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.setup.doctor import SetupReport, SetupState
from learnings.core.text import counted
from learnings.surfaces.render.lines import text_lines

_STATES = {SetupState.YES: "yes", SetupState.NO: "no", SetupState.NOT_NEEDED: "-"}


@text_lines
def as_text(report: SetupReport) -> Iterator[str]:
    """Return a line for each part of the set-up, with the command that adds a missing one."""
    for item in report.items:
        command = f"; run: {item.command}" if item.command else ""
        yield f"{item.name:16}  {_STATES[item.state]:3}  {item.message}{command}"
    if report.missing:
        verb = "is" if report.missing == 1 else "are"
        yield f"{counted(report.missing, 'part')} of the set-up {verb} missing"
    else:
        yield "everything is set up"
    if any(item.command for item in report.items) and not report.is_at_root:
        yield f"run the commands in {report.root}"
