"""`learnings check` with --fix, --quiet and --verbose, and its additions on a terminal."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path

import pytest

from learnings.core.errors import UsageProblem
from learnings.surfaces.cli import check
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.surfaces.cli.context import context

learnings = Command("learnings")
pytestmark = pytest.mark.usefixtures("instructed")

MEMORY, TARGET = "agents/learnings.md", "agents/decisions/builds.md"
INDEX = "agents/memory-index.md"
CLEAN = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
FIXABLE = "# Learnings\n\n##When a build hangs\n\nLook at the lock."
LEFT = f"{FIXABLE}\n\n## When a test is slow\n\nOne.\n\n## When a test is slow\n\nTwo.\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(cwd: Path, *words: str) -> tuple[int, str, str]:
    """Run with a terminal as standard output; return the exit code and both streams."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    check.add_arguments(parser)
    out, err = Terminal(), io.StringIO()
    code = check.run(parser.parse_args(words), context(cwd, out, err))
    return code, out.getvalue(), err.getvalue()


# --- --fix


def test_fixed_and_nothing_left(repository: GitRepository) -> None:
    repository.write(MEMORY, FIXABLE)
    run = learnings("check", "--fix", cwd=repository.path)
    assert (run.code, run.out, run.err) == (1, f"Fixing {MEMORY}\n", "")
    assert repository.read(MEMORY).decode() == CLEAN
    run = learnings("check", "--fix", cwd=repository.path)
    assert (run.code, run.out, run.err) == (0, "", "")


def test_what_is_left_is_reported(repository: GitRepository) -> None:
    repository.write(MEMORY, LEFT)
    run = learnings("check", "--fix", cwd=repository.path)
    assert run.code == 1
    assert run.out.startswith(f"Fixing {MEMORY}\n{MEMORY}:11:1: error duplicate-entry ")
    assert run.out.count("\n") == 2
    repository.write(MEMORY, LEFT)
    run = learnings("check", "--fix", "--format", "json", cwd=repository.path)
    assert [finding["rule"] for finding in json.loads(run.out)["findings"]] == ["duplicate-entry"]
    assert run.err == f"Fixing {MEMORY}\n1 error, 0 notices in 1 file\n"


def test_only_what_is_named_is_fixed(repository: GitRepository) -> None:
    repository.write(MEMORY, FIXABLE)
    repository.write("CLAUDE.md", "No newline")
    assert learnings("check", "--fix", "CLAUDE.md", cwd=repository.path).code == 1
    assert repository.read("CLAUDE.md") == b"No newline\n"
    assert repository.read(MEMORY).decode() == FIXABLE
    assert learnings("check", "--fix", "--rule=final-newline", cwd=repository.path).code == 1
    assert repository.read(MEMORY).decode() == f"{FIXABLE}\n"
    index = "# Index\n\n## agents/decisions/builds.md\n\nTwo — 2\nOne — 1\n"
    repository.write(TARGET, "# Builds\n\n## One\n\n## Two\n")
    repository.write(INDEX, index)
    learnings("check", "--fix", "--rule=index-structural-row", cwd=repository.path)
    assert repository.read(INDEX).decode() == index
    assert learnings("check", "--fix", "--rule=index-order", cwd=repository.path).code == 1
    assert repository.read(INDEX).decode().endswith("One — 1\nTwo — 2\n")


@pytest.mark.parametrize("option", ["--fix", "--history"])
def test_standard_input_has_no_file_to_fix(repository: GitRepository, option: str) -> None:
    words = ("check", option, "--stdin-filename", MEMORY, "-")
    run = learnings(*words, cwd=repository.path, stdin=FIXABLE.encode())
    assert (run.code, run.out) == (2, "")
    assert run.err == f"learnings: {option} needs a file on disk; leave it out, or name the file\n"


def test_what_has_a_fix_is_counted(repository: GitRepository) -> None:
    repository.write(MEMORY, LEFT)
    counts = "2 errors, 0 notices in 1 file\n`learnings fix` fixes 1 finding\n"
    assert learnings("check", cwd=repository.path).err == counts
    repository.write(MEMORY, CLEAN)
    repository.write(TARGET, "# Builds\n\n## One\n")
    repository.write(INDEX, "# Index\n")
    run = learnings("check", cwd=repository.path)
    assert "index-missing-row" in run.out
    assert "fixes" not in run.err  # only with --add-missing


