"""Patterns that wait for their first use, and that all patterns of the package do."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from learnings.core.patterns import lazy_pattern

# Imports every module of the package and prints which of them compile a pattern meanwhile.
PROGRAM = """
import pkgutil, re, sys
from importlib import import_module

import learnings

compile, compiling = re._compile, set()

def note(text, flags):
    frame = sys._getframe(1)
    while frame.f_globals["__name__"] in ("re", "learnings.core.patterns"):
        frame = frame.f_back
    compiling.add(frame.f_globals["__name__"])
    return compile(text, flags)

re._compile = note
for module in pkgutil.walk_packages(learnings.__path__, "learnings."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
print(*sorted(name for name in compiling if name.startswith("learnings.")))
"""


def test_a_lazy_pattern_answers_as_a_compiled_one() -> None:
    lazy, compiled = (
        lazy_pattern(r"(a+)(b?)", re.IGNORECASE),
        re.compile(r"(a+)(b?)", re.IGNORECASE),
    )
    text = "xAAb aa"
    for _ in range(2):  # what is looked up first is kept
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("-", text) == compiled.sub("-", text)
        match = lazy.match(text, 1)
        assert match is not None
        assert match.span() == (1, 4)
    assert lazy.pattern == compiled.pattern


@pytest.mark.slow  # it imports every module; tests/project/test_patterns.py reads them
def test_no_module_compiles_a_pattern_while_it_is_imported() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []
