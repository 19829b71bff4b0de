"""Report the coverage of a run at its end, read once.

pytest-cov would read all files twice, for the total and for the table: 7 s more on one core. It is
told to report nothing (`--cov-report=`), and only combines the data of its workers.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from coverage import Coverage

_REPORT = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the lowest accepted total."""
    group = parser.getgroup("coverage report")
    group.addoption("--covered", type=float, default=0, help="fail below so many percent")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Iterator[None]:
    """Read the coverage after pytest-cov has combined it; fail the run if it is too low."""
    result = yield
    if not hasattr(session.config, "workerinput"):
        text, total = report_of(Coverage())
        least = session.config.getoption("--covered")
        verdict = f"{total:.2f} % are covered, {least:g} % are required"
        session.config.stash[_REPORT] = f"{text}\n{verdict}"
        session.testsfailed += total < least
    return result


def report_of(coverage: Coverage) -> tuple[str, float]:
    """Return the table of the files without full coverage, and the total percentage."""
    table = io.StringIO()
    coverage.load()
    total = coverage.report(file=table, ignore_errors=True)
    return table.getvalue(), total


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the report."""
    if report := terminalreporter.config.stash.get(_REPORT, ""):
        terminalreporter.section("coverage")
        terminalreporter.write_line(report)
