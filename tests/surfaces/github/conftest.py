"""The stand-in for GitHub, held against GitHub's description of its API where that is to be had."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.github.contract import Contract, contract
from tests.support.github.description import NotToBeHad
from tests.support.github.server import GitHub, serving


@pytest.fixture(scope="session")
def told() -> Contract:
    """Return the contract; a test that is about it is skipped where it is not to be had."""
    try:
        return contract()
    except NotToBeHad as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def told_or_none() -> Contract | None:
    """Return the contract if there is one; all else is tested without it, too."""
    try:
        return contract()
    except NotToBeHad:
        return None


@pytest.fixture
def github(told_or_none: Contract | None) -> Iterator[GitHub]:
    """Run a stand-in; every request to it and every answer of it has to be as described."""
    with serving(told_or_none) as server:
        yield server
    assert server.problems == []
