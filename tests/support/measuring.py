"""Measure the first examples of a property, and no more.

Measuring takes as long as the tests themselves on Python 3.11 to 3.13, and later examples run lines
that the first ones have run. All of them run, the same with and without measuring.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator

import pytest

EXAMPLES = 20


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure again after a property."""
    tracer = sys.gettrace()
    handle = getattr(getattr(item, "obj", None), "hypothesis", None)
    if tracer is None or handle is None:
        return (yield)
    handle.inner_test = _measured_first(handle.inner_test)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)


def _measured_first(test: Callable[..., object]) -> Callable[..., object]:
    """Return a test that stops measuring at a late example, until someone starts it again.

    Only frames of files that are not measured are left in between, so the tracer, which counts
    calls and returns, takes no line for one of another file.
    """
    count = 0

    @functools.wraps(test)
    def counted(*arguments: object, **named: object) -> object:
        nonlocal count
        count += 1
        if count > EXAMPLES:
            sys.settrace(None)
        return test(*arguments, **named)

    return counted
