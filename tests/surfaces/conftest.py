"""The stand-in for GitHub, compared with GitHub's API description if available."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.github.contract import Contract, read_contract
from tests.support.github.description import NotAvailable
from tests.support.github.server import GitHub, serving
from tests.support.repository import GitRepository
from tests.surfaces.issues.clock import Standing
from tests.surfaces.memory import FILE, memory


@pytest.fixture(scope="session")
def contract() -> Contract:
    """Return the contract; skip the test if it is not available."""
    try:
        return read_contract()
    except NotAvailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def contract_or_none() -> Contract | None:
    """Return the contract or None; the other tests run without it."""
    try:
        return read_contract()
    except NotAvailable:
        return None


@pytest.fixture
def github(contract_or_none: Contract | None) -> Iterator[GitHub]:
    """Run a stand-in; every request and every answer must match the description."""
    with serving(contract_or_none) as server:
        yield server
    assert server.problems == []


@pytest.fixture
def due(repository: GitRepository) -> GitRepository:
    """Return a repository whose memory is due: three old entries, sixteen days of work since."""
    repository.write(FILE, memory("When one", "When two", "When three"))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=16)
    return repository


@pytest.fixture
def time() -> Standing:
    return Standing()
