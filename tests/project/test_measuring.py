"""What coverage measures while a test runs."""

from __future__ import annotations

import sys
import threading

import pytest


@pytest.mark.no_cover
def test_nothing_is_measured_where_a_test_says_so() -> None:
    assert sys.gettrace() is None
    assert threading.gettrace() is None
