"""What became of the consolidation issues, and what a dry run would have sent, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from learnings.core.text import printable, printable_lines
from learnings.surfaces.github.environment import WorkflowRun
from learnings.surfaces.github.notify import NotifyResult
from learnings.surfaces.github.requests import Request
from learnings.surfaces.github.steps import Outcome
from learnings.surfaces.render.workflow_commands import without_old_form


def write_result(result: NotifyResult, run: WorkflowRun, out: TextIO) -> None:
    """Write the outcomes and the requests, in whose texts the runner reads no commands."""
    out.write(render_outcomes(result))
    if result.requests:
        out.write(without_old_form(render_requests(result, run)))


def render_outcomes(result: NotifyResult) -> str:
    """Return one line for each file, below the reason why nothing was sent."""
    head = [f"not sent: {printable(result.not_sent)}"] if result.not_sent else []
    lines = [*head, *(_line(outcome, sent=not result.not_sent) for outcome in result.outcomes)]
    return "".join(f"{line}\n" for line in lines)


def _line(outcome: Outcome, *, sent: bool) -> str:
    would = "" if sent or not outcome.steps else "would be "
    issue = "issue" if outcome.number is None else f"issue #{outcome.number}"
    return printable(f"{outcome.file}: {issue} {would}{outcome.result}")


def render_requests(result: NotifyResult, run: WorkflowRun) -> str:
    """Return each request with its fields, texts of several lines as they are, indented."""
    base = f"{run.api.rstrip('/')}/repos/{run.repository or 'OWNER/NAME'}"
    return "".join(f"{line}\n" for request in result.requests for line in _lines(request, base))


def _lines(request: Request, base: str) -> Iterator[str]:
    condition = f"   (if {printable(request.condition)})" if request.condition else ""
    yield ""
    yield f"{request.method} {printable(f'{base}/{request.path}')}{condition}"
    for name, value in request.fields.items():
        text = printable_lines(", ".join(value) if isinstance(value, list) else str(value))
        if "\n" not in text:
            yield f"  {name}: {text}"
            continue
        yield f"  {name}:"
        yield from (f"    {line}".rstrip() for line in text.split("\n"))
