"""The world of every test: no settings of this machine, no repository around, no network."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from learnings.app.setup import origin
from tests.support import frameworks
from tests.support.command import Command
from tests.support.frameworks import RECORD, Framework
from tests.support.guard import ROOT, guarded, state_of
from tests.support.repository import GitRepository
from tests.support.surroundings import GIT_CONFIG, is_foreign, variables

# Where the environment asks for no bytecode, each process would rewrite the assertions of all test
# modules anew: 4 s, with coverage 8 s.
sys.dont_write_bytecode = False

# How many examples a property is tried with where its test does not say, by the profile that
# HYPOTHESIS_PROFILE names. They are the same in every run of the same tests, so that a failure is
# about the change at hand, or about a constant in it: Hypothesis draws those of all test modules
# that are loaded. Only `thorough` draws others each time. What is found becomes an @example.
EXAMPLES = {"quick": 20, "normal": 50, "thorough": 2000}

for name, number in EXAMPLES.items():
    hypothesis.settings.register_profile(
        name,
        max_examples=number,
        derandomize=name != "thorough",
        deadline=None,  # two processes share a machine with others
        database=None,
    )
# Tests make objects by the million and hardly a cycle: looking for those took a tenth of the time.
gc.set_threshold(100_000, 50, 1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "normal"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionstart() -> Iterator[None]:
    """Keep coverage, which has started after this, from tracing threads.

    Python 3.11 fails if two threads install a tracer at the same time, which the audit hook of the
    guard makes likely: a thread of the product died before it ran, and the test waited for ever.
    Code that runs in a thread is measured in a test that calls it directly.
    """
    yield
    threading.settrace(None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests with a repository: the time of most goes to the processes of git."""
    for item in items:
        if isinstance(item, pytest.Function) and "repository" in item.fixturenames:
            item.add_marker("git")


@pytest.fixture(scope="session")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty folder outside any repository: the working directory of every test."""
    return tmp_path_factory.mktemp("nowhere")


@pytest.fixture(scope="session", autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Replace the environment for the whole session; REAL_HOME keeps what HOME was."""
    home = tmp_path_factory.mktemp("home")
    own = variables(home, ceiling=tmp_path_factory.getbasetemp())
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if is_foreign(name):
                patch.delenv(name)
        for name, value in own.items():
            patch.setenv(name, value)
        _reset_clock()
        yield
    _reset_clock()


@pytest.fixture(scope="session", autouse=True)
def untouched_checkout(hermetic: None) -> Iterator[None]:  # noqa: ARG001
    """Fail the session when the repository around the tests is not as it was."""
    with guarded.opened():
        before = state_of(ROOT)
    yield
    with guarded.opened():
        after = state_of(ROOT)
    changed = [name for name, value in before.items() if after.get(name) != value]
    if changed:
        pytest.fail(f"while the tests ran, the checkout's {', '.join(changed)} changed")


@pytest.fixture(autouse=True)
def away(request: pytest.FixtureRequest, nowhere: Path) -> Iterator[None]:
    """Start every test outside the checkout; only tests marked `outside` may ask its git."""
    os.chdir(nowhere)
    if request.node.get_closest_marker("outside"):
        with guarded.opened():
            yield
    else:
        yield


@pytest.fixture(autouse=True)
def installed_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record a made-up address for this installation, whatever it was installed from."""
    monkeypatch.setattr(origin, "recorded", lambda: RECORD)


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the project name the address that this installation came from as its own."""
    monkeypatch.setattr("learnings.HOME", frameworks.REPOSITORY)


@pytest.fixture
def global_git_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a global git configuration of the test's own, in force and free to be changed."""
    path = tmp_path / "global.gitconfig"
    path.write_text(GIT_CONFIG, encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(path))
    return path


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """Return an empty repository."""
    return GitRepository(tmp_path / "repository")


@pytest.fixture
def instructed(repository: GitRepository) -> GitRepository:
    """Return the same with instructions that lead agents to every learnings file.

    For tests about other findings than `memory-not-loaded`; the file has no role of its own.
    """
    repository.write(".windsurfrules", "Read **/*.md, `learnings.md` and `lessons.md`.\n")
    return repository


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    """Return a repository that holds what the checkout holds now, at a tag."""
    return frameworks.published(tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="session", params=frameworks.NAMES)
def framework(
    request: pytest.FixtureRequest,
    published: GitRepository,
    tmp_path_factory: pytest.TempPathFactory,
) -> Framework:
    """Return each framework in turn; the hooks that it installs are kept for the whole run."""
    run = tmp_path_factory.getbasetemp()
    # Several processes share one store, which the frameworks lock themselves.
    parallel = "PYTEST_XDIST_WORKER" in os.environ
    return Framework(request.param, published, (run.parent if parallel else run) / "hook-store")


@pytest.fixture(scope="session")
def learnings() -> Command:
    """Return the installed command `learnings`."""
    return Command("learnings")


@pytest.fixture(scope="session")
def hook() -> Callable[[str], Command]:
    """Return the way from a hook id to its installed command."""
    return Command


def _reset_clock() -> None:
    if hasattr(time, "tzset"):
        time.tzset()
