"""lefthook: init prints the lines for it, and with these it refuses to lose an entry."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from learnings.app.setup.hooks import (
    CHOSEN,
    HOOK_TYPES,
    LEFTHOOK_FILES,
    HookList,
    hook_manager,
    lefthook_file,
    lefthook_lines,
    lefthook_table,
    names_hook,
)
from learnings.app.setup.text_steps import EditedText, ManualEditRequired, types_in, with_hooks
from learnings.core.errors import BadSettings
from tests.support.command import Command, Completed, Program
from tests.support.frameworks import ORIGIN, REPOSITORY, REVISION
from tests.support.repository import GitRepository, environment

PRE_COMMIT = ".pre-commit-config.yaml"
SCRIPTS = sysconfig.get_path("scripts")
MEMORY = "agents/learnings.md"
ENTRIES = "# Learnings\n\n## When a build hangs\n\nLook.\n\n## How to trace\n\nRead.\n"


def init(repository: GitRepository, *words: str, path: str | None = None) -> Completed:
    env = {} if path is None else {"PATH": path}
    return Command("learnings")("init", *words, cwd=repository.path, env=env)


def parsed(name: str, text: str) -> Any:  # noqa: ANN401  (whatever is in it)
    suffix = name.rpartition(".")[2]
    readers: dict[str, Any] = {"toml": tomllib.loads, "json": json.loads, "jsonc": json.loads}
    return readers.get(suffix, yaml.safe_load)(text)


def lines_to_add(output: str) -> str:
    """Return the lines that init prints for a configuration, as a text."""
    block = output.partition("add to ")[2].partition("\n")[2].partition("\nnext:")[0]
    return "".join(f"{line.removeprefix('  ')}\n" for line in block.splitlines())


@pytest.mark.parametrize("name", LEFTHOOK_FILES)
def test_the_lines_are_in_the_language_of_the_file(name: str) -> None:
    assert parsed(name, "\n".join(lefthook_lines(name, CHOSEN))) == lefthook_table(CHOSEN)


def test_each_hook_runs_where_pre_commit_runs_it() -> None:
    table = lefthook_table([*CHOSEN, "confidence-memory"])
    assert tuple(table) == HOOK_TYPES
    commands = {kind: [*inner["commands"]] for kind, inner in table.items()}
    at_commit = [hook for hook in CHOSEN if hook != "learnings-due"]
    assert commands["pre-commit"] == [*at_commit, "confidence-memory"]
    assert commands["pre-merge-commit"] == commands["pre-commit"]
    assert commands["pre-push"] == ["learnings-due"]
    assert [*lefthook_table(["memory-index"])] == ["pre-commit", "pre-merge-commit"]
    for text in ("run: memory-index-fix\n", "root: docs/memory-index/\n", ""):
        assert not names_hook(text, "memory-index")
    assert names_hook("run: memory-index\n", "memory-index")


@pytest.mark.parametrize("name", ["lefthook.yml", ".config/lefthook.toml", "lefthook.jsonc"])
def test_init_prints_the_lines_and_writes_no_other_hooks(
    repository: GitRepository, name: str
) -> None:
    repository.write(MEMORY, ENTRIES)
    before = "{}\n" if name.endswith(("json", "jsonc")) else "# ours\n"
    repository.write(name, before)
    folders = os.environ["PATH"].split(os.pathsep)
    without = [folder for folder in folders if not [*Path(folder).glob("learnings*")]]
    done = init(repository, path=os.pathsep.join(without))
    assert done.code == 0, done.err
    assert f"add to {name}, below its existing keys:\n" in done.out
    assert parsed(name, lines_to_add(done.out)) == lefthook_table(CHOSEN)
    assert not (repository.path / PRE_COMMIT).exists()
    assert repository.read(name) == before.encode()
    assert done.out.endswith(
        f"  pipx install {ORIGIN.requirement()}  # so that git finds the hooks on PATH\n"
        "  lefthook install\n"
        f"  git add {MEMORY} learnings.toml .gitignore {name} CLAUDE.md\n"
        '  git commit -m "Set up learnings"\n'
    )


def test_with_these_lines_it_is_set_up(repository: GitRepository) -> None:
    repository.write(MEMORY, ENTRIES)
    repository.write("lefthook.yml", "output: [failure]\n")
    repository.write("CLAUDE.md", f"@{MEMORY}\n")
    repository.commit()
    assert hook_manager(repository.path) is None
    overview = Command("learnings")(cwd=repository.path)
    assert "learnings init" in overview.out
    added = lines_to_add(init(repository).out)
    repository.write("lefthook.yml", "output: [failure]\n" + added)
    assert hook_manager(repository.path)
    assert "learnings init" not in Command("learnings")(cwd=repository.path).out
    again = init(repository)
    assert "next:" not in again.out
    assert again.err == "learnings: nothing to do\n"


def test_only_hooks_that_are_missing_are_printed(repository: GitRepository) -> None:
    repository.write(MEMORY, ENTRIES)
    present = [hook for hook in CHOSEN if hook != "memory-index"]
    file = repository.write("lefthook.yml", "\n".join(lefthook_lines("lefthook.yml", present)))
    shown = init(repository, "--dry-run")
    assert parsed("x.yml", shown.err.partition(":\n")[2]) == lefthook_table(["memory-index"])
    assert "add to" not in shown.out
    repository.write("lefthook.yml", "{}\n")
    assert "add to" not in init(repository, "--no-hooks").out
    file.unlink()
    file.mkdir()
    assert lefthook_file(repository.path) is None


@pytest.mark.parametrize("name", [PRE_COMMIT, "prek.toml"])
def test_beside_another_configuration_that_one_is_extended(
    repository: GitRepository, name: str
) -> None:
    repository.write(MEMORY, ENTRIES)
    repository.write("lefthook.yml", "{}\n")
    repository.write(name, "")
    done = init(repository)
    assert "learnings-check" in repository.read(name).decode()
    program = "prek" if name == "prek.toml" else "pre-commit"
    assert "lefthook.yml exists too; if lefthook runs the hooks of this repository" in done.err
    assert f", call `{program} run` in it" in done.err
    assert "add to" not in done.out


def git(repository: GitRepository, *words: str) -> subprocess.CompletedProcess[str]:
    """Run git with its hooks, which find our programs and lefthook on PATH."""
    env = environment() | {"PATH": os.pathsep.join((SCRIPTS, os.environ["PATH"]))}
    return subprocess.run(
        ["git", *words], cwd=repository.path, env=env, capture_output=True, text=True, check=False
    )


def set_up(repository: GitRepository, name: str) -> None:
    """Set up lefthook with the lines that init prints, and commit; skip without lefthook."""
    program = Program("lefthook")
    if not program.path.is_file():
        pytest.skip("lefthook is not installed")
    repository.write(MEMORY, ENTRIES)
    repository.write("CLAUDE.md", f"@{MEMORY}\n")
    repository.write(name, "{}" if name.endswith("json") else "")
    repository.write(name, lines_to_add(init(repository).out))
    installed = program("install", cwd=repository.path, env=environment())
    assert installed.code == 0, installed.out + installed.err
    hooks = repository.path / ".git" / "hooks"
    assert {kind for kind in HOOK_TYPES if (hooks / kind).is_file()} == set(HOOK_TYPES)
    git(repository, "add", "--all")
    first = git(repository, "commit", "--message=Set up learnings")
    assert first.returncode == 0, first.stdout + first.stderr


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="not tried with the shell of git for Windows")
@pytest.mark.parametrize("name", [".lefthook.toml", "lefthook.json"])
def test_a_commit_that_loses_an_entry_is_refused(repository: GitRepository, name: str) -> None:
    set_up(repository, name)
    repository.write(MEMORY, ENTRIES.partition("## How")[0])
    refused = git(repository, "commit", "--all", "--message=Lose one")
    assert refused.returncode == 1
    assert 'the entry "How to trace" is lost' in refused.stdout + refused.stderr
    assert repository.git("log", "--format=%s") == "Set up learnings"

    # What is staged counts, not what lies in the working tree.
    repository.write(MEMORY, ENTRIES + "\n## One more\n\nText.\n")
    git(repository, "add", MEMORY)
    repository.write(MEMORY, "")
    kept = git(repository, "commit", "--message=Add one")
    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert Path(repository.path / MEMORY).read_bytes() == b""


def with_prek_hooks(text: str) -> EditedText:
    return with_hooks(text, HookList(ORIGIN, CHOSEN), "prek.toml")


OTHER = '[[repos]]\nrepo = "builtin"\nhooks = [{ id = "check-toml" }]  # as it is\n'
TYPES = 'default_install_hook_types = ["pre-commit", "pre-merge-commit", "pre-push"]\n'
TEXTS = {
    "empty": "",
    "another repository": OTHER,
    "other line ends": OTHER.replace("\n", "\r\n"),
    "no last newline": OTHER.rstrip("\n"),
    "types": TYPES + OTHER,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_our_hooks_are_added_and_nothing_else_changes(text: str) -> None:
    new = with_prek_hooks(text).text
    table, before = tomllib.loads(new), tomllib.loads(text)
    *others, own = table["repos"]
    assert others == before.get("repos", [])
    assert (own["repo"], own["rev"]) == (REPOSITORY, REVISION)
    assert [hook["id"] for hook in own["hooks"]] == [*CHOSEN]
    assert types_in(new, "prek.toml") == [*HOOK_TYPES]
    assert {*text.splitlines()} <= {*new.splitlines()}
    assert new.count("\r\n") in (0, new.count("\n"))
    again = with_prek_hooks(new)
    assert (again.text, again.notes) == (new, ())


def test_what_is_there_and_lacks_something_is_said() -> None:
    fewer = f'[[repos]]\nrepo = "{REPOSITORY}"\nrev = "v0.0.1"\nhooks = [{{ id = "agent-core" }}]\n'
    new = with_prek_hooks(f'default_install_hook_types = ["pre-commit"]\n{fewer}')
    assert new.text.endswith(fewer)
    assert len(new.notes) == 2
    assert f"add their ids after `prek autoupdate --repo {REPOSITORY}`" in new.notes[0]
    assert new.notes[1] == (
        "prek.toml: default_install_hook_types lacks pre-merge-commit, pre-push; add them"
    )


@pytest.mark.parametrize("text", ['repos = [{ repo = "builtin", hooks = [] }]\n', "repos = 3\n"])
def test_another_form_is_left_to_the_user(text: str) -> None:
    with pytest.raises(ManualEditRequired, match=r"^prek\.toml was not changed, because") as info:
        with_prek_hooks(text)
    added = tomllib.loads("\n".join(info.value.lines))
    assert [hook["id"] for hook in added["repos"][0]["hooks"]] == [*CHOSEN]


@pytest.mark.parametrize("name", [PRE_COMMIT, "prek.toml", "learnings.toml"])
def test_a_byte_order_mark_stays_the_only_one(repository: GitRepository, name: str) -> None:
    repository.write(MEMORY, ENTRIES)
    repository.write(name, "\ufeff# ours\n")
    assert init(repository).code == 0
    text = repository.read(name).decode()
    assert (text.startswith("\ufeff"), text.count("\ufeff")) == (True, 1)
    assert MEMORY in text or "learnings-check" in text


def test_prek_accepts_what_is_written(tmp_path: Path) -> None:
    text = f'default_language_version = {{ python = "python3.9" }}\n{OTHER}'
    new = with_prek_hooks(text).text
    own = tomllib.loads(new)["repos"][-1]
    assert all(hook["language_version"].startswith("python3.1") for hook in own["hooks"])
    (tmp_path / "prek.toml").write_text(new, encoding="utf-8")
    done = Program("prek")("validate-config", "prek.toml", cwd=tmp_path)
    assert (done.code, done.stderr) == (0, b"success: All configs are valid\n")
    with pytest.raises(BadSettings, match=r"^prek\.toml is not valid TOML"):
        with_prek_hooks("repos = [\n")
