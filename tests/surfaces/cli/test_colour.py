"""Colour in the output of all commands: on a terminal, and nowhere else."""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Sequence

import pytest

from learnings.surfaces.cli.commands import FORMATS, wants_colour
from learnings.surfaces.render import highlight
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.tier_stores import FOLDER, raw_file

FILE, TARGET, INDEX = "agents/learnings.md", "agents/decisions/builds.md", "agents/memory-index.md"
CODE = re.compile(r"\x1b\[\d+m|\x1b\]8;;.*?\x1b\\")  # a colour, or one end of a link
SAME = "The daemon holds the lock of the build cache. Stop the daemon first.\n"
DOUBTFUL = """# Learnings

## 2026-03-04

- never retry on 409
- delete the cache before the build

## 2026-03-09

- ask for the plan before the query
- pin the version of the linter
"""
HAVE_DOCUMENTS = ("ages", "archive --list", "check", "config", "due", "verify --base HEAD")
CALLS = (
    *HAVE_DOCUMENTS,
    *(f"{call} --format=json" for call in HAVE_DOCUMENTS),
    "",
    "ages --format=text --used",
    "ages --summary",
    "batch",
    "doctor",
    "due --replay",
    "due --format=markdown",
    "explain soft-limit",
    "fix --diff",
    "fleet scan .",
    "groups",
    f"index {FILE}",
    "init --dry-run",
    *("memory curate --dry-run", "memory stats", f"memory brief --story {FILE}"),
    "precheck --all",
    "route --all",
    "rules",
    *("tiers status", "tiers compact --plan", "tiers promote"),
)


SCORED = "principles:\n- {id: PR-001, text: Warm the cache., confidence: 0.5}\n"
OBSERVED = """\
observations:
- {id: OB-001, type: fix-rationale, text: A lock is held by the daemon.}
- {id: OB-002, type: consistency-check, principle_id: PR-001, relationship: contradict}
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository in which every command has output, and something is due."""
    entries = "\n## How to bisect\n\nRun each step twice.\n"
    entries += "".join(f"\n## When a build of part {n} hangs\n\n{SAME}" for n in range(6))
    repository.write(FILE, f"# Learnings\n{entries}\n##Title\n\ntext\n")
    repository.write(TARGET, f"# Builds\n\n## When a build hangs\n\n{SAME}")
    repository.write(".shaktra/memory/principles.yml", SCORED)
    repository.write(".shaktra/stories/ST-1/.observations.yml", OBSERVED)
    finding = ("Put the tenant into the cache key", "One customer saw the prices of another.")
    for name in ("WU-1", "WU-2", "WU-3"):
        repository.write(f"{FOLDER}/{name}.json", raw_file(name, [finding], "2026-01-01T00:00:00Z"))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=20)
    return repository


@pytest.mark.parametrize(
    ("stream", "env", "wanted"),
    [
        (Terminal(), {}, True),
        (io.StringIO(), {}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": ""}, False),
        (Terminal(), {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        (Terminal(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, env: dict[str, str], *, wanted: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(stream) is wanted


def test_a_console_of_windows_that_prints_codes_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("WT_SESSION", "TERM", "TERM_PROGRAM", "ANSICON", "ConEmuANSI"):
        monkeypatch.delenv(name, raising=False)
    with monkeypatch.context() as patch:
        patch.setattr("learnings.surfaces.cli.commands.os.name", "nt")
        assert not wants_colour(Terminal())
        patch.setenv("WT_SESSION", "1")
        assert wants_colour(Terminal())


@pytest.mark.slow
def test_colour_adds_codes_and_nothing_else(memory: GitRepository, learnings: Command) -> None:
    failures: list[tuple[object, ...]] = []
    for call in CALLS:
        plain = learnings(*call.split(), cwd=memory.path)
        forced = learnings(*call.split(), cwd=memory.path, env={"FORCE_COLOR": "1"})
        without_codes = CODE.sub("", forced.out), CODE.sub("", forced.err), forced.code
        is_same = without_codes == (plain.out, plain.err, plain.code)
        has_codes = bool(CODE.search(forced.out))
        is_right = has_codes is ("json" not in call) or call == "ages --summary"
        if "\x1b" in plain.out + plain.err or not is_same or not is_right:
            failures.append((call, plain, forced))
    assert failures == []


@pytest.mark.slow
def test_every_pattern_matches_a_line_that_is_printed(
    memory: GitRepository, learnings: Command
) -> None:
    printed = "".join(learnings(*call.split(), cwd=memory.path).out for call in CALLS)
    printed += learnings("chekc", cwd=memory.path).err
    words = ("How to bisect", "--reason=known")
    assert learnings("archive", *words, cwd=memory.path).code == 0
    printed += learnings("archive", "--list", cwd=memory.path).out
    text = memory.read(FILE).decode()
    memory.write(FILE, text.replace("Stop the daemon", "Restart the daemon", 1))
    printed += learnings("diff", cwd=memory.path).out
    memory.write(FILE, DOUBTFUL)
    printed += learnings(cwd=memory.path).out
    printed += learnings("verify", "--base", "HEAD", cwd=memory.path).out
    patterns: Sequence[tuple[str, str]] = highlight._PATTERNS
    unused = [
        (kind, pattern)
        for kind, pattern in patterns
        if not re.search(f"^(?:{pattern})", printed, re.MULTILINE)
    ]
    assert unused == [], "a renderer has changed its line: change the pattern, too"


def test_the_kinds_are_results_with_a_text_format_or_named_here() -> None:
    results = {result for result, formats in FORMATS.items() if "text" in formats}
    kinds = {kind for kind, _ in highlight._PATTERNS}
    assert kinds - {"markdown", "patch", "problem", "overview"} <= results
    assert results <= kinds


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals of this kind")
def test_a_real_terminal(memory: GitRepository, learnings: Command) -> None:
    import pty  # noqa: PLC0415  (there is none on Windows)

    reader, writer = pty.openpty()
    run = subprocess.run(
        [learnings.path, "due"],
        cwd=memory.path,
        env={**os.environ, "TERM": "xterm"},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    shown = os.read(reader, 100_000).decode()
    os.close(reader)
    assert (run.returncode, run.stderr) == (0, b"")
    assert shown.startswith(f"\x1b[1m{FILE}\x1b[0m: \x1b[33mdue\x1b[0m\r\n")
    assert "\x1b" not in learnings.process("due", cwd=memory.path).out


def test_words_that_changed_are_red_and_green(memory: GitRepository, learnings: Command) -> None:
    text = memory.read(FILE).decode()
    changed = text.replace("Run each step twice.", "Run each step once.")
    memory.write(FILE, changed)
    line = learnings("diff", cwd=memory.path, env={"FORCE_COLOR": "1"}).out.splitlines()[0]
    assert '\x1b[31m"each step twice."\x1b[0m is now \x1b[32m"each step once."\x1b[0m' in line
    for env in ({}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
        plain = learnings("diff", cwd=memory.path, env=env).out.splitlines()[0]
        assert plain == CODE.sub("", line)
