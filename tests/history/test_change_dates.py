"""The days on which files were changed."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from learnings.history import change_dates as module
from learnings.history.change_dates import change_days
from learnings.history.git.repository import open_repository
from tests.support.repository import GitRepository


@pytest.mark.parametrize("most", [0, 500])
def test_files_folders_and_what_was_removed(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(module, "_MOST_NAMED", most)
    repository.write("src/a.py", "1")
    repository.write("src/b c.py", "1")
    repository.commit(date="2026-01-01")
    repository.write("src/a.py", "2")
    repository.commit(date="2026-01-02")
    (repository.path / "src/b c.py").unlink()
    repository.commit(date="2026-01-03")
    paths: Collection[str] = {"src", "src/a.py", "src/b c.py", "never.py"}
    assert change_days(open_repository(repository.path), paths) == {
        "src": {"2026-01-01", "2026-01-02", "2026-01-03"},
        "src/a.py": {"2026-01-01", "2026-01-02"},
        "src/b c.py": {"2026-01-01", "2026-01-03"},
    }


def test_nothing_is_asked_for_no_paths(repository: GitRepository) -> None:
    repository.write("a", "1")
    repository.commit()
    assert change_days(open_repository(repository.path), ()) == {}
