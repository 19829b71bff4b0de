"""GitLab: its API, its issues and the environment of a pipeline."""

from __future__ import annotations
