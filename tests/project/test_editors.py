"""The patterns of docs/editors.md for editors, tried on the output of real checks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support import documents
from tests.support.command import Command
from tests.support.repository import GitRepository

PAGE = "docs/editors.md"
MEMORY = "agents/learnings.md"
ODD = "docs/decisions/a b (1), ü.md"
# Errors and a notice; the message of one quotes what looks like the line of a finding.
UNTIDY = (
    "# Learnings\n\n## a.md:1:2: error x-y z\n\nLook.\n\n## a.md:1:2: error x-y z\n\nKill it.\n\n"
    "##When it is slow\n" + "\nProfile.\n" * 40
)
Fields = tuple[str, int, int, str, str, str]
NAMES = ("path", "line", "column", "severity", "rule", "message")


class Checked(NamedTuple):
    """A repository, the lines that `check` prints, and its findings as the JSON has them."""

    path: Path
    lines: list[str]
    findings: list[Fields]

    @property
    def in_vim(self) -> list[tuple[object, ...]]:
        return [(*place, kind[0], f"{rule} {text}") for *place, kind, rule, text in self.findings]


@pytest.fixture
def checked(learnings: Command, repository: GitRepository) -> Checked:
    repository.write(MEMORY, UNTIDY)
    repository.write(ODD, "# A\n" + "A line.\n" * 400)
    repository.commit(date="2026-01-01")
    lines = learnings("check", "--quiet", cwd=repository.path).out.splitlines()
    document = learnings("check", "--format=json", cwd=repository.path).json
    fields: Any = [tuple(finding[name] for name in NAMES) for finding in document["findings"]]
    assert {one[3] for one in fields} == {"error", "notice"}
    assert {one[0] for one in fields} == {MEMORY, ODD}
    return Checked(repository.path, lines, fields)


def blocks(language: str) -> list[str]:
    return [block.text for block in documents.of(language) if block.page == PAGE]


def matched(regexp: str, lines: list[str]) -> list[Fields]:
    """Return the groups that a regular expression finds in each line."""
    groups = [match.groups() for match in (re.search(regexp, line) for line in lines) if match]
    return [(file, int(line), int(column), *rest) for file, line, column, *rest in groups]  # type: ignore[misc]


def test_each_problem_matcher_reads_each_finding(learnings: Command, checked: Checked) -> None:
    tasks, matcher = map(json.loads, blocks("json"))
    (of_github,) = matcher["problemMatcher"]
    (task,) = tasks["tasks"]
    places = {"file": 1, "line": 2, "column": 3, "severity": 4, "code": 5, "message": 6}
    for pattern in [*of_github["pattern"], task["problemMatcher"]["pattern"]]:
        assert {key: pattern[key] for key in pattern if key != "regexp"} == places
        assert matched(pattern["regexp"], checked.lines) == checked.findings
    assert learnings(*task["args"], cwd=checked.path).err == ""
    remarks = learnings("check", "--verbose", cwd=checked.path).err.splitlines()
    assert len(remarks) > 3
    assert matched(of_github["pattern"][0]["regexp"], remarks) == []


def test_the_pattern_of_emacs(checked: Checked) -> None:
    """Translated: groups of Emacs are written with a backslash, which a string doubles."""
    (pattern,) = re.findall(r'"(\^.*) "', blocks("elisp")[-1])
    found: list[Any] = matched(pattern.replace(r"\\", ""), checked.lines)
    assert [(*place, "notice" if notice else "error") for *place, notice in found] == [
        fields[:4] for fields in checked.findings
    ]


def as_regexp(errorformat: str) -> str:
    """Return one pattern of an errorformat as a regular expression with the same groups."""
    parts = {"%f": "(.+?)", "%l": "([0-9]+)", "%c": "([0-9]+)", "%t": "(.)", "%m": "(.+)"}
    pieces = re.split(r"(%[a-z])", errorformat)
    return "^" + "".join(parts.get(piece, re.escape(piece)) for piece in pieces) + "$"


def test_the_errorformat(checked: Checked) -> None:
    (block,) = blocks("vim")
    _, value = (line.partition("=")[2].replace("\\ ", " ") for line in block.splitlines())
    formats = [as_regexp(part) for part in value.split(",")]
    found: list[object] = []
    for line in checked.lines:
        found += next(rows for regexp in formats if (rows := matched(regexp, [line])))
    assert found == checked.in_vim


VIM = """\
function! Fields(_, item)
  return [bufname(a:item.bufnr), a:item.lnum, a:item.col, a:item.type, a:item.text]
endfunction
call writefile([json_encode(map(getqflist(), function("Fields")))], "list.json")
"""


@pytest.mark.soak
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_the_lines_in_the_real_editor(learnings: Command, checked: Checked, tmp_path: Path) -> None:
    script = tmp_path / "script.vim"
    (settings,) = blocks("vim")
    program = str(learnings.path).replace(" ", "\\ ")
    settings = settings.replace("makeprg=learnings", f"makeprg={program}")
    script.write_text(f"set nomore\n{settings}silent make!\n{VIM}\nqall!\n")
    command = ["vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "-S", str(script)]
    null = subprocess.DEVNULL
    subprocess.run(command, cwd=checked.path, stdin=null, check=False, timeout=60)
    listed = json.loads((checked.path / "list.json").read_text())
    assert [tuple(fields) for fields in listed] == checked.in_vim


def test_every_editor_starts_the_same_server() -> None:
    helix = tomllib.loads(blocks("toml")[0])
    server = helix["language-server"]["learnings"]
    assert [server["command"], *server["args"]] == ["learnings", "lsp"]
    (markdown,) = helix["language"]
    assert markdown == {"name": "markdown", "language-servers": ["marksman", "learnings"]}
    assert 'cmd = { "learnings", "lsp" }' in "".join(blocks("lua"))
    assert '(markdown-mode . ("learnings" "lsp"))' in blocks("elisp")[0]
