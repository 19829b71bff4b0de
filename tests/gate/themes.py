"""All cases of the acceptance table, by theme."""

from __future__ import annotations

from importlib import import_module

from tests.gate.case import Table

NAMES = (
    *("losses", "bodies", "templates", "copies", "edits", "hidden"),
    *("folders", "languages", "merges", "layout", "moves"),
)
THEMES: list[Table] = [import_module(f"tests.gate.cases_{name}").TABLE for name in NAMES]
