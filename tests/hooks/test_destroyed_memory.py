from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest

from tests.hooks.git.test_pre_commit import commit, install
from tests.support.command import Command, Completed
from tests.support.frameworks import Framework
from tests.support.repository import GitError, GitRepository

pytestmark = pytest.mark.slow

FILE = "agents/learnings.md"
TEXT = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n\n## When slow\n\nProfile it.\n"
BULLETS = "# Learnings\n\n- 2026-03-01: never retry on 409\n- 2026-03-02: look at the lock\n"


def link(repository: GitRepository, goal: str) -> None:
    (repository.path / FILE).unlink()
    (repository.path / FILE).symlink_to(goal)


def linked_to_a_file_without_entries(repository: GitRepository) -> None:
    repository.write("README.md", "# Project\n\nText.\n")
    link(repository, "../README.md")


WAYS: dict[str, Callable[[GitRepository], object]] = {
    "emptied": lambda repository: repository.write(FILE, ""),
    "one newline": lambda repository: repository.write(FILE, "\n"),
    "title only": lambda repository: repository.write(FILE, "# Learnings\n"),
    "every ## gone": lambda repository: repository.write(FILE, TEXT.replace("## ", "")),
    "headings in bold": lambda r: r.write(FILE, TEXT.replace("## When", "**When**")),
    "in one line": lambda repository: repository.write(FILE, TEXT.replace("\n", " ")),
    "in a comment": lambda repository: repository.write(FILE, f"<!--\n{TEXT}-->\n"),
    "in a code block": lambda repository: repository.write(FILE, f"```\n{TEXT}```\n"),
    "UTF-16": lambda repository: repository.write(FILE, TEXT.encode("utf-16")),
    "UTF-16 without BOM": lambda repository: repository.write(FILE, TEXT.encode("utf-16-le")),
    "UTF-32": lambda repository: repository.write(FILE, TEXT.encode("utf-32")),
    "Latin-1": lambda r: r.write(FILE, TEXT.replace("slow", "trop tôt").encode("latin-1")),
    "binary": lambda repository: repository.write(FILE, bytes(range(256))),
    "NUL bytes": lambda repository: repository.write(FILE, bytes(64)),
    "a link to another file": linked_to_a_file_without_entries,
    "a link to nothing": lambda repository: link(repository, "nowhere.md"),
    "a placeholder": lambda r: r.write(FILE, "# Learnings\n\n_(no entries yet)_\n"),
}

SOME = ("emptied", "every ## gone", "UTF-16", "a link to nothing")
"""Ways that differ in the type git and the frameworks give to the file."""


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, TEXT)
    repository.commit()
    return repository


def refusals(
    repository: GitRepository, attempt: Callable[[], Completed], ways: Iterable[str] = WAYS
) -> dict[str, str]:
    """Return the output for each way in which the attempt passes or does not name the file."""
    passed = {}
    for way in ways:
        WAYS[way](repository)
        run = attempt()
        said = run.out + run.err
        if run.code not in (1, 2) or FILE not in said:
            passed[way] = f"exit {run.code}: {said}"
        repository.git("checkout", "--force", "HEAD", "--", FILE)
    return passed


@pytest.mark.parametrize(
    "words",
    [
        ("learnings", "check"),
        ("learnings", "check", "--role=learnings", "agents"),
        ("learnings", "check", "--rule=entries-gone", "--rule=invalid-encoding", FILE),
        ("learnings-check", FILE),
    ],
)
def test_the_check_refuses_each(memory: GitRepository, words: tuple[str, ...]) -> None:
    assert refusals(memory, lambda: Command(words[0])(*words[1:], cwd=memory.path)) == {}


def test_standard_input_is_refused_as_the_file_is(memory: GitRepository) -> None:
    faults = {}
    for way, destroy in WAYS.items():
        if way == "a link to nothing":
            continue
        destroy(memory)
        words = ("check", "--stdin-filename", FILE, "-")
        run = Command("learnings")(*words, cwd=memory.path, stdin=memory.read(FILE))
        if run.code != 1:
            faults[way] = run.out + run.err
        memory.git("checkout", "--force", "HEAD", "--", FILE)
    assert faults == {}


def test_a_push_and_a_pull_request_are_compared_with_where_they_start(
    memory: GitRepository,
) -> None:
    start = memory.head()
    memory.branch("change")
    memory.write(FILE, "# Learnings\n")
    memory.commit()
    assert Command("learnings")("check", cwd=memory.path).code == 0
    assert Command("learnings-check")(FILE, cwd=memory.path).code == 0
    variables = {"PRE_COMMIT_FROM_REF": start, "PRE_COMMIT_TO_REF": "HEAD"}
    pushed = Command("learnings-check")(FILE, cwd=memory.path, env=variables)
    assert (pushed.code, f"commit {start[:12]} had 2 entries" in pushed.out) == (1, True)
    variables["PRE_COMMIT_FROM_REF"] = "0" * 40  # a commit that is not here
    assert Command("learnings-check")(FILE, cwd=memory.path, env=variables).code == 0
    run = Command("learnings")("ci", "--base", start, "--dry-run", cwd=memory.path)
    assert (run.code, "entries-gone" in run.out) == (1, True)


def test_what_the_base_has_gained_since_is_not_lost_here(memory: GitRepository) -> None:
    """A branch older than the entries has not removed them."""
    memory.write(FILE, "# Learnings\n")
    memory.commit()
    memory.branch("old")
    memory.checkout("main")
    memory.write(FILE, TEXT)
    memory.commit()
    memory.checkout("old")
    variables = {"PRE_COMMIT_FROM_REF": "main", "PRE_COMMIT_TO_REF": "HEAD"}
    assert Command("learnings-check")(FILE, cwd=memory.path, env=variables).code == 0


# --- with git itself


@pytest.fixture
def hooked(memory: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    (tmp_path / "temporary files").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary files"))
    install(memory)
    return memory


def committed(repository: GitRepository, *arguments: str) -> Completed:
    try:
        commit(repository, *arguments)
    except GitError as error:
        return Completed(1, b"", str(error).encode())
    return Completed(0, b"", b"")


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="the commands need a shell to be found in")
def test_the_plain_hook_refuses_each(hooked: GitRepository) -> None:
    assert refusals(hooked, lambda: committed(hooked, "--all")) == {}
    hooked.write("other.txt", "x")
    hooked.commit()
    for words in ((FILE,), ("--all", "--amend")):
        assert refusals(hooked, partial(committed, hooked, *words), SOME) == {}
    assert hooked.git("show", f"HEAD:{FILE}") == TEXT.removesuffix("\n")


@pytest.mark.skipif(os.name == "nt", reason="the commands need a shell to be found in")
def test_an_archive_that_is_not_committed_does_not_count(hooked: GitRepository) -> None:
    hooked.write(FILE, "# Learnings\n")
    hooked.write("agents/archive/learnings-consolidated-2026-03-01.md", TEXT)
    assert committed(hooked, "--all").code == 1
    hooked.git("add", "--all")
    assert committed(hooked).code == 0


@pytest.mark.skipif(os.name == "nt", reason="the commands need a shell to be found in")
def test_what_is_staged_alone_is_destroyed(hooked: GitRepository) -> None:
    hooked.write(FILE, "# Learnings\n")
    hooked.git("add", FILE)
    hooked.write(FILE, TEXT)
    run = committed(hooked)
    assert (run.code, "entries-gone" in run.err) == (1, True)


@pytest.mark.soak
@pytest.mark.network
def test_the_frameworks_refuse_each(framework: Framework, memory: GitRepository) -> None:
    framework.install(memory, "learnings-check")

    def attempt() -> Completed:
        return framework.git(memory, "commit", "--message=Change", "--all")

    assert refusals(memory, attempt, (*SOME, "a link to another file")) == {}
    assert memory.git("show", f"HEAD:{FILE}") == TEXT.removesuffix("\n")
