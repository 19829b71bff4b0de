"""Sentences of the documents that name commands, numbers or outcomes are true."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnings.consolidation.proof.changes import KINDS
from learnings.core.settings.setting_values import FileSettings, Settings
from learnings.surfaces.cli.arguments import options_of
from learnings.surfaces.cli.commands import COMMANDS, OFFLINE
from tests.support import documents
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

LEARNINGS = Command("learnings")
FOLDER = ".claude/memory"
FILE, TARGET = "agents/learnings.md", "agents/decisions/builds.md"
ENTRY = "## When a build hangs\n\nLook for a second daemon that holds the lock, and stop it.\n"


def code_in(text: str) -> Iterator[str]:
    """Yield the inline code of a text, on one line each."""
    without_blocks = re.sub(r"(?ms)^ *(```+).*?^ *\1$", "", text)
    for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", without_blocks):
        yield " ".join(span.split())


def paragraph(page: str, mark: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    return text.partition(f"<!-- {mark} -->\n")[2].partition("\n\n")[0]


def test_commands_in_sentences_have_the_options_named_with_them() -> None:
    problems = []
    for page in documents.pages():
        for code in code_in(page.read_text(encoding="utf-8")):
            words = code.removeprefix("learnings ").replace("\\|", "|").split()
            options = {word.partition("=")[0] for word in words[1:] if word.startswith("--")}
            if words and words[0] in COMMANDS and "--" not in options:
                known = {*options_of(words[0]), OFFLINE, "--help"}
                problems += [f"{page.name}: {code}" for _ in options - known]
    assert problems == []


def write_folder(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in ("builds", "clock", "locks"):
        text = f"---\nname: {name}\n---\n\nLook at the {name} first, then at the log.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "archive").mkdir()


def words_of(code: str, folder: Path | str) -> list[str]:
    words = code.split()
    before = {"--at": ["HEAD"], "--from": ["HEAD", "--file"]}.get(words[-1], [])
    after = {"resolve --file": ["builds"], "archive --file": ["builds", "--reason=x"]}.get(code, [])
    return [*words, *before, str(folder), *after]


@pytest.mark.slow
def test_memory_folders_are_taken_where_it_says_so(repository: GitRepository) -> None:
    write_folder(repository.path / FOLDER)
    repository.commit()
    sentences = paragraph("docs/agents.md", "folders").split("`due --replay`")
    taking, refusing = ([*code_in(sentence)] for sentence in sentences)
    for code in taking:
        run = LEARNINGS(*words_of(code, FOLDER), cwd=repository.path)
        assert "folder" not in run.err, (code, run.err)
        assert not (run.code == 2 and code != "resolve --file"), (code, run.err)
    for code in ("due --replay", *refusing):
        run = LEARNINGS(*words_of(code, FOLDER), cwd=repository.path)
        assert re.search(r"folder|is not a Markdown file", run.err), (code, run.err)


@pytest.mark.slow
def test_local_memories_are_read_by_the_commands_named(
    tmp_path: Path, repository: GitRepository
) -> None:
    folder = tmp_path / "home" / ".claude/projects/-home-me-shop/memory"
    write_folder(folder)
    named = [*code_in(paragraph("docs/agents.md", "local"))]
    assert named[-2:] == ["batch", "due"]
    for code in dict.fromkeys(named):
        if code != "apply":  # test_local_memories.py
            run = LEARNINGS(*words_of(code, folder), cwd=repository.path)
            assert (run.code == 2) == (code in ("batch", "due")), (code, run.err)


def test_the_kinds_of_changes_are_those_of_diff() -> None:
    text = (ROOT / "docs/consolidation.md").read_text(encoding="utf-8")
    match = re.search(r"shows a change by entry: (.*?) or (\w+)\.", text)
    assert match is not None
    assert [*match[1].split(", "), match[2]] == [kind.replace("-", " ") for kind in KINDS]


def test_an_archive_has_to_be_staged_even_if_a_target_has_the_text(
    repository: GitRepository,
) -> None:
    repository.write(FILE, f"# Learnings\n\n{ENTRY}\n## When a port is taken\n\nKill it.\n")
    repository.write(TARGET, f"# Builds\n\n{ENTRY}")
    repository.commit()
    LEARNINGS("archive", "When a build hangs", "--reason", "documented", cwd=repository.path)
    repository.git("add", FILE)
    run = Command("learnings-lossless")(cwd=repository.path)
    assert run.code == 1
    (advice,) = re.findall(r"^ +git (add .*)$", run.out, flags=re.MULTILINE)
    repository.git(*shlex.split(advice))
    assert Command("learnings-lossless")(cwd=repository.path).code == 0


def test_results_of_a_consolidation_are_ungrouped(repository: GitRepository) -> None:
    twin = ENTRY.replace("hangs", "hangs again (consolidated)")
    repository.write(FILE, f"# Learnings\n\n{ENTRY}\n{twin}")
    repository.write("learnings.toml", "keep-recent = 0\n")
    repository.commit()
    alone = LEARNINGS("groups", cwd=repository.path).out
    assert alone.startswith(f"{FILE}: 0 groups of 0 entries, 2 ungrouped")
    both = LEARNINGS("groups", "--include-consolidated", cwd=repository.path).out
    assert both.startswith(f"{FILE}: 1 group of 2 entries, 0 ungrouped")


def test_the_numbers_of_the_readme_are_the_defaults() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    default = FileSettings()
    for sentence in (
        f"it has {default.size_trigger} or more lines",
        f"is {default.staleness_trigger} or more active days old",
        f"a file of more than {default.soft_limit} lines is [**starved**]",
        f"Entries of {default.freshness} or more are old enough",
        f"its batch has at least {default.min_batch} entries",
        f"a target file has over {Settings().line_limit} lines",
    ):
        assert sentence in readme
