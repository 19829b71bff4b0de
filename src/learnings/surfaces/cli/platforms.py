"""The platforms that issues can be kept on."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.surfaces.github.platform import GITHUB
from learnings.surfaces.issues.platform import Platform

PLATFORMS: Mapping[str, Platform] = {"github": GITHUB}


def platform_here(_environ: Mapping[str, str]) -> Platform:
    """Return the platform of the CI that runs this, GitHub if it is unknown."""
    return GITHUB
