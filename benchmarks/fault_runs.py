"""A plugin of pytest, for `faults.py`: notes what each test costs, and runs chosen tests in order.

`FAULTS_COSTS`: a file to which each process adds a line of JSON for each test: its id, the seconds
of processor time with those of its children, the names of its marks.
`FAULTS_TESTS`: a file with the ids of the tests to run, in this order; all others are left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TextIO

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    costs = os.environ.get("FAULTS_COSTS")
    file = _opened(costs) if costs else None
    before = _seconds()
    yield
    if file:
        marks = sorted({mark.name for mark in item.iter_markers()})
        file.write(json.dumps([item.nodeid, round(_seconds() - before, 4), marks]) + "\n")
        file.flush()


@cache
def _opened(costs: str) -> TextIO:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    return Path(f"{costs}.{worker}").open("a", encoding="utf-8")


def _seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "FAULTS_TRACE" in os.environ:
        # As another user, who may not write what coverage notes at the end of each test.
        items[:] = [item for item in items if "unprivileged" not in _fixtures(item)]
    if tests := os.environ.get("FAULTS_TESTS"):
        by_id = {item.nodeid: item for item in items}
        wanted = Path(tests).read_text("utf-8").splitlines()
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
        items[:] = [by_id[name] for name in wanted if name in by_id]


def _fixtures(item: pytest.Item) -> list[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else []
