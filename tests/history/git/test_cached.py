"""What is remembered never shows: warm answers equal cold ones, whatever happened in between."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from learnings.history.git.cached import Cache
from tests.history.memory import (
    FILE,
    Json,
    active_days,
    added,
    ages,
    configure,
    consolidation,
    count_every_removal,
    day,
    due,
    forget,
    keep,
    memory,
    run,
)
from tests.history.oracle.histories import NAMES, random_history
from tests.history.stories import tell, told
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    path = tmp_path_factory.mktemp("built") / "repository"
    with contextlib.chdir(path.parent):
        random_history(path, seed=3, commits=140)
    return GitRepository(path)


@pytest.fixture
def lived(built: GitRepository, tmp_path: Path) -> GitRepository:
    """A copy of a repository with a long life, nothing remembered."""
    return GitRepository(shutil.copytree(built.path, tmp_path / "lived"))


def said(repository: GitRepository) -> Json:
    """Everything the command says of the memory of a repository, in one value."""
    (file,) = [name for name in (FILE, *NAMES) if (repository.path / name).exists()]
    verdict = run(repository, "due", file, "--format=json")
    assert verdict.code == 0, verdict
    return ages(repository, file=file), verdict.json


def cold(repository: GitRepository) -> Json:
    """The same with nothing remembered, and without leaving a memory."""
    folder = repository.path / ".git" / "learnings"
    aside = folder.with_name("learnings-aside")
    if folder.exists():
        folder.rename(aside)
    answer = said(repository)
    forget(repository)
    if aside.exists():
        aside.rename(folder)
    return answer


def remembered(repository: GitRepository) -> list[Path]:
    return sorted((repository.path / ".git" / "learnings").iterdir())


def test_what_is_known_is_not_written_again(lived: GitRepository) -> None:
    first = said(lived)
    written = {file: file.stat().st_ino for file in remembered(lived)}
    assert written
    assert said(lived) == first == cold(lived)
    assert {file: file.stat().st_ino for file in remembered(lived)} == written
    tip = lived.head()
    keep(lived, 900, memory("X"), file=NAMES[1])
    said(lived)
    lived.git("reset", "--quiet", "--hard", tip)
    assert said(lived) == first


def test_a_folder_that_cannot_be_made_or_written(lived: GitRepository) -> None:
    right = cold(lived)
    folder = lived.path / ".git" / "learnings"
    folder.write_text("in the way")
    assert said(lived) == right
    folder.unlink()
    folder.mkdir(mode=0o555)
    assert said(lived) == right
    folder.chmod(0o755)
    shutil.rmtree(folder)
    # Root may write anywhere, except where there is nothing.
    folder.symlink_to("/nowhere/at/all")
    assert said(lived) == right


@pytest.mark.soak
@pytest.mark.parametrize("order", [sorted, list], ids=["forward", "to and fro"])
def test_at_many_commits(lived: GitRepository, order: Callable[[list[int]], list[int]]) -> None:
    commits = lived.git("rev-list", "--reverse", "HEAD").split()
    for number in order(random.Random(1).sample(range(len(commits)), 20)):
        lived.git("reset", "--quiet", "--hard", commits[number])
        if any((lived.path / name).exists() for name in NAMES):
            assert said(lived) == cold(lived), commits[number]


@pytest.mark.parametrize(
    "steps",
    [
        ("30 .", "31 ABCDE", "32 ABC", "33 ABee=BC", "34 CBeeA=B", "24 .", "now ABF"),
        # A branch comes in with old days, an old consolidation and an older origin.
        ("2 work: ABC", "3 EABC", "10 main: ABCDF", "12 .", "13 <work ABCEF"),
        ("2 work: ABCDF", "7 main: ABCDF", "8 work: <main"),
    ],
)
def test_after_each_step(repository: GitRepository, steps: tuple[str, ...]) -> None:
    count_every_removal(repository)
    tell(repository, "0 ABCDE; 1 ABCD")
    for step in steps:
        said(repository)
        tell(repository, step)
        assert said(repository) == cold(repository), step


def test_a_history_that_was_rewritten(repository: GitRepository) -> None:
    tell(repository, "0 ABC; 1 AB; 2 .")
    said(repository)
    repository.git("checkout", "--quiet", "--orphan", "new")
    days = tell(repository, "7 AB; 9 .")
    document = said(repository)[0]
    assert told(document, days) == "A7 B7"
    assert document["history"]["active_days"] == 2


def test_another_file_of_the_same_content(repository: GitRepository) -> None:
    days = tell(repository, "0 A; 3 other.md A; 4 .")
    for _ in ("cold", "warm"):
        assert told(ages(repository), days) == "A0"
        assert told(ages(repository, file="other.md"), days) == "A0<learnings.md"


def test_commits_that_were_collected(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABC"))
    tip = keep(repository, 1, memory(*"ABCD"))
    keep(repository, 2, memory(*"ABD"))
    said(repository)
    repository.git("reset", "--quiet", "--hard", tip)
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "--quiet", "--prune=now")
    assert said(repository) == cold(repository)
    assert consolidation(said(repository)[0]) is None


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "random bytes": lambda data: random.Random(len(data)).randbytes(200),
    "nothing": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    "a number": lambda _: b"7",
    "a list": lambda _: b"[[], {}]",
    "null": lambda _: b'{"key": null, "value": null}',
    "an empty value": lambda data: json.dumps({**json.loads(data), "value": {}}).encode(),
    "a list as value": lambda data: json.dumps({**json.loads(data), "value": [1, 2]}).encode(),
    "text as value": lambda data: json.dumps({**json.loads(data), "value": "no"}).encode(),
    "a value of texts": lambda data: _with_value(data, lambda value: dict.fromkeys(value, "x")),
    "a value of nulls": lambda data: _with_value(data, dict.fromkeys),
    "a value of numbers": lambda data: _with_value(data, lambda value: dict.fromkeys(value, 3)),
    "another format": lambda data: _with_key(data, format=999),
    "another version": lambda data: _with_key(data, learnings="0.0.0"),
    "another value": lambda data: data.replace(b"2026-", b"2025-"),
    "a flipped bit": lambda data: data[:-60] + bytes([data[-60] ^ 1]) + data[-59:],
    "deeply nested": lambda _: b"[" * 100_000,
    "endless digits": lambda _: b"9" * 10_000,
}


def _with_value(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    stored = json.loads(data)
    value = stored["value"]
    return json.dumps({**stored, "value": change(value) if isinstance(value, dict) else 3}).encode()


def _with_key(data: bytes, **parts: object) -> bytes:
    stored = json.loads(data)
    stored["key"] |= parts
    stored["value"] = None
    return json.dumps(stored).encode()


def test_a_damaged_memory(repository: GitRepository) -> None:
    tell(repository, "0 ABCDE; 1 Ay=ABCD; 2..3")
    right = said(repository)
    files = {file: file.read_bytes() for file in remembered(repository)}
    for name, damage in DAMAGE.items():
        for file, content in files.items():
            file.write_bytes(damage(content))
        assert said(repository) == right, name
    for file in files:
        file.unlink(missing_ok=True)
        file.mkdir()
    assert said(repository) == right


def flips(data: bytes) -> Iterator[bytes]:
    """Give some content with each of its bits flipped, one at a time."""
    for index, bit in product(range(len(data)), range(8)):
        yield data[:index] + bytes([data[index] ^ 1 << bit]) + data[index + 1 :]


def test_every_flipped_bit_is_noticed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    value = {"tips": ["a" * 40], "days": {"2026-03-11": 2}}
    cache.save("activity", {"path": "a.md"}, value)
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    assert cache.load("activity", {"path": "a.md"}, dict) == value
    unnoticed = []
    for damaged in (*flips(content), *(content[:end] for end in range(len(content)))):
        file.write_bytes(damaged)
        if cache.load("activity", {"path": "a.md"}, dict) is not None:
            unnoticed.append(damaged)
    assert unnoticed == []


def test_a_memory_that_answers_another_question(repository: GitRepository) -> None:
    keep(repository, 0, memory(*"ABCDE"))
    keep(repository, 1, memory(*"ABC"), file="other.md")
    keep(repository, 2, memory(*"BCDE"))
    keep(repository, 3, memory(*"BC"), file="other.md")
    right = ages(repository), ages(repository, file="other.md")
    kinds = {file.name.partition("-")[0] for file in remembered(repository)}
    swapped = 0
    for kind in kinds:
        files = [file for file in remembered(repository) if file.name.startswith(f"{kind}-")]
        contents = [file.read_bytes() for file in files]
        for file, content in zip(files, contents[1:] + contents[:1], strict=True):
            file.write_bytes(content)
        swapped += len(files) > 1
    assert swapped > 1
    assert (ages(repository), ages(repository, file="other.md")) == right


@pytest.mark.soak
def test_two_processes_at_once(lived: GitRepository) -> None:
    right = cold(lived)[0]
    command = [str(Command("learnings").path), "ages", NAMES[1], "--format=json"]
    for _ in ("cold", "warm"):
        running = [
            subprocess.Popen(command, cwd=lived.path, stdout=subprocess.PIPE, env=os.environ)
            for _ in range(4)
        ]
        outputs = [process.communicate()[0] for process in running]
        assert [json.loads(output) for output in outputs] == [right] * 4
    assert not list((lived.path / ".git" / "learnings").glob("*.part"))
    assert said(lived)[0] == right


def test_what_a_killed_run_has_left_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "learnings"
    folder.mkdir()
    old, young = folder / "ages-0.json.1.part", folder / "ages-0.json.2.part"
    for part in (old, young):
        part.touch()
    hours_ago = young.stat().st_mtime - 2 * 3600
    os.utime(old, (hours_ago, hours_ago))
    Cache(folder).save("ages", {}, 1)
    assert young.exists()  # another process is writing it
    assert not old.exists()


def test_two_worktrees_share_a_memory(repository: GitRepository, tmp_path: Path) -> None:
    tell(repository, "0 ABC")
    tree = repository.worktree(tmp_path / "tree", branch="work")
    tell(tree, "1 AB; 2..4")
    for _ in ("cold", "warm"):
        assert active_days(ages(repository)) == {"A": 0, "B": 0, "C": 0}
        assert active_days(ages(tree)) == {"A": 4, "B": 4}
    assert not (tmp_path / "tree" / "learnings").exists()


def test_questions_about_the_past_leave_no_trace(repository: GitRepository) -> None:
    count_every_removal(repository)
    tell(repository, "0 ABCD; 1 ABC; 5 AB; 6..12")
    right = cold(repository)
    past = ages(repository, "--as-of", day(3))
    due(repository, "--as-of", day(3))
    ages(repository, "--at", "HEAD~8")
    assert said(repository) == right
    assert ages(repository, "--as-of", day(3)) == past
    assert past["last_consolidation"]["date"] == day(1)


SETTINGS: dict[str, dict[str, object]] = {
    "authors": {"ignore_authors": ("bot",)},
    "a dialect": {"dialect": "bullet"},
    "a level": {"entry_level": 3},
    "a preamble": {"preamble_lines": 8},
    "a least number": {"consolidation_min_removed": 1},
    "revisions": {"ignore_revs_file": "ignored"},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_leave_no_trace(repository: GitRepository, name: str) -> None:
    keep(repository, 0, memory(*"ABCDE").replace("c0", "\n### Sub\n\n- item\n"))
    rewritten = keep(repository, 1, memory(*"ABX").replace("x0", "\n### Sub\n\n- other\n"))
    keep(repository, 2, memory(*"AX").replace("x0", "\n### Sub\n\n- other\n"))
    repository.commit(date=day(3), author="bot <b@x>")
    repository.write("ignored", rewritten + "\n")
    plain = said_of(repository)
    configure(repository, **SETTINGS[name])
    other = said_of(repository)
    assert other != plain
    forget(repository)
    assert said_of(repository) == other
    (repository.path / "learnings.toml").unlink()
    assert said_of(repository) == plain


def said_of(repository: GitRepository) -> Json:
    return ages(repository), due(repository)


def test_a_list_of_ignored_revisions_that_grows(repository: GitRepository) -> None:
    keep(repository, 0, memory("A", A="some words"))
    rewritten = keep(repository, 1, memory("B", B="nothing in common"))
    assert added(ages(repository)) == {"B": day(1)}
    repository.write(".git-blame-ignore-revs", rewritten + "\n")
    repository.commit(date=day(2))
    assert added(ages(repository)) == {"B": day(0)}
    repository.remove(".git-blame-ignore-revs")
    repository.commit(date=day(3))
    assert added(ages(repository)) == {"B": day(1)}


def test_the_memory_stays_small(repository: GitRepository) -> None:
    keep(repository, 0, memory("A"))
    folder = repository.path / ".git" / "learnings"
    folder.mkdir()
    for number in range(1200):
        (folder / f"blame-{number}.json").touch()
    right = ages(repository)
    assert len(remembered(repository)) < 1000
    assert ages(repository) == right
