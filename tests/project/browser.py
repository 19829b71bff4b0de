"""Open a page from disk in the system's Chromium, driven by npm packages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.support.npm import NotAvailable, installed, node

PLAYWRIGHT, AXE = "playwright-core@1.64.1", "axe-core@4.10.3"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCRIPT = Path(__file__).with_suffix(".mjs")


def opened(page: Path, *, pictures: Path | None = None) -> dict[str, Any]:
    """Open a page in light, dark and phone mode; return the output of browser.mjs.

    pictures is a folder for screenshots. Raises NotAvailable.
    """
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        raise NotAvailable(f"there is none of {', '.join(NAMES)}")
    modules = installed("browser", PLAYWRIGHT, AXE)
    run = node(SCRIPT, modules, browser, page, str(pictures or ""), HOME=str(page.parent))
    assert run.returncode == 0, run.stderr
    report: dict[str, Any] = json.loads(run.stdout)
    return report
