"""Results as text for people and programs; modules are imported when a format is wanted."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Import a module of this package when it is first used."""
    return import_module(f"{__name__}.{name}")
