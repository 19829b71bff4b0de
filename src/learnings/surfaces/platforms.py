"""The platforms that can host issues."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.surfaces.github.platform import GITHUB
from learnings.surfaces.gitlab import GITLAB
from learnings.surfaces.issues.platform import Platform

PLATFORMS: Mapping[str, Platform] = {"github": GITHUB, "gitlab": GITLAB}


def platform_here(environ: Mapping[str, str]) -> Platform:
    """Return the platform of the current CI run, or GitHub if unknown."""
    return GITLAB if environ.get("GITLAB_CI") == "true" else GITHUB
