"""The documentation as a site: `make site` builds it, and fails at a link that leads nowhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from learnings import HOME, REVISION

project = "learnings"
author = "The learnings maintainers"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "learnings"
html_show_sphinx = False
html_copy_source = False
# GitHub makes anchors of headings, and links point at them: down to the fourth level.
myst_heading_anchors = 4
exclude_patterns = ["conf.py"]

# The menu of the site. Not in the first page, where GitHub would show it as it is.
_MENU = {
    "How to": "consolidation ci agents merging editors adoption report troubleshooting",
    "Reference": "rules commands configuration contracts hooks memory-index tiers confidence",
    "Explanation": "ages-and-triggers entries architecture security",
}


def _prepare(_: object, page: str, source: list[str]) -> None:
    # `[…](../README.md#hooks)`: a link out of docs/; from a folder in it, `[…](../../README.md)`.
    # Without an address it is only its text.
    up = re.escape("../" * (page.count("/") + 1))
    link = rf"[\1]({HOME}/blob/{REVISION}/\2)" if HOME else r"\1"
    source[0] = re.sub(rf"\[([^\]]+)\]\({up}([A-Za-z][^)]*)\)", link, source[0])
    if page == "rules":
        source[0] = _with_rules(source[0])
    if page == "index":
        source[0] += "".join(_part(caption, pages) for caption, pages in _MENU.items())


def _with_rules(text: str) -> str:
    # On GitHub the address of a rule leads to its row, here to its full text below the table.
    from learnings.rules import RULES  # noqa: PLC0415  (for this page only)
    from learnings.surfaces.render.rules import page  # noqa: PLC0415  (likewise)

    table = re.sub(r'<a id="([^"]+)"></a>`[^`]+`', r"[`\1`](#\1)", text)
    return "\n".join([table, *(f"#{page(rule)}" for rule in RULES)])


def _part(caption: str, pages: str) -> str:
    listed = "\n".join(pages.split())
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def setup(app: Any) -> None:  # noqa: ANN401  (a package that only the site needs)
    """Have links out of docs/ lead to the repository, and add the menu; called by Sphinx."""
    # The rules of this checkout, not those of the installed package.
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
    app.connect("source-read", _prepare)
