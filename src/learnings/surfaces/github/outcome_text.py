"""What became of the consolidation issues, and what a dry run would have sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.core.text import printable
from learnings.surfaces.github.reconciler import Outcome
from learnings.surfaces.github.requests import Request
from learnings.surfaces.github.run import Run


def outcomes(told: Sequence[Outcome], held: str | None) -> str:
    """One line for each file, below the reason why nothing was sent."""
    head = [f"not sent: {held}"] if held else []
    would = "would be " if held else ""
    return "".join(f"{line}\n" for line in (*head, *(_line(each, would) for each in told)))


def _line(each: Outcome, would: str) -> str:
    issue = "issue" if each.number is None else f"issue #{each.number}"
    return printable(f"{each.file}: {issue} {would}{each.says}")


def base_of(run: Run) -> str:
    """The address below which a run sends its requests."""
    return f"{run.api.rstrip('/')}/repos/{run.repository or 'OWNER/NAME'}"


def requests(told: Sequence[Request], base: str) -> str:
    """Each request with its fields, texts of several lines as they are, indented."""
    return "".join(f"{line}\n" for each in told for line in _request(each, base))


def _request(each: Request, base: str) -> Iterator[str]:
    condition = f"   (if {each.only_if})" if each.only_if else ""
    yield ""
    yield f"{each.method} {base}/{each.path}{condition}"
    for name, value in each.fields.items():
        text = ", ".join(value) if isinstance(value, list) else str(value)
        if "\n" not in text:
            yield f"  {name}: {text}"
            continue
        yield f"  {name}:"
        yield from (f"    {line}".rstrip() for line in text.split("\n"))
