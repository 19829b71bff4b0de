"""Why git would not take a file, and the lines that make it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from learnings.history.git.ignoring import IgnoringRule, ignoring_rules, remedy
from tests.support.repository import GitRepository

MEMORY = "agents/learnings.md"
FILE = "agents/archive/learnings-consolidated-2026-04-02.md"


def follow(repository: GitRepository, advice: str) -> list[str]:
    """Carry out the advice and return the lines."""
    added = []
    for words, file in re.findall(r"add the lines? (.+?) at the end of (\S+)", advice):
        lines = re.split(r", | and ", words)
        path = repository.path / file
        before = path.read_text() if path.exists() else ""
        repository.write(file, before + "".join(f"{line}\n" for line in lines))
        added += lines
    return added


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ("archive/", ["!/agents/archive/"]),
        ("agents/archive", ["!/agents/archive/"]),
        ("**/archive/**", ["!/agents/archive/*.md"]),
        ("agents/archive/*", ["!/agents/archive/*.md"]),
        ("*.md", ["!/agents/archive/*.md"]),
        ("agents/", ["!/agents/", "/agents/*", "!/agents/archive/"]),
        ("agents/*\n!agents/learnings.md", ["!/agents/archive/"]),
        ("/*\n!/.gitignore", ["!/agents/", "/agents/*", "!/agents/archive/"]),
        ("agents/**", ["!/agents/archive/", "!/agents/archive/*.md"]),
        ("agents/\narchive/\n*consolidated*", None),
        ("*", None),
    ],
)
@pytest.mark.parametrize("file", [".gitignore", ".git/info/exclude", "user", "agents/.gitignore"])
def test_the_advice_lifts_every_rule_and_no_other(
    repository: GitRepository, rules: str, lines: list[str] | None, file: str
) -> None:
    if file.startswith("agents/"):
        rules, lines = rules.replace("agents/", ""), None
    if file == "user":
        repository.git("config", "core.excludesFile", str(repository.path.parent / "user"))
    repository.write("../user" if file == "user" else file, f"# a comment\n{rules}\n")
    repository.write(MEMORY, "x\n")
    repository.write("agents/private.key", "x\n")
    repository.git("add", "--force", MEMORY)
    others = ignoring_rules(repository.path, ["agents/private.key", "other.md"])
    if FILE in ignoring_rules(repository.path, [FILE]):
        added = follow(repository, remedy(repository.path, FILE))
        assert added == (lines or added)
        repository.write(FILE, "x\n")
        assert FILE in repository.git("status", "--porcelain", "-uall")
    assert ignoring_rules(repository.path, others).keys() == others.keys()


def test_rules_of_several_files_are_lifted_and_what_is_there_stays_ignored(
    repository: GitRepository,
) -> None:
    repository.write(".gitignore", "archive")
    repository.write("agents/.gitignore", "*.md\n")
    repository.write("agents/archive/run-7/log.json", "x\n")
    advice = remedy(repository.path / "agents", "archive/learnings-consolidated-2026-04-02.md")
    assert advice == (
        "add the lines !/agents/archive/ and /agents/archive/* at the end of .gitignore and add "
        "the line !/archive/*.md at the end of agents/.gitignore"
    )
    repository.write(".gitignore", "archive\n")
    follow(repository, advice)
    repository.write(FILE, "x\n")
    assert FILE in repository.git("status", "--porcelain", "-uall")
    assert "run-7" not in repository.git("status", "--porcelain", "-uall")


def test_what_git_takes_and_what_no_line_can_lift(
    repository: GitRepository, tmp_path: Path
) -> None:
    assert ignoring_rules(repository.path, [FILE]) == {}
    repository.write(FILE, "x\n")
    repository.commit()
    repository.write(".gitignore", "archive/\n")
    other = FILE.replace("02.md", "03.md")
    rule = IgnoringRule(".gitignore:1", "archive/")
    assert ignoring_rules(repository.path, [FILE, other]) == {other: rule}
    assert ignoring_rules(tmp_path, [FILE]) == {}
    rules = (repository.path / ".gitignore").rename(repository.path / "rules")
    (repository.path / ".gitignore").symlink_to(rules)
    repository.write(".git/info/exclude", "archive/\n")
    assert remedy(repository.path, other) == "change this rule"


def test_names_with_a_meaning(repository: GitRepository) -> None:
    repository.write("a [1]*/learnings.md", "x\n")
    repository.write(".gitignore", "archive\n")
    path = "archive/x.md"
    (added,) = follow(repository, remedy(repository.path / "a [1]*", path))
    assert added == r"!/a \[1]\*/archive/"
    assert ignoring_rules(repository.path / "a [1]*", [path]) == {}
