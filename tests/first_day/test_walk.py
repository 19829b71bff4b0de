"""The first day in test repositories: set up, commit, be refused once, push.

Each archive in `repositories` states its fault and the expectations. The walk does only what
`learnings init` prints.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.first_day.archive import Archive, archives, read
from tests.first_day.commits import WithFramework, WithPrograms, steps
from tests.support.command import Command
from tests.support.frameworks import Framework
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

ARCHIVES = {archive.name: archive for archive in archives()}
# Where what matters is what the framework does with a configuration, or which files it hands over.
WITH_PRE_COMMIT = [
    "agents_copied",
    "destroyed_by_encoding",
    "grown_for_a_quarter",
    "hooks_for_an_old_python",
    "hooks_in_brackets",
    "no_memory",
    "untidy",
]
QUICK = [*ARCHIVES][::6]


def marked(*names: str, quick: list[str]) -> list[ParameterSet]:
    """Return parameters, of which all but a few are left to `make soak`."""
    return [pytest.param(name, marks=[] if name in quick else pytest.mark.soak) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(*ARCHIVES, quick=QUICK))
def test_first_day_with_the_hook_programs(name: str, tmp_path: Path) -> None:
    archive = ARCHIVES[name]
    repository = archive.build(tmp_path / name)
    walk(archive, repository, WithPrograms(repository))


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("name", marked(*WITH_PRE_COMMIT, quick=["untidy"]))
@pytest.mark.parametrize("framework", ["pre-commit"], indirect=True)
def test_first_day_with_pre_commit(name: str, framework: Framework, tmp_path: Path) -> None:
    archive = ARCHIVES[name]
    repository = archive.build(tmp_path / name)
    walk(archive, repository, WithFramework(repository, framework))


def walk(archive: Archive, repository: GitRepository, person: WithPrograms) -> None:
    """Run the first day in a repository; a failure shows the output of that moment."""
    set_up(archive, repository, person)
    expect_entries(archive, repository)
    expect_findings(archive, repository)
    if "right" in archive.stages:
        archive.write(repository, "right")
        repository.git("add", "--all")
        outcome = person.commit("Learn")
        assert outcome.passed, outcome.printed
    expect_refusal(archive, repository, person)
    outcome = person.push()
    (verdict,) = archive.facts["push"]
    assert outcome.passed, outcome.printed
    assert verdict in outcome.printed


def set_up(archive: Archive, repository: GitRepository, person: WithPrograms) -> None:
    """Run `learnings init` and its next steps; the first commit passes."""
    outcome = person.run("learnings init")
    assert outcome.passed, outcome.printed
    head = repository.head()
    for line in steps(outcome.printed):
        outcome = person.run(line)
        is_fixed = line.startswith("learnings fix") and "Fixing" in outcome.printed  # exit code 1
        assert outcome.passed or is_fixed, f"{line}\n{outcome.printed}"
    assert repository.head() != head
    again = person.run("learnings init")
    assert repository.git("status", "--porcelain") == "", again.printed
    assert known_findings(repository) == int(archive.facts.get("known", ["0"])[0])


def known_findings(repository: GitRepository) -> int:
    baseline = repository.path / ".learnings-baseline.json"
    return len(json.loads(baseline.read_bytes())["findings"]) if baseline.exists() else 0


def expect_entries(archive: Archive, repository: GitRepository) -> None:
    report = Command("learnings")("config", "--format", "json", cwd=repository.path).json
    files = [file for file in report["learnings"] if file["taken"]]
    entries = {file["path"]: file["read"]["entries"] for file in files}
    for fact in archive.facts.get("entries", []):
        path, number = fact.split()
        assert entries.get(path, 0) == int(number), entries


def expect_findings(archive: Archive, repository: GitRepository) -> None:
    report = Command("learnings")(
        *("check", "--no-baseline", "--format", "json"), cwd=repository.path
    ).json
    findings = [f"{finding['rule']} {finding['path']}" for finding in report["findings"]]
    assert sorted(findings) == sorted(archive.facts.get("finding", []))


def expect_refusal(archive: Archive, repository: GitRepository, person: WithPrograms) -> None:
    """Expect that a hook refuses the wrong change and names the finding, and HEAD stays."""
    (fact,) = archive.facts["refused"]
    rule, path = fact.split()
    head = repository.head()
    archive.write(repository, "wrong")
    repository.git("add", "--all")
    outcome = person.commit("Go wrong")
    assert not outcome.passed, outcome.printed
    finding = re.compile(rf"^{re.escape(path)}:\d+:\d+: error {rule} ", flags=re.MULTILINE)
    assert finding.search(outcome.printed), outcome.printed
    assert repository.head() == head
    repository.git("reset", "--quiet", "--hard")


FORMS = """\
Each form of a file.

days: 3
-- v1/plain.md --
one
two
-- v1/utf-16.md (utf-16) --
é
-- v1/cr.md (cr) --
one
two
-- v1/no-newline.md (no newline) --
one
-- v1/LICENSE (copy of LICENSE) --
-- v1/pages (copy of src/learnings/surfaces/pages) --
-- v2/plain.md (deleted) --
-- v2/empty.md --
"""


def test_each_form_of_a_file_is_written_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "forms.txtar").write_text(FORMS, encoding="utf-8")
    archive = read(tmp_path / "forms.txtar")
    assert archive.fault == "Each form of a file."
    repository = archive.build(tmp_path / "built")
    assert repository.git("show", "HEAD~4:plain.md") == "one\ntwo"
    assert repository.read("utf-16.md") == "é\n".encode("utf-16")
    assert repository.read("cr.md") == b"one\rtwo\r"
    assert repository.read("no-newline.md") == b"one"
    assert repository.read("LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert repository.read("pages/style.css")
    assert repository.read("empty.md") == b""
    assert not (repository.path / "plain.md").exists()
    assert repository.git("rev-list", "--count", "HEAD") == "5"
