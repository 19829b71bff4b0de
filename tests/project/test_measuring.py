"""Threads of the product, which coverage must not trace."""

from __future__ import annotations

import sys
import threading


def test_a_new_thread_has_no_tracer() -> None:
    """Two threads that install one at the same time can fail: see pytest_sessionstart."""
    tracers: list[object] = []
    thread = threading.Thread(target=lambda: tracers.append(sys.gettrace()))
    thread.start()
    thread.join()
    assert tracers == [None]
