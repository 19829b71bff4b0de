from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import manifest
from tests.support.frameworks import CONFIG, Framework
from tests.support.repository import GitRepository

pytestmark = pytest.mark.network

FILE, INDEX, TARGET = "agents/learnings.md", "agents/memory-index.md", "agents/decisions/cli.md"
LOOK, TRACE = "## When a build hangs\n\nLook.\n", "## How to trace\n\nRead.\n"
HEAD = "# Learnings\n\n"
# The lines between keep the two places apart, for git as well.
BETWEEN = "".join(f"\n## Case {number}\n\nText {number}.\n" for number in range(6))
GOOD = f"{HEAD}{LOOK}{BETWEEN}\n{TRACE}"
BAD = f"{HEAD}{LOOK}{BETWEEN}\n{TRACE}\n{LOOK}"
UNTIDY = f"# Index\n\n## {TARGET}\n\n/when two\n/when one\n"
TIDY = f"# Index\n\n## {TARGET}\n\n/when one\n/when two\n"
TARGET_TEXT = "# Command line\n\n## When one\n\n1\n\n## When two\n\n2\n"
LARGEST_ENVIRONMENT = 250 * 2**20  # bytes
CUT_OFF = ("unshare", "--map-root-user", "--net")
KNOCK = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)"


@pytest.fixture(scope="module")
def installed(framework: Framework, tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    """Return the repository that `guarded_memory` copies."""
    repository = GitRepository(tmp_path_factory.mktemp(framework.name) / "repository")
    for path, text in {FILE: GOOD, TARGET: TARGET_TEXT, INDEX: TIDY}.items():
        repository.write(path, text)
    repository.commit("Memory")
    framework.install(repository, "learnings-check", "target-line-limit", "memory-index")
    return repository


@pytest.fixture
def guarded_memory(installed: GitRepository, tmp_path: Path) -> GitRepository:
    return GitRepository(shutil.copytree(installed.path, tmp_path / "repository"))


def staged(repository: GitRepository, path: str) -> str:
    return repository.git("show", f":{path}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "framework",
    ["pre-commit", pytest.param("prek", marks=pytest.mark.soak)],
    indirect=True,
    scope="module",
)
def test_what_is_staged_is_checked_and_not_what_is_not(
    framework: Framework, guarded_memory: GitRepository
) -> None:
    guarded_memory.write(FILE, BAD)
    guarded_memory.git("add", FILE)
    guarded_memory.write(FILE, GOOD)
    refused = framework.git(guarded_memory, "commit", "--message=Bad")
    assert refused.code == 1
    assert f"{FILE}:{BAD.count(chr(10)) - 2}:1: error duplicate-entry" in refused.out + refused.err
    assert guarded_memory.read(FILE) == GOOD.encode()
    assert staged(guarded_memory, FILE) == BAD.removesuffix("\n")
    guarded_memory.write(FILE, f"{GOOD}\n{TRACE.replace('trace', 'follow')}")
    guarded_memory.git("add", FILE)
    good = guarded_memory.read(FILE)
    guarded_memory.write(FILE, BAD)
    passed = framework.git(guarded_memory, "commit", "--message=Good")
    assert passed.code == 0, passed.out + passed.err
    assert guarded_memory.read(FILE) == BAD.encode()
    assert guarded_memory.git("show", f"HEAD:{FILE}") == good.decode().removesuffix("\n")


@pytest.mark.soak
def test_part_of_a_file_that_is_staged_by_hand(
    framework: Framework, guarded_memory: GitRepository
) -> None:
    first = GOOD.replace("Look.", "Look at the lock.")
    guarded_memory.write(FILE, first.replace(TRACE, f"{TRACE}\n{LOOK}"))
    # The first of the two places is taken, the second, which doubles an entry, is not.
    guarded_memory.git("add", "--patch", FILE, stdin=b"y\nn\n")
    both = guarded_memory.read(FILE)
    passed = framework.git(guarded_memory, "commit", "--message=The first")
    assert passed.code == 0, passed.out + passed.err
    assert guarded_memory.read(FILE) == both
    assert guarded_memory.git("show", f"HEAD:{FILE}") == first.removesuffix("\n")
    refused = framework.git(guarded_memory, "commit", "--all", "--message=Both")
    assert (refused.code, guarded_memory.read(FILE)) == (1, both)


@pytest.mark.soak
def test_index_is_held_against_what_is_staged(
    framework: Framework, guarded_memory: GitRepository
) -> None:
    guarded_memory.write(TARGET, TARGET_TEXT.replace("## When two\n\n2\n", ""))
    guarded_memory.git("add", TARGET)
    guarded_memory.write(INDEX, TIDY.replace("/when two\n", ""))
    refused = framework.git(guarded_memory, "commit", "--message=Heading gone, row still there")
    assert refused.code == 1
    assert f"{INDEX}:6:1: error index-orphan-row" in refused.out + refused.err
    passed = framework.git(guarded_memory, "commit", "--all", "--message=Both gone")
    assert passed.code == 0, passed.out + passed.err


@pytest.mark.soak
def test_deleted_target_is_noticed(framework: Framework, guarded_memory: GitRepository) -> None:
    guarded_memory.remove(TARGET)
    refused = framework.git(guarded_memory, "commit", "--message=Gone")
    assert refused.code == 1
    assert "index-missing-file" in refused.out + refused.err


@pytest.mark.soak
def test_stashes_stay(framework: Framework, guarded_memory: GitRepository) -> None:
    guarded_memory.write(FILE, GOOD.replace("Look.", "Stashed."))
    guarded_memory.git("stash", "push", "--quiet", "--message=mine")
    stashes = guarded_memory.git("stash", "list", "--format=%H %s")
    for content, code in ((BAD, 1), (GOOD.replace("Look.", "See."), 0)):
        guarded_memory.write(FILE, content)
        guarded_memory.git("add", FILE)
        guarded_memory.write(FILE, GOOD)
        assert framework.git(guarded_memory, "commit", "--message=Part").code == code
        assert guarded_memory.git("stash", "list", "--format=%H %s") == stashes
        assert guarded_memory.read(FILE) == GOOD.encode()
    assert b"Stashed." in guarded_memory.git("show", f"stash@{{0}}:{FILE}").encode()


@pytest.mark.soak
def test_fixer_changes_the_file_fails_and_stages_nothing(
    framework: Framework, repository: GitRepository
) -> None:
    repository.write(TARGET, TARGET_TEXT)
    framework.install(repository, "memory-index-fix", "learnings-fix")
    repository.write(INDEX, UNTIDY)
    repository.write(FILE, GOOD.removesuffix("\n"))
    repository.git("add", "--all")
    refused = framework.git(repository, "commit", "--message=Untidy")
    assert refused.code == 1
    assert f"Fixing {INDEX}" in refused.out + refused.err
    assert f"Fixing {FILE}" in refused.out + refused.err
    assert (repository.read(INDEX), repository.read(FILE)) == (TIDY.encode(), GOOD.encode())
    assert staged(repository, INDEX) == UNTIDY.removesuffix("\n")
    repository.git("add", "--all")
    passed = framework.git(repository, "commit", "--message=Tidy")
    assert passed.code == 0, passed.out + passed.err
    assert repository.git("status", "--porcelain") == ""


@pytest.mark.soak
def test_fix_that_meets_unstaged_work_on_the_same_lines_loses_none(
    framework: Framework, repository: GitRepository
) -> None:
    repository.write(TARGET, TARGET_TEXT)
    framework.install(repository, "memory-index-fix")
    repository.write(INDEX, UNTIDY)
    repository.git("add", "--all")
    mine = UNTIDY.replace("/when one", "/when one | mine")
    repository.write(INDEX, mine)
    assert framework.git(repository, "commit", "--message=Untidy").code == 1
    # The framework takes the fix back and leaves what was there.
    assert repository.read(INDEX) == mine.encode()
    assert staged(repository, INDEX) == UNTIDY.removesuffix("\n")


@pytest.mark.soak
def test_every_hook_type_is_installed(framework: Framework, guarded_memory: GitRepository) -> None:
    assert guarded_memory.read(CONFIG)
    hooks = {path.name for path in (guarded_memory.path / ".git/hooks").iterdir()}
    assert hooks == {"pre-commit", "pre-merge-commit", "pre-push"}
    script = (guarded_memory.path / ".git/hooks/pre-push").read_text(encoding="utf-8")
    assert str(framework.command.path.resolve().parent) in script


@pytest.mark.soak
def test_merge_that_breaks_the_memory_is_refused(
    framework: Framework, guarded_memory: GitRepository
) -> None:
    again = "## When a cache is cold\n\nWarm it.\n"
    guarded_memory.branch("side")
    guarded_memory.write(FILE, f"{GOOD}\n{again}")
    guarded_memory.commit("At the end")
    guarded_memory.checkout("main")
    guarded_memory.write(FILE, GOOD.replace(HEAD, f"{HEAD}{again}\n"))
    guarded_memory.commit("At the top")
    before = guarded_memory.head()
    refused = framework.git(guarded_memory, "merge", "--no-edit", "side")
    assert refused.code != 0
    assert "duplicate-entry" in refused.out + refused.err
    assert guarded_memory.head() == before
    guarded_memory.write(FILE, f"{GOOD}\n{again}")
    guarded_memory.git("add", FILE)
    passed = framework.git(guarded_memory, "commit", "--no-edit")
    assert passed.code == 0, passed.out + passed.err
    assert len(guarded_memory.git("show", "--no-patch", "--format=%P").split()) == 2


@pytest.mark.soak
def test_push_prints_the_verdict_and_is_refused_for_damage_only(
    framework: Framework, repository: GitRepository, tmp_path: Path
) -> None:
    remote = GitRepository(tmp_path / "remote", bare=True)
    repository.git("remote", "add", "origin", str(remote.path))
    entries = "".join(f"\n## Lesson {number}\n\nText.\n" for number in range(60))
    repository.write(FILE, f"# Learnings\n{entries}")
    repository.commit("Memory", date="2026-01-01")
    repository.work("2026-01-02", days=28)
    framework.install(repository, "learnings-check", "learnings-due")
    pushed = framework.git(repository, "push", "origin", "main")
    assert pushed.code == 0, pushed.out + pushed.err
    assert f"{FILE}: due" in pushed.out + pushed.err
    assert remote.head("main") == repository.head()
    repository.write(FILE, f"# Learnings\n{entries}\n## Lesson 0\n\nAgain.\n")
    repository.commit("Bad", date="2026-02-01")  # with --no-verify
    refused = framework.git(repository, "push", "origin", "main")
    assert refused.code != 0
    assert "duplicate-entry" in refused.out + refused.err
    assert remote.head("main") != repository.head()


@pytest.mark.soak
def test_hooks_run_without_a_network(framework: Framework, guarded_memory: GitRepository) -> None:
    if not _can_be_cut_off():
        pytest.skip("no network namespace can be made here")
    framework.install(guarded_memory, *manifest())
    every = ("run", "--all-files", "--hook-stage", "manual", "--verbose")
    done = subprocess.run(
        [*CUT_OFF, framework.command.path, *every],
        cwd=guarded_memory.path,
        env={**os.environ, **framework.variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for hook in manifest():
        assert f"- hook id: {hook}" in done.stdout
    guarded_memory.write(FILE, BAD)
    refused = framework.git(guarded_memory, "commit", "--all", "--message=Bad", before=CUT_OFF)
    assert refused.code == 1
    assert "duplicate-entry" in refused.out + refused.err


@pytest.mark.soak
def test_environment_of_the_hooks_is_small(
    framework: Framework, guarded_memory: GitRepository
) -> None:
    assert guarded_memory.read(CONFIG)
    files = [*framework.store.joinpath(framework.name).rglob("*")]
    sizes = [path.lstat().st_size for path in files if path.is_file() and not path.is_symlink()]
    assert any(path.name.startswith("learnings-check") for path in files)
    # All of the store: the environment, the clone it was made from, the framework's own notes.
    assert sum(sizes) < LARGEST_ENVIRONMENT


def _can_be_cut_off() -> bool:
    """Return True if a process can run here without any network, not even this machine."""
    if shutil.which(CUT_OFF[0]) is None:
        return False
    with socket.create_server(("127.0.0.1", 0)) as server:
        knock = [sys.executable, "-c", KNOCK, str(server.getsockname()[1])]
        reached, cut_off = (
            subprocess.run([*before, *knock], capture_output=True, check=False)
            for before in ((), CUT_OFF)
        )
    assert reached.returncode == 0, reached.stderr
    return b"unshare" not in cut_off.stderr and cut_off.returncode != 0
