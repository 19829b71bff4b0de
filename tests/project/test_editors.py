"""The patterns of docs/editors.md for editors, tried on the output of real checks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
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


def needs(program: str) -> None:
    if shutil.which(program) is None:  # pragma: no cover (where it is not installed)
        pytest.skip(f"{program} is not installed")


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
@pytest.mark.parametrize("editor", ["vim", "nvim"])
def test_the_lines_in_the_real_editor(
    learnings: Command, checked: Checked, tmp_path: Path, editor: str
) -> None:
    needs(editor)
    script = tmp_path / "script.vim"
    (settings,) = blocks("vim")
    program = str(learnings.path).replace(" ", "\\ ")
    settings = settings.replace("makeprg=learnings", f"makeprg={program}")
    script.write_text(f"set nomore\n{settings}silent make!\n{VIM}\nqall!\n")
    command = [editor, "-N", "-u", "NONE", "-i", "NONE", "-es", "-S", script]
    null = subprocess.DEVNULL
    subprocess.run(command, cwd=checked.path, stdin=null, check=False, timeout=60)
    listed = json.loads((checked.path / "list.json").read_text())
    assert [tuple(fields) for fields in listed] == checked.in_vim


EMACS = """
(let* ((entry (cdr (assq 'learnings compilation-error-regexp-alist-alist)))
       (infos (cdr (nth 4 entry))))
  (dolist (line (with-temp-buffer (insert-file-contents "printed.txt")
                                  (split-string (buffer-string) "\n" t)))
    (when (string-match (car entry) line)
      (princ (format "%s:%s:%s:%s\n" (match-string (nth 1 entry) line)
                     (match-string (nth 2 entry) line) (match-string (nth 3 entry) line)
                     (if (match-string infos line) "notice" "error"))))))
"""


@pytest.mark.soak
def test_the_lines_in_emacs(checked: Checked, tmp_path: Path) -> None:
    needs("emacs")
    script, printed = tmp_path / "script.el", "".join(f"{line}\n" for line in checked.lines)
    (tmp_path / "printed.txt").write_text(printed, encoding="utf-8")
    script.write_text(blocks("elisp")[-1] + EMACS)
    command = ["emacs", "-Q", "--batch", "-l", script]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    expected = [":".join(map(str, fields[:4])) for fields in checked.findings]
    assert run.stdout.decode().splitlines() == expected, run.stderr.decode()


@pytest.mark.soak
@pytest.mark.skipif(not shutil.which("entr"), reason="entr is not installed")
def test_the_line_with_entr_fixes_what_is_saved(
    learnings: Command, repository: GitRepository
) -> None:
    (line,) = (text for text in blocks("bash") if "entr" in text)
    repository.write(MEMORY, "# Learnings\n\n## When it is slow\n\nProfile it.\n")
    repository.commit()
    env = os.environ | {"PATH": f"{learnings.path.parent}{os.pathsep}{os.environ['PATH']}"}
    # -n: there is no terminal here; -p: the first run waits for a change.
    command = line.replace("entr -c", "entr -np")
    with subprocess.Popen(
        command, shell=True, cwd=repository.path, env=env, stdout=subprocess.PIPE, text=True
    ) as watch:
        path = repository.path / MEMORY
        ending = time.monotonic() + 20
        while "## When it hangs" not in path.read_text() and time.monotonic() < ending:
            path.write_text("# Learnings\n\n##When it hangs\n\nLook.\n")
            time.sleep(1)
        path.unlink()  # entr ends when a file is gone
        shown, _ = watch.communicate(timeout=20)
    assert shown.startswith(f"Fixing {MEMORY}\n")


NEOVIM = """
vim.o.swapfile = false
vim.cmd.filetype("on")  -- as without -u
local function answer(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  return next(answers) and answers[next(answers)].result
end
vim.cmd.edit("{path}")
vim.wait(20000, function() return #vim.diagnostic.get(0) >= {count} end)
local found = vim.tbl_map(function(d)
  return { d.lnum + 1, d.col + 1, vim.diagnostic.severity[d.severity], d.code }
end, vim.diagnostic.get(0))
vim.api.nvim_win_set_cursor(0, { 3, 0 })
local params = vim.lsp.util.make_position_params(0, "utf-8")
local hover = answer("textDocument/hover", params).contents.value
params = vim.lsp.util.make_range_params(0, "utf-8")
params.context = { diagnostics = {}, only = { "source.fixAll" } }
local action = answer("textDocument/codeAction", params)[1]
vim.lsp.util.apply_workspace_edit(action.edit, "utf-8")
vim.wait(20000, function() return #vim.diagnostic.get(0) < {count} end)
local left = #vim.diagnostic.get(0)
vim.cmd.write()
vim.fn.writefile({ vim.json.encode({ found, hover, left }) }, "answers.json")
vim.cmd.quitall({ bang = true })
"""


@pytest.mark.soak
def test_the_language_server_in_neovim(
    learnings: Command, checked: Checked, tmp_path: Path
) -> None:
    """The configuration of the page, in an editor that knows nothing else of us."""
    needs("nvim")
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True)
    (number,) = re.findall(r"^NVIM v(\d+)\.(\d+)", version.stdout)
    if tuple(map(int, number)) < (0, 11):  # pragma: no cover (where an old one is installed)
        pytest.skip("nvim is older than 0.11")
    of_file = [fields for fields in checked.findings if fields[0] == MEMORY]
    config = next(block for block in blocks("lua") if "vim.lsp" in block)
    script = NEOVIM.replace("{path}", MEMORY).replace("{count}", str(len(of_file)))
    (tmp_path / "init.lua").write_text(f"{config}\n{script}", encoding="utf-8")
    path = f"{learnings.path.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        f"nvim --headless -u NONE -i NONE -S {tmp_path}/init.lua -c cquit".split(),
        cwd=checked.path,
        env={**os.environ, "PATH": path, "XDG_STATE_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=90,
    )
    found, hover, left = json.loads((checked.path / "answers.json").read_text(encoding="utf-8"))
    names = {"error": "ERROR", "notice": "INFO"}
    assert [tuple(row) for row in found] == [
        (line, column, names[severity], rule) for _, line, column, severity, rule, _ in of_file
    ]
    assert "- Added: 2026-01-01 in `" in hover
    assert left == len(of_file) - 1
    assert "\n## When it is slow\n" in (checked.path / MEMORY).read_text(encoding="utf-8")


def test_every_editor_starts_the_same_server() -> None:
    helix = tomllib.loads(blocks("toml")[0])
    server = helix["language-server"]["learnings"]
    assert [server["command"], *server["args"]] == ["learnings", "lsp"]
    (markdown,) = helix["language"]
    assert markdown == {"name": "markdown", "language-servers": ["marksman", "learnings"]}
    assert 'cmd = { "learnings", "lsp" }' in "".join(blocks("lua"))
    assert '(markdown-mode . ("learnings" "lsp"))' in blocks("elisp")[0]
