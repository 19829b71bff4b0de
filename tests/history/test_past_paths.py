"""Which paths a history held, what removed them, and where their renames lead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from learnings.core.errors import UntrustedHistory
from learnings.core.past import PastThing
from learnings.history.git.cached import Cache
from learnings.history.git.repository import open_repository
from learnings.history.past import Past
from tests.support.repository import GitRepository

TEXT = "".join(f"line {number}\n" for number in range(40))


def past(repository: GitRepository, cache: Path | None = None) -> Past:
    return Past(open_repository(repository.path), Cache(cache))


def found_in(repository: GitRepository, path: str) -> PastThing:
    found = past(repository).find(path)
    assert found is not None
    return found


def successors(repository: GitRepository, path: str) -> frozenset[str]:
    return past(repository).successors([path])[path]


def test_a_removed_file_has_its_commit_and_day(repository: GitRepository) -> None:
    repository.write("src/old.py", TEXT)
    repository.commit(date="2026-01-02")
    (repository.path / "src/old.py").unlink()
    removed = repository.commit(date="2026-01-05")
    found = found_in(repository, "src/old.py")
    assert found.removal == (removed, "2026-01-05")
    assert not successors(repository, "src/old.py")
    assert past(repository).find("src/never.py") is None


def test_a_file_in_head_was_not_removed(repository: GitRepository) -> None:
    repository.write("a.py", TEXT)
    repository.commit()
    (repository.path / "a.py").unlink()
    repository.commit()
    repository.write("a.py", TEXT)
    repository.commit()
    found = found_in(repository, "a.py")
    assert found.removal is None


def move(repository: GitRepository, old: str, new: str, day: str) -> str:
    target = repository.path / new
    target.parent.mkdir(parents=True, exist_ok=True)
    (repository.path / old).rename(target)
    return repository.commit(date=day)


def test_renames_are_followed_to_their_end(repository: GitRepository) -> None:
    repository.write("a.py", TEXT)
    repository.commit(date="2026-01-01")
    first = move(repository, "a.py", "b.py", "2026-01-02")
    move(repository, "b.py", "lib/c.py", "2026-01-03")
    found = found_in(repository, "a.py")
    assert found.removal == (first, "2026-01-02")
    assert successors(repository, "a.py") == {"lib/c.py"}
    (repository.path / "lib/c.py").unlink()
    repository.commit(date="2026-01-04")
    assert not successors(repository, "a.py")


def test_a_name_may_change_in_its_case_alone(repository: GitRepository) -> None:
    repository.write("Docs/Guide.md", TEXT)
    repository.commit(date="2026-01-01")
    repository.git("mv", "Docs/Guide.md", "Docs/tmp")
    repository.git("mv", "Docs/tmp", "Docs/guide.md")
    repository.commit(date="2026-01-02")
    assert successors(repository, "Docs/Guide.md") == {"Docs/guide.md"}


def test_a_folder_goes_with_its_last_file(repository: GitRepository) -> None:
    for name in ("a.py", "b.py", "sub/c.py"):
        repository.write(f"old/{name}", f"{name}\n{TEXT}")
    repository.commit(date="2026-01-01")
    (repository.path / "old").rename(repository.path / "new")
    renamed = repository.commit(date="2026-01-02")
    paths = past(repository)
    found = paths.find("old")
    assert found is not None
    assert found.removal == (renamed, "2026-01-02")
    assert successors(repository, "old") == {"new"}
    assert successors(repository, "old/sub/c.py") == {"new/sub/c.py"}
    assert successors(repository, "old/sub") == {"new/sub"}


def test_a_folder_is_followed_as_a_folder(repository: GitRepository) -> None:
    for name in ("a.py", "b.py"):
        repository.write(f"old/{name}", f"{name}\n{TEXT}")
    repository.commit(date="2026-01-01")
    for day, (old, new) in enumerate((("old", "new"), ("new", "lib"), ("lib/a.py", "web.py")), 2):
        (repository.path / old).rename(repository.path / new)
        repository.commit(date=f"2026-01-0{day}")
    assert successors(repository, "old") == {"lib"}


def test_what_branches_renamed_differently_has_two_successors(repository: GitRepository) -> None:
    repository.write("a.py", TEXT)
    repository.write("other", "1")
    repository.commit(date="2026-01-01")
    repository.git("checkout", "-q", "-b", "side")
    move(repository, "a.py", "b.py", "2026-01-02")
    repository.git("checkout", "-q", "-")
    move(repository, "a.py", "c.py", "2026-01-03")
    repository.git("merge", "-q", "-s", "ours", "--no-commit", "side")
    repository.write("b.py", TEXT)
    repository.git("add", "b.py")
    repository.git("commit", "-q", "-m", "Merge")
    assert successors(repository, "a.py") == {"b.py", "c.py"}


@pytest.mark.parametrize("only_on_side", [False, True])
def test_a_merge_may_remove_a_file(repository: GitRepository, *, only_on_side: bool) -> None:
    repository.write("a.py", TEXT)
    repository.commit(date="2026-01-01")
    repository.git("checkout", "-q", "-b", "side")
    repository.write("b.py" if only_on_side else "other", f"b{TEXT}")
    repository.commit(date="2026-01-02")
    repository.git("checkout", "-q", "-")
    repository.write("c.py", "c")
    repository.commit(date="2026-01-03")
    repository.git("merge", "-q", "--no-commit", "side")
    lost = "b.py" if only_on_side else "a.py"
    repository.git("rm", "-q", "-f", lost)
    repository.git("commit", "-q", "-m", "Merge", env={"GIT_AUTHOR_DATE": "2026-01-04T12:00:00Z"})
    found = found_in(repository, lost)
    assert found.removal == (repository.head(), "2026-01-04")


def test_names_with_blanks_and_letters_of_all_kinds(repository: GitRepository) -> None:
    names = ["my dir/a b.md", "äöü/ü.txt", "文档/说明.md"]
    for name in names:
        repository.write(name, name)
    repository.commit()
    for name in names:
        (repository.path / name).unlink()
    repository.commit()
    paths = past(repository)
    assert all(paths.find(name) for name in names)
    assert paths.ending_in("ü.txt") == ["äöü/ü.txt"]
    assert paths.ending_in("dir/a b.md") == []


def test_a_submodule_is_no_file(repository: GitRepository) -> None:
    repository.write("a.py", TEXT)
    commit = repository.commit()
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},libs/x")
    repository.git("commit", "-q", "-m", "Add a submodule")
    repository.git("rm", "-q", "--cached", "libs/x")
    repository.git("commit", "-q", "-m", "Remove it")
    assert past(repository).find("libs/x") is None


def test_answers_come_from_the_cache(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("a.py", TEXT)
    repository.commit(date="2026-01-01")
    move(repository, "a.py", "b.py", "2026-01-02")
    fresh = past(repository, tmp_path / "cache").find("a.py")
    forbid: Callable[..., object] = lambda *_: pytest.fail("read again")  # noqa: E731
    monkeypatch.setattr(Past, "_log", forbid)
    assert past(repository, tmp_path / "cache").find("a.py") == fresh


def test_exact_renames_show_without_blobs(repository: GitRepository, tmp_path: Path) -> None:
    repository.write("a.py", TEXT)
    repository.write("b.py", f"b{TEXT}")
    repository.commit(date="2026-01-01")
    (repository.path / "a.py").rename(repository.path / "c.py")
    (repository.path / "b.py").unlink()
    repository.write("d.py", f"b{TEXT}more\n")
    repository.commit(date="2026-01-02")
    repository.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{repository.path}"
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--filter=blob:none", "--no-checkout", url, str(clone))
    repository.path.rename(tmp_path / "away")
    paths = Past(open_repository(clone), Cache(None))
    assert paths.successors(["a.py", "b.py"]) == {"a.py": {"c.py"}, "b.py": frozenset()}
    assert paths.lacks_content


def test_a_history_without_trees_cannot_tell(repository: GitRepository) -> None:
    repository.write("a/b.py", TEXT)
    repository.commit()
    tree = repository.git("rev-parse", "HEAD^{tree}")
    (repository.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(UntrustedHistory):
        past(repository).find("a/b.py")


def test_a_folder_that_left_file_by_file_has_no_successor_if_these_parted(
    repository: GitRepository,
) -> None:
    for name in ("a.py", "b.py", "c.py"):
        repository.write(f"lib/{name}", f"{name}\n{TEXT}")
    repository.commit(date="2026-01-01")
    move(repository, "lib/a.py", "web/a.py", "2026-01-02")
    move(repository, "lib/b.py", "core/b.py", "2026-01-03")
    move(repository, "lib/c.py", "core/c.py", "2026-01-04")
    assert not successors(repository, "lib")


def test_a_folder_most_of_which_was_deleted_is_where_the_rest_went(
    repository: GitRepository,
) -> None:
    for number in range(10):
        repository.write(f"old/f{number}.py", f"{number}\n" * 30)
    repository.commit(date="2026-01-01")
    for number in range(10):
        file = repository.path / f"old/f{number}.py"
        if number < 3:
            repository.write(f"new/other{number}.py", file.read_bytes())
        file.unlink()
    repository.commit(date="2026-01-02")
    assert successors(repository, "old") == {"new"}


def numbered(name: str, first: int, last: int) -> str:
    return "".join(f"{name} computes {number} of them\n" for number in range(first, last))


def test_a_file_went_where_most_of_its_lines_went(repository: GitRepository) -> None:
    head = "# Copyright: the same in every file\n" * 9
    for name in ("joined", "halved", "lost", "host"):
        repository.write(f"src/{name}.py", head + numbered(name, 0, 20))
    repository.commit(date="2026-01-01")
    for name in ("joined", "halved", "lost"):
        repository.remove(f"src/{name}.py")
    repository.write("src/host.py", head + numbered("host", 0, 60) + numbered("joined", 0, 15))
    repository.write("src/one.py", numbered("halved", 0, 10) + numbered("one", 0, 30))
    repository.write("src/two.py", numbered("halved", 10, 20) + numbered("two", 0, 30))
    repository.write("src/other.py", head + numbered("other", 0, 30))
    repository.commit(date="2026-01-02")
    move(repository, "src/host.py", "lib/host.py", "2026-01-03")
    found = [successors(repository, f"src/{name}.py") for name in ("joined", "halved", "lost")]
    assert found == [{"lib/host.py"}, set(), set()]


def test_a_rename_is_doubtful_if_another_new_file_has_the_old_name(
    repository: GitRepository,
) -> None:
    repository.write("src/cache.py", TEXT)
    repository.commit(date="2026-01-01")
    repository.write("lib/cache.py", "something else\n")
    move(repository, "src/cache.py", "src/store.py", "2026-01-02")
    assert not successors(repository, "src/cache.py")


def test_a_file_split_in_halves_has_no_successor_though_git_calls_one_a_rename(
    repository: GitRepository,
) -> None:
    for name in ("halved", "trimmed", "models"):
        repository.write(f"src/{name}.py", numbered(name, 0, 40))
    repository.commit(date="2026-01-01")
    for name in ("halved", "trimmed", "models"):
        repository.remove(f"src/{name}.py")
    repository.write("src/one.py", numbered("halved", 0, 22))
    repository.write("src/two.py", numbered("halved", 22, 40) + numbered("trimmed", 0, 6))
    repository.write("src/rest.py", numbered("trimmed", 6, 40))
    repository.write("lib/models.py", numbered("models", 0, 24))
    repository.write("lib/extra.py", numbered("models", 24, 40))
    repository.commit(date="2026-01-02")
    found = [successors(repository, f"src/{name}.py") for name in ("halved", "trimmed", "models")]
    assert found == [set(), {"src/rest.py"}, {"lib/models.py"}]


def test_one_file_that_left_for_the_folder_above_takes_no_folder_with_it(
    repository: GitRepository,
) -> None:
    repository.write("src/cache/x.py", TEXT)
    for number in range(3):
        repository.write(f"src/flat/{number}.py", f"{number} {TEXT}")
    repository.commit(date="2026-01-01")
    move(repository, "src/cache/x.py", "src/cache.py", "2026-01-02")
    for number in range(3):
        (repository.path / f"src/flat/{number}.py").rename(repository.path / f"src/{number}.py")
    repository.commit(date="2026-01-03")
    assert not successors(repository, "src/cache")
    assert successors(repository, "src/flat") == {"src"}
