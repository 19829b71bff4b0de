"""Parameters of tests that take long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_measured(values: Iterable[Any]) -> list[Any]:
    """Return parameters of a test that coverage measures with the first of them alone.

    For those that take long and run the same lines: coverage makes them two to three times slower.
    """
    first, *others = values
    return [first, *(pytest.param(value, marks=pytest.mark.no_cover) for value in others)]
