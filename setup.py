"""The long description: the README, with links that work outside the repository.

All else is in pyproject.toml.
"""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
PACKAGE = (HERE / "src" / "learnings" / "__init__.py").read_text(encoding="utf-8")
# Not imported: the build does not have what the package needs.
ADDRESS, REVISION = (
    match[1]
    for name in ("REPOSITORY", "REVISION")
    if (match := re.search(rf'^{name} = "([^"]+)"$', PACKAGE, flags=re.MULTILINE))
)
README = (HERE / "README.md").read_text(encoding="utf-8")

setup(
    long_description=re.sub(
        r"\]\((?![a-z]+:|#)([^)\s]+)\)", rf"]({ADDRESS}/blob/{REVISION}/\1)", README
    ),
    long_description_content_type="text/markdown",
)
