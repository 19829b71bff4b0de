"""`learnings check` with --fix, --quiet and --verbose, and its additions on a terminal."""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from pathlib import Path

import pytest

from learnings.core.errors import UsageProblem
from learnings.surfaces.cli import check
from learnings.surfaces.cli.arguments import command_with
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
    command_with(parser, "check")
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
    monkeypatch.setattr("learnings.HOME", "https://example.org/learnings")
    repository.write(MEMORY, LEFT)
    _, out, err = on_terminal(repository.path)
    assert "\033]8;;https://example.org/learnings/" in out
    assert err.endswith(
        "`learnings explain entry-heading-malformed` says why it matters and how to fix it\n"
    )
    log = learnings("check", cwd=repository.path, env={"FORCE_COLOR": "1"}).out
    assert ("\033[" in log, "\033]8" in log) == (True, False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033" not in on_terminal(repository.path)[1]


TWICE = "# Learnings\n\n## When a build hangs\n\nOne.\n\n## When a build hangs\n\nTwo.\n"
THRICE = f"{TWICE}\n## When a build hangs\n\nThree.\n"
SHIFTED = TWICE.replace("# Learnings\n", "# Learnings\n\nA new line.\n\nAnother.\n")


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """Return a repository in which a learnings file has an error and an index has two."""
    repository.write(MEMORY, TWICE)
    repository.write(TARGET, "# Builds\n\n## When a page hangs\n")
    repository.write(INDEX, f"# Index\n\n## {TARGET}\n\n/when nobody knows\n")
    repository.commit()
    return repository


def rules_in(folder: Path, *words: str) -> list[str]:
    run = learnings("check", "--format=json", *words, cwd=folder)
    findings = json.loads(run.out)["findings"]
    return [f"{finding['path']}:{finding['line']} {finding['rule']}" for finding in findings]


def test_what_was_there_is_left_out_even_if_its_line_has_moved(memory: GitRepository) -> None:
    assert len(rules_in(memory.path)) == 3
    memory.write(MEMORY, SHIFTED)
    run = learnings("check", "--since", "HEAD", cwd=memory.path)
    assert (run.code, run.out) == (0, "")
    assert run.err == "0 errors, 0 notices in 3 files; 3 older findings left out\n"
    assert learnings("check", cwd=memory.path).code == 1


def test_only_what_is_new_is_shown_and_counted(memory: GitRepository) -> None:
    memory.write(MEMORY, f"{THRICE}\n##No space")
    memory.commit()
    new = [
        f"{MEMORY}:11 duplicate-entry",
        f"{MEMORY}:15 entry-heading-malformed",
        f"{MEMORY}:15 final-newline",
    ]
    for folder in (memory.path, memory.path / "agents"):
        assert rules_in(folder, "--since", "HEAD~1") == new
    assert rules_in(memory.path, "--since", "HEAD") == []
    run = learnings("check", "--since=HEAD~1", cwd=memory.path)
    assert (run.code, len(run.out.splitlines())) == (1, 3)
    assert "in 3 files; 3 older findings left out\n`learnings fix` fixes" in run.err
    whole = learnings("check", "--format=json", cwd=memory.path).json
    part = learnings("check", "--format=json", "--since=HEAD~1", cwd=memory.path).json
    assert part["summary"]["errors"] + part["summary"]["notices"] == 3
    assert [finding for finding in part["findings"] if finding not in whole["findings"]] == []
    text = learnings("check", "--since=HEAD", "--format=markdown", cwd=memory.path).out
    assert text == "No new findings beside 6 older in 3 files.\n"


def test_a_finding_that_went_and_came_back_is_new(memory: GitRepository) -> None:
    memory.write(MEMORY, TWICE.replace("hangs\n\nTwo", "fails\n\nTwo"))
    memory.commit()
    memory.write(MEMORY, TWICE)
    memory.commit()
    assert rules_in(memory.path, "--since=HEAD~1", MEMORY) == [f"{MEMORY}:7 duplicate-entry"]
    assert rules_in(memory.path, "--since=HEAD~2", MEMORY) == []
    memory.write(MEMORY, "# Learnings\n")  # the commit is also the start of the checked change
    memory.commit()
    words = ["--rule=entries-gone", MEMORY]
    assert rules_in(memory.path, *words) == []
    assert rules_in(memory.path, *words, "--since=HEAD~1") == [f"{MEMORY}:1 entries-gone"]


def test_an_index_is_compared_with_the_files_that_it_listed_then(memory: GitRepository) -> None:
    memory.write(TARGET, "# Builds\n\n## When a page hangs\n\n## How to read a log\n")
    assert rules_in(memory.path, "--since=HEAD") == [f"{TARGET}:5 index-missing-row"]
    assert rules_in(memory.path, "--since=HEAD", "--role=index") == [
        f"{TARGET}:5 index-missing-row"
    ]
    memory.write(INDEX, f"# Index\n\n## {TARGET}\n\n/when a page hangs\n/how read a log\n")
    memory.commit()
    memory.write(TARGET, "# Builds\n\n## When a page hangs\n")
    assert rules_in(memory.path, "--since=HEAD") == [f"{INDEX}:6 index-orphan-row"]


def test_what_is_named_is_compared_in_the_same_way(memory: GitRepository) -> None:
    memory.write("NOTES", TWICE)
    memory.write("web/agents/decisions/pages.md", "# Pages\n\n## When a page hangs\n\nReload.\n")
    memory.write("learnings.toml", 'line-limit = 3\n[rules]\nduplicate-entry = "off"\n')
    memory.commit()
    for word, count in (("web", 1), ("--rule=duplicate-entry", 1)):
        assert len(rules_in(memory.path, word)) == count
        assert rules_in(memory.path, word, "--since=HEAD") == []
    memory.write("learnings.toml", "")
    assert len(rules_in(memory.path, "NOTES")) == 1
    assert rules_in(memory.path, "NOTES", "--since=HEAD") == []


def test_another_repository_has_no_such_commit(memory: GitRepository, tmp_path: Path) -> None:
    other = GitRepository(tmp_path / "other")
    other.write("learnings.md", TWICE)
    other.write("CLAUDE.md", "@learnings.md\n")
    other.commit()
    path = other.path / "learnings.md"
    words = (str(path), MEMORY, "--since=HEAD")
    assert rules_in(memory.path, *words) == [f"{path.as_posix()}:7 duplicate-entry"]
    (memory.path / "agents/.git").mkdir()  # which makes it no repository
    memory.write("agents/CLAUDE.md", "@learnings.md\n")
    folder = memory.path / "agents"
    assert rules_in(folder, "learnings.md") == ["learnings.md:7 duplicate-entry"]
    assert rules_in(folder, "learnings.md", "--since=HEAD") == []


def test_a_new_file_has_new_findings_and_a_renamed_one_has_not(memory: GitRepository) -> None:
    memory.git("mv", MEMORY, "learnings.md")
    memory.write("docs/learnings.md", TWICE.replace("build", "test"))
    for rev in ("HEAD", "HEAD~1"):
        expected = ["docs/learnings.md:7 duplicate-entry"]
        assert rules_in(memory.path, "--since", rev) == expected
        assert rules_in(memory.path, "--since", rev, "learnings.md") == []
        memory.commit()
    assert rules_in(memory.path, "--since", "HEAD") == []


def test_a_name_that_is_no_commit(memory: GitRepository, tmp_path: Path) -> None:
    memory.write(MEMORY, TWICE.removesuffix("\n"))
    for rev in ("", "-x", "HEAD:agents"):
        run = learnings("check", f"--since={rev}", "--fix", cwd=memory.path)
        shown = rev or "''"
        assert (run.code, run.out) == (2, "")
        assert run.err == f"learnings: {shown} is not a commit in this repository; see git log\n"
        assert memory.read(MEMORY).decode() == TWICE.removesuffix("\n")
    run = learnings("check", "--since", "main", cwd=tmp_path)
    assert (run.code, "is not in a git repository" in run.err) == (2, True)


def test_a_notice_then_does_not_cover_an_error_now_and_settings_are_those_of_today(
    memory: GitRepository,
) -> None:
    words = ["--role=target", "--since=HEAD"]
    memory.write("learnings.toml", "this is [no configuration\n")
    memory.commit()
    memory.write("learnings.toml", "line-limit = 3\n")
    assert rules_in(memory.path, "--role=target") == [f"{TARGET}:3 line-limit"]
    assert rules_in(memory.path, *words) == []
    memory.write(TARGET, "# Builds\n\n## When a page hangs\n\nReload.\n")
    assert rules_in(memory.path, *words) == [f"{TARGET}:4 line-limit"]
    assert rules_in(memory.path, *words, "--line-limit=2") == []


def test_the_baseline_is_counted_apart(memory: GitRepository) -> None:
    assert learnings("baseline", cwd=memory.path).code == 0
    memory.write(MEMORY, THRICE)
    memory.commit()
    memory.write(MEMORY, f"{THRICE}\n## When a build hangs\n\nFour.\n")
    run = learnings("check", "--since=HEAD", cwd=memory.path)
    assert run.out.startswith(f"{MEMORY}:15:1: error duplicate-entry ")
    assert run.err == (
        "1 error, 0 notices in 3 files; 3 known findings and 1 older finding left out\n"
    )
    run = learnings("check", "--since=HEAD", "--no-baseline", cwd=memory.path)
    assert run.err == "1 error, 0 notices in 3 files; 4 older findings left out\n"


def test_rules_that_need_history(memory: GitRepository) -> None:
    first = "# Learnings\n\n## When a test is slow\n\nProfile it.\n"
    memory.write(MEMORY, first)
    memory.commit(date="2026-03-02")
    memory.write(MEMORY, "# Learnings\n\n## When a page hangs\n\nReload.\n")
    memory.commit(date="2026-03-03")
    memory.write(MEMORY, f"{first}\n## When a page hangs\n\nReload.\n")
    memory.commit(date="2026-03-04")
    rule = ["--history", "--rule=resurrected-entry"]
    expected = [f"{MEMORY}:3 resurrected-entry"]
    assert rules_in(memory.path, *rule) == expected
    assert rules_in(memory.path, *rule, "--since=HEAD~1") == expected
    assert rules_in(memory.path, *rule, "--since=HEAD") == []


def test_standard_input_is_compared_with_its_file(memory: GitRepository) -> None:
    words = ["check", "-", "--stdin-filename", MEMORY, "--since", "HEAD"]
    assert learnings(*words, cwd=memory.path, stdin=SHIFTED.encode()).code == 0
    run = learnings(*words, cwd=memory.path, stdin=THRICE.encode())
    assert (run.code, run.out.startswith(f"{MEMORY}:11:1: ")) == (1, True)


def test_agent_files_are_compared_with_the_files_that_were_there(repository: GitRepository) -> None:
    skill = ".claude/skills/tidy/SKILL.md"
    head = "---\nname: tidy\ndescription: Tidy.\n---\n\n"
    script = "agent-core/bin/tidy.py"
    repository.write(script, "pass\n")
    repository.write(skill, f"{head}`learnings due`, `{script}`\n`agent-core/bin/gone.py`\n")
    repository.commit()
    (repository.path / script).rename(repository.path / "agent-core/bin/other.py")
    run = learnings("check", "--role=agent", "--since=HEAD", cwd=repository.path)
    assert [line.split('"')[1] for line in run.out.splitlines()] == [script]


def test_temporary_files(
    memory: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before = sorted(path for path in memory.path.rglob("*"))
    memory.write(MEMORY, THRICE)
    assert learnings("check", "--since=HEAD", cwd=memory.path).code == 1
    assert list(temporary.iterdir()) == []
    assert sorted(path for path in memory.path.rglob("*")) == before
    temporary.rmdir()
    run = learnings("check", "--since=HEAD", cwd=memory.path)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "to a temporary folder (there is no such file); fix this" in run.err


def test_in_a_shallow_clone(memory: GitRepository, tmp_path: Path) -> None:
    memory.write(MEMORY, SHIFTED)
    memory.commit()
    memory.git("clone", "--quiet", "--depth=1", f"file://{memory.path}", str(tmp_path / "clone"))
    clone = GitRepository(tmp_path / "clone")
    clone.write(MEMORY, THRICE)
    assert rules_in(clone.path, "--since=HEAD") == [f"{MEMORY}:11 duplicate-entry"]
    run = learnings("check", "--history", "--since=HEAD", cwd=clone.path)
    assert (run.code, len(run.out.splitlines())) == (2, 1)
    assert "shallow" in run.err.splitlines()[-1]
    assert learnings("fix", "--history", cwd=clone.path).code == 2
