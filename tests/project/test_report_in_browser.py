"""The report page in a browser: light, dark, and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.project.browser import opened
from tests.support.command import Command
from tests.support.npm import NotAvailable
from tests.support.repository import GitRepository
from tests.surfaces.cli.test_report_page import FILE, HOSTILE, memory

pytestmark = pytest.mark.soak

VIEWS = {"light": 1100, "dark": 1100, "telephone": 360}


@pytest.fixture
def report(repository: GitRepository, learnings: Command, tmp_path: Path) -> dict[str, Any]:
    """Return the browser's result for the page of a due and hostile repository."""
    titles = [f"When build {number} hangs" for number in range(8)]
    repository.write("agents/decisions/builds.md", "# Builds\n\n## Locks\n\nLook.\n" * 100)
    repository.write(FILE, memory(*titles, *HOSTILE, "A" * 300))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=20)
    repository.write(FILE, memory(*titles[5:], *HOSTILE))
    repository.commit(date="2026-02-01")
    page = tmp_path / "page.html"
    assert learnings("report", "--output", str(page), cwd=repository.path).code == 0
    try:
        return opened(page)
    except NotAvailable as reason:
        pytest.skip(str(reason))


def test_it_is_accessible_asks_for_nothing_and_fits(report: dict[str, Any]) -> None:
    problems = []
    for name, width in VIEWS.items():
        view = report[name]
        problems += [f"{name}: {violation}" for violation in view["violations"]]
        problems += [f"{name}: asks for {url}" for url in view["requests"][1:]]
        problems += [f"{name}: says {message}" for message in view["messages"]]
        if view["size"] > width:
            problems.append(f"{name}: {view['size']} pixels wide")
        if not {"div", "summary"} <= set(view["focused"]):
            problems.append(f"{name}: the keyboard reaches {view['focused']}")
    assert problems == []
    assert report["pdf"] > 10_000
