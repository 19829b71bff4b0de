"""The hosts, and a repository whose memory is due."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.github.contract import Contract, read_contract
from tests.support.github.server import GitHub, serving
from tests.support.gitlab import server as gitlab_server
from tests.support.gitlab.server import GitLab
from tests.support.npm import NotAvailable
from tests.support.repository import GitRepository
from tests.surfaces.issues.clock import Standing
from tests.surfaces.memory import FILE, memory


@pytest.fixture(scope="session")
def contract_or_none() -> Contract | None:
    """Return GitHub's description of its API or None; most tests run without it."""
    try:
        return read_contract()
    except NotAvailable:
        return None


@pytest.fixture(scope="session")
def contract(contract_or_none: Contract | None) -> Contract:
    """Return the contract; skip the test if it is not available."""
    if contract_or_none is None:
        pytest.skip("GitHub's description of its API is not available")
    return contract_or_none


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


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    """Run a stand-in; python-gitlab must be able to send every request."""
    with gitlab_server.serving() as server:
        yield server
    assert server.problems == []
