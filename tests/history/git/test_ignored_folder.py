"""Why git would not take an archive, and the line that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from learnings.history.git.tracked import IgnoringRule, ignoring_rule
from tests.support.repository import GitRepository

FILE = "agents/archive/learnings-consolidated-2026-04-02.md"


@pytest.mark.parametrize(
    ("ignored", "line"),
    [
        ("archive/", "!/agents/archive/"),
        ("agents/archive", "!/agents/archive/"),
        ("**/archive/**", "!/agents/archive/*.md"),
        ("agents/archive/*", "!/agents/archive/*.md"),
        ("*.md", "!/agents/archive/*.md"),
        ("agents/", "!/agents/"),
        ("agents/*", "!/agents/archive/"),
        ("*consolidated*", "!/agents/archive/*.md"),
    ],
)
@pytest.mark.parametrize("file", [".gitignore", ".git/info/exclude", "agents/.gitignore"])
def test_the_line_lifts_the_rule(
    repository: GitRepository, ignored: str, line: str, file: str
) -> None:
    if file.startswith("agents/"):
        if ignored.startswith("agents"):
            pytest.skip("not a rule about the folder from in there")
        line = line.replace("/agents/", "/")
    repository.write("agents/learnings.md", "x\n")
    repository.write(file, f"# a comment\n{ignored}\n")
    rule = ignoring_rule(repository.path, FILE)
    to = file if file.endswith(".gitignore") else ".gitignore"
    assert rule is not None
    assert (rule.file, rule.pattern, rule.origin) == (to, ignored, f"{file}:2")
    before = (repository.path / to).read_text() if (repository.path / to).exists() else ""
    repository.write(to, before + rule.line + "\n")
    repository.write(FILE, "x\n")
    assert rule.line == line
    assert ignoring_rule(repository.path, FILE) is None
    assert "learnings-consolidated" in repository.git("status", "--porcelain", "-uall")


def test_what_git_takes(repository: GitRepository, tmp_path: Path) -> None:
    assert ignoring_rule(repository.path, FILE) is None
    repository.write(FILE, "x\n")
    repository.commit()
    repository.write(".gitignore", "archive/\n")
    assert ignoring_rule(repository.path, FILE) is None
    other = FILE.replace("02.md", "03.md")
    assert ignoring_rule(repository.path, other) is not None
    repository.write(".gitignore", "archive/*\n!archive/*.md\n")
    assert ignoring_rule(tmp_path, FILE) is None


def test_names_with_a_meaning_and_a_folder_below(repository: GitRepository) -> None:
    repository.write("a [1]*/.gitignore", "archive\n")
    rule = ignoring_rule(repository.path / "a [1]*", "archive/x.md")
    expected = IgnoringRule("a [1]*/.gitignore:1", "archive", "!/archive/", "a [1]*/.gitignore")
    assert rule == expected
    repository.write(".gitignore", "archive\n")
    (repository.path / "a [1]*/.gitignore").unlink()
    rule = ignoring_rule(repository.path / "a [1]*", "archive/x.md")
    assert rule is not None
    assert rule.line == r"!/a \[1]\*/archive/"
    repository.write(".gitignore", f"archive\n{rule.line}\n")
    assert ignoring_rule(repository.path / "a [1]*", "archive/x.md") is None
