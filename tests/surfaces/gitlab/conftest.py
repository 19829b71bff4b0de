"""The stand-in for GitLab."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.gitlab.server import GitLab, serving


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    """Run a stand-in; python-gitlab must be able to send every request."""
    with serving() as server:
        yield server
    assert server.problems == []
