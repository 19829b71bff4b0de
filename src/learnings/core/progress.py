"""The step that a command is working on, for the line that a terminal shows while it waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_report: Callable[[str], None] | None = None


def step(words: str) -> None:
    """Say what happens next, such as `checking docs/a.md`; costs nothing if nobody looks."""
    if _report is not None:
        _report(words)


def report_to(report: Callable[[str], None] | None) -> None:
    """Pass the words of each step to a function, or to none."""
    global _report  # noqa: PLW0603  (a process works on one thing, and shows it in one place)
    _report = report


@contextmanager
def part(words: str) -> Iterator[None]:
    """Say that the steps inside belong to a part of the work, such as `3 of 12: api`."""
    outer = _report
    step(words)
    report_to(None if outer is None else lambda inner: outer(f"{words}: {inner}"))
    try:
        yield
    finally:
        report_to(outer)
