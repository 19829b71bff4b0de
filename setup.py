"""The long description and the links of the project, both made from its address.

All else is in pyproject.toml.
"""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
PACKAGE = (HERE / "src" / "learnings" / "__init__.py").read_text(encoding="utf-8")
# Not imported: the build does not have what the package needs.
VALUES = dict(re.findall(r'^(HOME|REVISION) = "([^"]*)"$', PACKAGE, flags=re.MULTILINE))
HOME, REVISION = VALUES["HOME"], VALUES["REVISION"]
PAGES, RAW = f"{HOME}/blob/{REVISION}", f"{HOME}/raw/{REVISION}"
README = (HERE / "README.md").read_text(encoding="utf-8")

setup(
    # Without an address, a link to a page of the repository is only its text, and a picture is
    # left out.
    long_description=re.sub(
        r"\[([^\]]+)\]\((?![a-z]+:|#)([^)\s]+)\)",
        rf"[\1]({PAGES}/\2)" if HOME else r"\1",
        re.sub(r"!(\[[^\]]+\])\((\S+)\)\n+", rf"!\1({RAW}/\2)\n\n" if HOME else "", README),
    ),
    long_description_content_type="text/markdown",
    project_urls={
        "Repository": HOME,
        "Documentation": f"{PAGES}/docs/index.md",
        "Changelog": f"{PAGES}/CHANGELOG.md",
        "Issues": f"{HOME}/issues",
    }
    if HOME
    else {},
)
