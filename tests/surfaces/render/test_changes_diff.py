"""A diff names its files as git does, whatever characters they have."""

from __future__ import annotations

import os

import pytest

from learnings.core.text import printable
from learnings.store.files import Change
from learnings.surfaces.render.changes_diff import diff
from tests.support.repository import GitRepository

NAMES = ["a b.md", "é.md", 'a"b\\c.md', "a\n+++ b/evil.md", "\x1b[31m\u202e\udc9b.md"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", NAMES)
def test_git_applies_it_to_that_file(repository: GitRepository, name: str) -> None:
    repository.write(name, "one\n")
    head, *rest = diff([Change(name, b"one\n", b"two\n")])
    assert printable(head[:-1]) == head[:-1]
    patch = "".join((head, *rest)).encode("utf-8", "surrogateescape")
    repository.git("apply", stdin=patch)
    assert repository.read(name) == b"two\n"
