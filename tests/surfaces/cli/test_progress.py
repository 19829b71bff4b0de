"""The progress line of long work."""

from __future__ import annotations

import io

import pytest

from learnings.surfaces.cli.commands import COMMANDS, options_of
from learnings.surfaces.cli.output import progress_on
from tests.support.command import Command
from tests.support.repository import GitRepository


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that the module sees; the test sets them."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    return now


def test_nothing_appears_in_the_first_second(clock: list[float]) -> None:
    terminal = Terminal()
    show = progress_on(terminal)
    show("1 of 9")
    clock[0] += 0.9
    show("2 of 9")
    show("")
    assert terminal.getvalue() == ""


def test_one_line_is_written_over_and_taken_away(clock: list[float]) -> None:
    terminal = Terminal()
    show = progress_on(terminal)
    for step in ("1 of 9", "2 of 9", "\x1b[31ma name that is longer than the terminal"):
        clock[0] += 1
        show(step)
        show("at the same time")
    show("")
    show("")
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines[:3] == ["", "1 of 9", "2 of 9"]
    assert len(lines[3]) == 29
    assert "\x1b" not in lines[3]
    assert lines[4:] == [""]


def test_no_pipe_no_job_and_no_dumb_terminal_sees_it(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(stream: io.StringIO) -> str:
        show = progress_on(stream)
        clock[0] += 5
        show("1 of 9")
        return stream.getvalue()

    assert written(io.StringIO()) == ""
    assert written(Terminal()) != ""
    monkeypatch.setenv("CI", "true")
    assert written(Terminal()) == ""
    monkeypatch.delenv("CI")
    monkeypatch.setenv("TERM", "dumb")
    assert written(Terminal()) == ""


FILE = "agents/learnings.md"
ENTRY = "\n## When part {} hangs\n\nLook at the lock of part {}.\n"
QUIET = [n for n in COMMANDS if "--quiet" in options_of(n) and n != "verify"]


def memory(number: int) -> str:
    return "# Learnings\n" + "".join(ENTRY.format(n, n) for n in range(number))


@pytest.fixture
def repo(repository: GitRepository) -> GitRepository:
    repository.write("README.md", "# A\n")
    repository.commit(date="2026-01-01")
    return repository


def words_of(command: str) -> list[str]:
    return [command, "github", "--dry-run"] if command == "notify" else [command]


def test_no_notes_where_there_is_no_memory(repo: GitRepository, learnings: Command) -> None:
    failures = []
    for command in QUIET:
        loud = learnings(*words_of(command), cwd=repo.path)
        quiet = learnings(*words_of(command), "--quiet", cwd=repo.path)
        expected = loud.err if loud.code else ""
        if (quiet.code, quiet.out, quiet.err) != (loud.code, loud.out, expected) or not loud.err:
            failures.append((command, loud, quiet))
    assert failures == []


def test_errors_stay(repo: GitRepository, learnings: Command) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    run = learnings("due", "--quiet", cwd=repo.clone(depth=1).path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("learnings: this is a shallow clone")
    failures = []
    for command in QUIET:
        run = learnings(*words_of(command), "--quiet", "gone.md", cwd=repo.path)
        if (run.code, run.err.count("gone.md")) not in ((1, 1), (2, 1)):
            failures.append((command, run))
    assert failures == []


@pytest.mark.slow
def test_due_prints_only_what_is_due(repo: GitRepository, learnings: Command) -> None:
    repo.write(FILE, memory(2))
    repo.commit(date="2026-01-02")
    assert learnings("due", cwd=repo.path).out.startswith(f"{FILE}: not-due: ")
    run = learnings("due", "--quiet", cwd=repo.path)
    assert (run.code, run.out, run.err) == (0, "", "")
    whole = learnings("due", "--quiet", "--format=json", cwd=repo.path)
    assert [file["verdict"] for file in whole.json["files"]] == ["not-due"]
    repo.write("docs/lessons.md", memory(8))
    repo.commit(date="2026-01-03")
    repo.work("2026-01-04", days=20)
    repo.write(FILE, "# Learnings\n\n## How to read a trace\n\nFrom the bottom up.\n")
    repo.commit(date="2026-02-01")
    run = learnings("due", "--quiet", "--exit-code", cwd=repo.path)
    assert run.code == 1
    assert run.out.startswith("docs/lessons.md: due\n")
    assert FILE not in run.out
    assert learnings("due", "--exit-code", cwd=repo.path).out.endswith(run.out)
