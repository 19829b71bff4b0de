"""GitLab: its API and issues, and a pipeline as its environment describes it."""

from __future__ import annotations
