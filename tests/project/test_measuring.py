"""What coverage measures during the tests."""

from __future__ import annotations

import sys
import threading

import pytest


def test_a_new_thread_has_no_tracer() -> None:
    """Two threads that install one at the same time can fail: see pytest_sessionstart."""
    tracers: list[object] = []
    thread = threading.Thread(target=lambda: tracers.append(sys.gettrace()))
    thread.start()
    thread.join()
    assert tracers == [None]


@pytest.mark.slow
def test_a_test_that_starts_programs_is_not_traced() -> None:
    assert sys.gettrace() is None