# --- --quiet


def test_quiet_prints_findings_and_nothing_else(repository: GitRepository) -> None:
    nothing = learnings("check", "--quiet", cwd=repository.path)
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "")
    repository.write(MEMORY, LEFT)
    loud, quiet = (learnings("check", *words, cwd=repository.path) for words in ([], ["--quiet"]))
    assert (quiet.code, quiet.out, quiet.err) == (1, loud.out, "")
    fixed = learnings("check", "--fix", "--quiet", cwd=repository.path)
    assert fixed.out.startswith(f"{MEMORY}:11:1: error duplicate-entry ")
    repository.write(MEMORY, FIXABLE)
    fixed = learnings("fix", "--quiet", cwd=repository.path)
    assert (fixed.code, fixed.out, fixed.err) == (1, "", "")
    with pytest.raises(UsageProblem, match="--quiet and --verbose exclude each other"):
        on_terminal(repository.path, "--quiet", "--verbose")


# --- --verbose


def test_verbose_says_what_was_looked_at_and_why_not(repository: GitRepository) -> None:
    repository.write(MEMORY, CLEAN)
    repository.write("learnings.md", "No entry here.\n")
    repository.write("docs/decisions/old.md", "No newline")
    repository.write("CLAUDE.md", "# Rules\n")
    repository.write("docs/named.md", "# Named\n\n## Here\n")
    repository.write(INDEX, "# Index\n\n## docs/named.md\n\nHere — 1\n")
    config = 'exclude = ["docs/decisions"]\n[rules]\nsoft-limit = "off"\nload-limit = "error"\n'
    repository.write("learnings.toml", config)
    run = learnings("check", "--verbose", cwd=repository.path)
    assert (run.code, run.out) == (0, "")
    lines = run.err.splitlines()
    expected = [
        "CLAUDE.md: checked, target file",
        f"{MEMORY}: checked, learnings file, 1 entry, heading at level 2: 1 H2",
        f"{INDEX}: checked, memory index",
        "docs/named.md: compared with the memory index",
        "docs/decisions/old.md: skipped, excluded (learnings.toml:1)",
        "configuration: learnings.toml",
        "baseline: .learnings-baseline.json, 0 known findings left out",
        "rule load-limit: error (learnings.toml:4)",
        "rule section-without-content: off (default)",
        "rule soft-limit: off (learnings.toml:3)",
    ]
    assert [line for line in lines if "learnings.md: skipped" not in line] == expected
    assert any(line.startswith("learnings.md: skipped, holds no entry") for line in lines)


def test_verbose_on_standard_input_and_other_files(repository: GitRepository) -> None:
    verbose = ("check", "--verbose")
    repository.write("notes.md", "A line.\n")
    repository.write(".claude/agents/a.md", "---\nname: a\ndescription: x.\n---\n")
    run = learnings(*verbose, "notes.md", ".claude/agents/a.md", cwd=repository.path)
    assert "notes.md: checked, not a memory file, checked as text\n" in run.err
    assert ".claude/agents/a.md: checked, agent file\n" in run.err
    words = ("--stdin-filename", MEMORY, "-")
    run = learnings(*verbose, *words, cwd=repository.path, stdin=CLEAN.encode())
    assert f"{MEMORY}: checked, learnings file, 1 entry, " in run.err
    run = learnings(*verbose, "--no-baseline", cwd=repository.path)
    assert "configuration: none; defaults apply\nbaseline: not used\n" in run.err


# --- on a terminal


def test_a_terminal_is_told_more(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write(MEMORY, CLEAN)
    assert on_terminal(repository.path) == (0, "", "no findings in 1 file\n")
    assert on_terminal(repository.path, "--quiet") == (0, "", "")
    monkeypatch.setenv("TERM", "xterm")
    repository.write(MEMORY, LEFT)
    _, out, err = on_terminal(repository.path)
    assert "\033]8;;https://" in out
    assert err.endswith(
        "`learnings explain entry-heading-malformed` says why it matters and how to fix it\n"
    )
    log = learnings("check", cwd=repository.path, env={"FORCE_COLOR": "1"}).out
    assert ("\033[" in log, "\033]8" in log) == (True, False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033" not in on_terminal(repository.path)[1]
