"""`learnings` without a command: the state of the memory in about ten lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("instructed")

FILE = "agents/learnings.md"
PLAN = f"learnings plan {FILE} --output tmp/consolidation-plan.md"
HOOKS = ".pre-commit-config.yaml"
ENTRY = "\n## When part {} hangs\n\nLook at the lock of part {}.\n"


def memory(number: int) -> str:
    return "# Learnings\n" + "".join(ENTRY.format(n, n) for n in range(1, number + 1))


@pytest.fixture
def due(repository: GitRepository) -> GitRepository:
    """Return a repository with a memory of five entries that is due."""
    repository.write(FILE, memory(5))
    repository.write("agents/decisions/builds.md", "# Builds\n\n## When a build hangs\n\nLook.\n")
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=20)
    return repository


def last_line(text: str) -> str:
    return text.splitlines()[-1]


def test_a_file_that_is_due(due: GitRepository, learnings: Command) -> None:
    run = learnings(cwd=due.path)
    assert (run.code, run.err) == (0, "")
    assert (
        run.out
        == f"""\
{FILE}: due: 20 active days since the oldest entry (never consolidated)
  5 entries (heading at level 2) in 21 lines, the first:
    When part 1 hangs
    When part 2 hangs
    When part 3 hangs
targets   agents/decisions/builds.md
cost      about 83 tokens in each session
findings  0 errors, 0 notices in 2 files
next      {PLAN}
"""
    )
    assert learnings(cwd=due.path / "agents" / "decisions").out == run.out
    assert learnings(*PLAN.split()[1:], cwd=due.path).code == 0


def test_the_findings_are_those_of_check(due: GitRepository, learnings: Command) -> None:
    due.write(FILE, memory(5) + "\n##Glued\n\n## When part 1 hangs\n\ntext\n")
    lines = learnings(cwd=due.path).out.splitlines()
    counts = learnings("check", cwd=due.path).err.splitlines()[0]
    assert f"findings  {counts}: entry-heading-malformed and 1 more" in lines


def test_a_doubt_stands_below_the_titles_that_it_is_about(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(FILE, "# L\n\n## 2026-03-01\n- a\n- b\n\n## 2026-03-02\n- c\n- d\n")
    repository.commit(date="2026-03-02")
    out = learnings(cwd=repository.path).out
    assert "  4 entries (bullet) in 9 lines, the first:\n    a\n" in out
    assert "\n    c\n  doubtful: 4 list items below 2 short headings; " in out


# --- what to do next


@pytest.mark.slow
def test_what_to_do_next(repository: GitRepository, learnings: Command) -> None:
    """Each change leads to a next step; errors come before due files."""

    def grow_old() -> None:
        repository.commit(date="2026-01-02")
        repository.work("2026-01-03", 20)

    def lack_a_row() -> None:  # which `learnings fix` adds only if it is asked to
        repository.write(FILE, memory(2))
        repository.write("agents/decisions/builds.md", "# Builds\n\n## When a build hangs\n")
        repository.write("agents/memory-index.md", "# Index\n")

    setup = "`learnings init` sets up hooks that check this at every commit"
    correct = "`learnings check` prints each finding with its line"
    prek = '[[repos]]\nhooks = [{ id = "learnings-check" }]\n'
    steps: list[tuple[Callable[[], object], str]] = [
        (
            lambda: repository.write(FILE, memory(2)),
            "solve the problem above, then run `learnings` again",
        ),
        (lambda: repository.commit(date="2026-01-01"), setup),
        (lambda: repository.write("prek.toml", prek), "nothing to do"),
        (lambda: repository.write("prek.toml", ""), setup),
        (lambda: learnings("init", cwd=repository.path), "nothing to do"),
        (
            lambda: repository.write(FILE, f"{memory(5)}\nSaved to the file tmp/a.md.\n"),
            "nothing to do; `learnings check` prints the notices",
        ),
        (grow_old, PLAN),
        (lambda: repository.write(FILE, memory(2) + ENTRY.format(1, 1)), correct),
        (
            lambda: repository.write(FILE, memory(2) + "\n##Glued\n\ntext\n"),
            "`learnings fix` fixes 1 finding; `learnings check` prints all",
        ),
        (lack_a_row, correct),
    ]
    failures = []
    for change, expected in steps:
        change()
        run = learnings(cwd=repository.path)
        if (run.code, last_line(run.out)) != (0, f"next      {expected}"):
            failures.append((expected, run))
    assert failures == []


def test_every_form_of_the_verdict_names_the_same_step(
    due: GitRepository, learnings: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "ada/parcels")
    forms = ["due", "due --format markdown", "due --format github", "notify github --dry-run"]
    named = [PLAN in learnings(*form.split(), cwd=due.path).out for form in forms]
    due.write(FILE, memory(2))
    named += [PLAN in learnings(*form.split(), cwd=due.path).out for form in forms]
    assert named == [True] * 4 + [False] * 4


# --- what prevents a verdict


def test_a_shallow_clone(due: GitRepository, learnings: Command) -> None:
    run = learnings(cwd=due.clone(1).path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"{FILE}: no verdict: this is a shallow clone, ")
    assert "  5 entries (heading at level 2)" in run.out
    assert last_line(run.out) == "next      solve the problem above, then run `learnings` again"


def test_no_repository(tmp_path: Path, learnings: Command) -> None:
    empty = learnings(cwd=tmp_path)
    (tmp_path / "learnings.md").write_text(memory(2), encoding="utf-8")
    run = learnings(cwd=tmp_path)
    for code, said, lines in ((r.code, r.err, r.out.splitlines()) for r in (empty, run)):
        assert (code, said) == (0, "")
        assert lines[0].startswith("this folder is not in a git repository, so ages are unknown; ")
        assert lines[-1] == "next      `git init`, or change to a clone; then run `learnings` again"
    assert run.out.splitlines()[1].startswith("learnings.md: no verdict: ")


def test_an_agent_keeps_its_memory_in_no_repository(tmp_path: Path, learnings: Command) -> None:
    folder = tmp_path / ".claude" / "projects" / "-home-me-shop" / "memory"
    folder.mkdir(parents=True)
    (folder / "clock.md").write_text("---\nname: Clock\n---\n\nFreeze it.\n", encoding="utf-8")
    run = learnings(cwd=folder)
    assert (run.code, "this folder is not in a git repository" in run.out) == (0, False)
    assert "git init" not in run.out


def test_no_memory_file(repository: GitRepository, learnings: Command) -> None:
    repository.write("learnings.md", "# Course notes\n")
    repository.commit()
    run = learnings(cwd=repository.path)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("no learnings file found (skipped learnings.md: holds no entry ")
    assert learnings("due", cwd=repository.path).err[11:].startswith(run.out.splitlines()[0])
    assert last_line(run.out).startswith("next      write a first lesson into learnings.md,")
    titles = "# Notes\n\nThe tide gauge\n---\nIt is high.\n\nThe boat\n---\nIt is slow.\n"
    repository.write("learnings.md", titles)
    advice = "in learnings.md, give each entry a heading `## …` instead"
    assert last_line(learnings(cwd=repository.path).out) == f"next      {advice}"
    assert "write a first" not in learnings("due", cwd=repository.path).err


def test_no_second_memory_beside_a_skipped_one(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write("CLAUDE.md", "# Guide\n")
    repository.write("wiki/learnings.md", "## One\n\ntext\n")
    repository.commit()
    command = "`learnings init --memory wiki/learnings.md`"
    last = last_line(learnings(cwd=repository.path).out)
    assert last.startswith(f"next      {command}")
    assert last.endswith("sets up the hooks")
    repository.write(".pre-commit-config.yaml", "repos: [{hooks: [{id: learnings-check}]}]\n")
    last = last_line(learnings(cwd=repository.path).out)
    assert last.startswith(f"next      {command}")
    assert "hooks" not in last


def test_a_configured_file_that_is_too_large(due: GitRepository, learnings: Command) -> None:
    due.write("learnings.toml", f'path = "{FILE}"\n')
    due.write(FILE, b"x" * 4_000_001)
    run = learnings(cwd=due.path)
    assert (run.code, run.err) == (2, "")
    assert run.out.startswith(f"{FILE}: no verdict: {FILE} has more than 4 MB")
    config = learnings("config", cwd=due.path)
    assert (config.code, config.err) == (0, "")
    assert f"  {FILE}: included, configured (learnings.toml:1)\n" in config.out


def test_a_file_that_was_destroyed(due: GitRepository, learnings: Command) -> None:
    due.write(FILE, memory(5).encode("utf-16"))
    lines = learnings(cwd=due.path).out.splitlines()
    assert lines[0].startswith(f"{FILE}: not-due: ")
    assert lines[1].startswith("  no entries in ")
    assert any("entries-gone" in line and "invalid-encoding" in line for line in lines)
    assert lines[-1] == "next      `learnings check` prints each finding with its line"


def test_a_configured_file_that_is_missing(due: GitRepository, learnings: Command) -> None:
    due.write("learnings.toml", '[[file]]\npath = "gone.md"\n')
    run = learnings(cwd=due.path)
    assert (run.code, run.err) == (2, "")
    assert "findings  unknown: learnings.toml:2: gone.md does not exist" in run.out
    assert last_line(run.out) == "next      solve the problem above, then run `learnings` again"


def test_files_that_were_skipped_beside_one_that_was_found(
    due: GitRepository, learnings: Command
) -> None:
    for number in range(5):
        due.write(f"tests/{number}/learnings.md", memory(1))
    due.commit(date="2026-02-01")
    (line,) = [n for n in learnings(cwd=due.path).out.splitlines() if n.startswith("skipped ")]
    assert line.startswith("skipped tests/0/learnings.md: ")
    assert line.endswith("; and 2 more, see `learnings config`")


# --- many files, long titles


@pytest.mark.slow
def test_the_first_of_several_files_are_shown(
    repository: GitRepository, learnings: Command
) -> None:
    names = ["", "agents/", "docs/", ".claude/", ".agents/", ".ai/"]
    for folder in names:
        repository.write(f"{folder}learnings.md", memory(3))
    for number in range(9):
        repository.write(f"docs/decisions/{number}.md", "# A\n")
    repository.commit()
    lines = learnings(cwd=repository.path).out.splitlines()
    assert [line for line in lines if line.endswith(":")] == []
    assert "and 2 learnings files more: `learnings due` prints all verdicts" in lines
    assert next(line for line in lines if line.startswith("targets ")).endswith(".md and 7 more")


def test_lines_fit_a_terminal(repository: GitRepository, learnings: Command) -> None:
    repository.write(FILE, f"# Learnings\n\n## When {'very ' * 40}long\n\nx\x1b[31m\n")
    repository.write(HOOKS, "learnings-check\n")
    repository.commit()
    lines = learnings(cwd=repository.path).out.splitlines()
    assert [line for line in lines if len(line) > 80 or not line.isprintable()] == []
    assert [line for line in lines if line.endswith("very…")] != []


def test_a_file_that_is_starved_is_not_healthy(
    repository: GitRepository, learnings: Command
) -> None:
    entries = "".join(f"## When {n} fails\n\nDo {n} again.\n\n" for n in range(60))
    repository.write("agents/learnings.md", f"# Learnings\n\n{entries}")
    repository.commit(date="2026-01-01")
    step = "learnings plan agents/learnings.md --all --output tmp/consolidation-plan.md"
    assert learnings(cwd=repository.path).out.splitlines()[-1] == f"next      {step}"
    due = learnings("due", cwd=repository.path).out
    assert due.startswith("agents/learnings.md: starved")
    assert f"  next: {step}\n" in due
    page = learnings("report", "--output=-", cwd=repository.path).out
    assert "Too few entries are old enough to consolidate" in page
    assert "The memory is healthy" not in page


def test_what_agents_load_has_its_own_line(learnings: Command, repository: GitRepository) -> None:
    for path in ("CLAUDE.md", ".claude/rules/py/style.md", "web/AGENTS.md", "vendor/a/AGENTS.md"):
        repository.write(path, "# Guide\n\nRun the tests.\n")
    repository.write("docs/decisions/a.md", "# A\n")
    repository.commit()
    out = learnings(cwd=repository.path).out
    assert "targets   docs/decisions/a.md\n" in out
    assert "loaded    CLAUDE.md, .claude/rules/py/style.md, web/AGENTS.md\n" in out
    assert "in 4 files" in out


@pytest.mark.slow
def test_the_named_line_settles_a_doubtful_reading(
    learnings: Command, repository: GitRepository
) -> None:
    rounds = "".join(f"## Sprint {n}\n\n- Pin it\n- Freeze it\n- Copy it\n\n" for n in (1, 2))
    for names in (["docs/lessons.md"], ["docs/lessons.md", "docs/learnings.md"]):
        for name in names:
            repository.write(name, f"# Lessons\n\n{rounds}")
        repository.commit()
        repository.write("docs/lessons.md", f"# Lessons\n\n{rounds}- Sort it\n")
        runs = [learnings(*words, cwd=repository.path) for words in ([], ["verify"], ["init"])]
        for run in (*runs, learnings("plan", "docs/lessons.md", "--all", cwd=repository.path)):
            assert 'set dialect = "heading"' in run.out + run.err
        shown = next(line for line in runs[1].err.splitlines() if "docs/lessons.md:" in line)
        line = shown.rpartition("learnings.toml: ")[2] if names[1:] else 'dialect = "heading"'
        repository.write("learnings.toml", f"{line}\n")
        assert "docs/lessons.md: " not in learnings("verify", cwd=repository.path).err
        repository.path.joinpath("learnings.toml").unlink()


def test_a_state_is_what_sessions_rewrite(repository: GitRepository, learnings: Command) -> None:
    kept, state = "memory-bank/decisionLog.md", "memory-bank/activeContext.md"
    for number in range(1, 5):
        repository.write(kept, "".join(f"## Decision {n}\n\ntext\n\n" for n in range(number)))
        repository.write(state, "".join(f"- now {number} {n}\n" for n in range(6)))
        repository.commit()
    out = learnings(cwd=repository.path).out
    assert f"{state}: by its name, the current state of work" in out
    assert f"{kept}: named like the state of work, but 4 commits kept most of it" in out
    assert f"`learnings init --memory {kept}` takes it" in out
