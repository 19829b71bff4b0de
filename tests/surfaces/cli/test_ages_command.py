"""`learnings ages` as text: rows on a terminal, Markdown elsewhere."""

from __future__ import annotations

import io

import pytest

from learnings.surfaces.cli import ages
from learnings.surfaces.cli.arguments import command_with, parser_for
from learnings.surfaces.cli.commands import Context
from learnings.workspace.clock import Clock
from tests.support.command import Command
from tests.support.repository import GitRepository

FILE = "agents/learnings.md"
LONG = "When a title is much longer than any terminal of forty columns is wide"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a memory with an old, a reworded, a superseded and an uncommitted entry."""
    start = f"# Learnings\n\n## {LONG}\n\nCut it.\n"
    second = "\n## When a heading is written\n\nIt names the case, in one short sentence.\n"
    repository.write(FILE, start)
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=9)
    repository.write(FILE, start + second)
    repository.commit(date="2026-01-20")
    reworded = start + second.replace("is written", "is chosen")
    repository.write(FILE, reworded)
    repository.commit(date="2026-01-21")
    repository.write(FILE, f"{reworded}\n## When it is new\n\n~~Superseded by the next~~\n")
    return repository


def on_terminal(memory: GitRepository, *words: str) -> str:
    parser = parser_for(prog="learnings ages", description="")
    command_with(parser, "ages")
    out = Terminal()
    context = Context(memory.path, out=out, err=io.StringIO(), clock=Clock())
    assert ages.run(parser.parse_args(words), context) == 0
    return out.getvalue()


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


def test_a_row_for_each_entry(memory: GitRepository, learnings: Command) -> None:
    expected = f"""\
{FILE}: 3 entries (1 ≥7 days, no prior consolidation)
  age  added        title
   11  2026-01-01   {LONG}
    1  2026-01-20   When a heading is chosen
                    - renamed-heading
    0  uncommitted  When it is new
                    - superseded
"""
    assert on_terminal(memory) == expected
    assert learnings("ages", "--format=text", cwd=memory.path).out == expected
    rows = on_terminal(memory, "--used").splitlines()
    assert rows[3].strip() == "- its files and commands changed: not known"


def test_a_narrow_terminal_cuts_titles_alone(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch, learnings: Command
) -> None:
    for columns, title in (("40", "When a title is muc…"), ("5", "When a titl…")):
        monkeypatch.setenv("COLUMNS", columns)
        assert on_terminal(memory).splitlines()[2] == f"   11  2026-01-01   {title}"
    assert LONG in learnings("ages", "--format=text", cwd=memory.path).out
    memory.write(FILE, "# Learnings\n")
    assert on_terminal(memory, FILE) == f"{FILE}: 0 entries (0 ≥7 days, no prior consolidation)\n"


def test_markdown_stays_where_it_is_asked_for_and_elsewhere(
    memory: GitRepository, learnings: Command
) -> None:
    piped = learnings("ages", cwd=memory.path).out
    assert piped.startswith("# Learning Ages Report\n")
    assert on_terminal(memory, "--format=markdown") == piped
    assert learnings("ages", "--format=markdown", cwd=memory.path).out == piped
    assert on_terminal(memory, "--format=json").startswith("{")
    assert on_terminal(memory, "--json") == on_terminal(memory, "--format=json")
    assert on_terminal(memory, "--summary").startswith("3 entries (")


def test_colours_of_a_terminal(memory: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    lines = on_terminal(memory).splitlines()
    assert lines[0].startswith(f"\x1b[1m{FILE}\x1b[0m: 3 entries")
    assert lines[1] == "\x1b[2m  age  added        title\x1b[0m"
    assert lines[4] == f"\x1b[2m{' ' * 20}- renamed-heading\x1b[0m"
    memory.write(FILE, "# Learnings\n\n## When \x1b[35m \u202eit\u2028is\x9b31m\n\ntext\n")
    assert "When \\x1b[35m \\u202eit is\\x9b31m" in on_terminal(memory)
