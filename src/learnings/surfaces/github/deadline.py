"""A bound for what has none of its own.

Timeouts of sockets are for the wait between two bytes: a name that is not resolved, or an answer
that comes in drops, would take for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do something that may take `seconds` and no more.

    Raises TimeoutError after that, leaving the work to itself, else what the work raises.
    """
    done: SimpleQueue[Callable[[], T]] = SimpleQueue()
    Thread(target=lambda: done.put(_outcome(work)), daemon=True).start()
    try:
        outcome = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    return outcome()


def _outcome(work: Callable[[], T]) -> Callable[[], T]:
    """What the work came to, to be had where it is waited for."""
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001  (it is raised where it is waited for)
        caught = error

        def fail() -> T:
            raise caught

        return fail
    return lambda: result
