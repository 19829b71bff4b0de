"""A clone that lacks most blobs: they are fetched together, and only those that are needed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.history.memory import body, day, forget, memory, run
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
REWORDED = "Entry 3"
PICTURE = "docs/picture.png"
VERSIONS = 30
MOST_FETCHES = 3
"""For the versions of the file, for files that entries came from, and one to spare."""
COMMANDS = (
    ("ages", FILE),
    ("ages", FILE, "--summary"),
    ("due",),
    ("due", "--replay"),
    ("batch", FILE),
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    """A history of thirty versions, some reworded, moved in or taken out; all change a picture."""
    repository = GitRepository(tmp_path_factory.mktemp("built"))
    repository.git("config", "uploadpack.allowFilter", "true")
    titles = ["Draft of a note"]
    repository.write("notes.md", memory(*titles))
    repository.commit(date=day(0))
    for number in range(1, VERSIONS + 1):
        if number == 10:  # an entry that another file had
            repository.write("notes.md", memory())
        elif number == 20:  # one under another heading
            titles[titles.index(REWORDED)] = "Reworded"
        else:
            titles.append(f"Entry {number}")
        if number == 25:
            del titles[4:8]
        repository.write(FILE, memory(*titles[number < 10 :], Reworded=body(REWORDED)))
        repository.write(PICTURE, b"\x89PNG" + number.to_bytes(2) * 1000)
        repository.commit(date=day(number))
    return repository


@pytest.fixture
def origin(built: GitRepository, tmp_path: Path) -> GitRepository:
    """Return a copy of that history, which is built once: it takes 60 processes."""
    shutil.copytree(built.path, tmp_path / "origin")
    return GitRepository(tmp_path / "origin")


def partial_clone(origin: GitRepository, *options: str) -> GitRepository:
    """Clone without blobs; those of the newest commit are there once it is checked out."""
    path = origin.path.with_name("partial")
    uri = origin.path.resolve().as_uri()
    origin.git("clone", "--quiet", "--filter=blob:none", *options, uri, str(path))
    return GitRepository(path)


def fetches(repository: GitRepository, *words: str) -> tuple[int, str]:
    """Run a command that succeeds; how often something was fetched, and what was printed."""
    trace, settings = (repository.path.with_name(name) for name in ("trace", "trace-settings"))
    trace.unlink(missing_ok=True)
    settings.write_text(f'[trace2]\n\teventTarget = "{trace.as_posix()}"\n', encoding="utf-8")
    done = run(repository, *words, env={"GIT_CONFIG_GLOBAL": str(settings)})
    assert (done.code, done.err) == (0, "")
    events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    named = [event["name"] for event in events if event["event"] == "cmd_name"]
    assert "cat-file" in named  # the trace works
    return named.count("upload-pack"), done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [COMMANDS[0], *(pytest.param(words, marks=pytest.mark.soak) for words in COMMANDS[1:])],
    ids=" ".join,
)
def test_all_versions_are_fetched_at_once(origin: GitRepository, words: tuple[str, ...]) -> None:
    clone = partial_clone(origin)
    count, printed = fetches(clone, *words)
    assert printed == run(origin, *words).out
    assert count <= MOST_FETCHES
    assert fetches(clone, *words)[0] == 0


@pytest.mark.slow
def test_only_versions_of_the_file_are_fetched_and_remembered(origin: GitRepository) -> None:
    clone = partial_clone(origin, "--sparse")
    clone.git("sparse-checkout", "set", "agents")
    expected = fetches(clone, "ages", FILE)[1]
    listed = clone.git("rev-list", "--objects", "--missing=print", "HEAD", "--", PICTURE)
    assert listed.count("\n?") == VERSIONS
    assert run(origin, "ages", FILE).out == expected
    origin.path.rename(origin.path.with_name("gone"))
    assert run(clone, "ages", FILE).out == expected
    forget(clone)
    done = run(clone, "ages", FILE)
    assert (done.code, done.err, done.out) == (0, "", expected)


@pytest.mark.slow
def test_without_the_remote_one_sentence_says_so(origin: GitRepository) -> None:
    clone = partial_clone(origin)
    shutil.rmtree(origin.path)
    for words in COMMANDS:
        done = run(clone, *words)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), words
        assert "missing objects of this partial clone" in done.err


@pytest.mark.soak
def test_a_picture_that_git_has_lost_is_not_missed(origin: GitRepository) -> None:
    expected = {words: run(origin, *words).out for words in COMMANDS}
    listed = origin.git("rev-list", "--objects", "HEAD", "--", PICTURE).splitlines()
    for blob in (line.split()[0] for line in listed if line.endswith(PICTURE)):
        (origin.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    forget(origin)
    for words in COMMANDS:
        done = run(origin, *words)
        assert (done.code, done.err, done.out) == (0, "", expected[words])
        forget(origin)


def test_a_sparse_checkout_has_the_same_ages(origin: GitRepository) -> None:
    clone = origin.clone()
    clone.git("sparse-checkout", "set", "agents")
    assert not (clone.path / PICTURE).exists()
    assert run(clone, "ages", FILE).out == run(origin, "ages", FILE).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "environment"),
    [(("--offline",), {}), ((), {"GIT_NO_LAZY_FETCH": "1"})],
    ids=["option", "variable"],
)
@pytest.mark.parametrize("command", [("ages", FILE), ("due",), ("check", "--history")])
def test_nothing_is_fetched_offline(
    origin: GitRepository,
    command: tuple[str, ...],
    words: tuple[str, ...],
    environment: dict[str, str],
) -> None:
    clone = partial_clone(origin)
    packs = clone.path / ".git/objects/pack"
    before = sorted(packs.iterdir())
    done = run(clone, *command, *words, env=environment)
    assert (done.code, sorted(packs.iterdir())) == (2, before)
    assert "--offline" in done.err
    assert run(clone, *command).code in (0, 1), "online it works"
    assert sorted(packs.iterdir()) != before
    done = run(clone, *command, *words, env=environment)
    assert done.code == run(origin, *command).code, "all versions are there now"
