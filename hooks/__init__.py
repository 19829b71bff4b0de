"""One small module per hook id, installed as `learnings.hooks`: argv in, exit code out."""

from __future__ import annotations
