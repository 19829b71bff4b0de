"""The JSON documents: a record for each gives the document and its JSON Schema."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """Import a module of this package when it is first used."""
    return import_module(f"{__name__}.{name}")
