"""The examples in the documents are run, and everything they name exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from demo import repository as demo
from demo import story
from learnings import HOME, REVISION
from learnings.confidence.values import TYPES
from learnings.core.entries.ambiguities import second_reading
from learnings.core.entries.document import read
from learnings.core.file_names import (
    DEFAULT_TARGETS,
    FOLDER_PLACES,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    MEMORY_PLACES,
    STATE_PLACES,
)
from learnings.core.settings.keys import (
    CONFIDENCE_KEYS,
    DIALECTS,
    FILE_KEYS,
    GENERAL_KEYS,
    TIER_KEYS,
)
from learnings.rules import RULES
from learnings.surfaces.cli import commands
from learnings.tiers import checks
from learnings.workspace.workspace import Workspace
from release import names
from tests.project.examples import STATES, State
from tests.support import documents
from tests.support.checkout import files, manifest, pyproject
from tests.support.command import Command
from tests.support.documents import Block
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

SHOWN_PATH = "/path/to/parcels"
CUT = "…"
# tests/project/test_installers.py runs them.
INSTALLS = {
    "uvx --from ADDRESS learnings",
    "pipx install ADDRESS",
    "pip install ADDRESS",
    "pipx inject learnings pygls>=2,<3",
    "pipx inject learnings urllib3>=2.2,<3",
}
SCRIPTS = sysconfig.get_path("scripts")
AFRESH = "write it anew with: python -m tests.support.documents"


@pytest.fixture(scope="module")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the repository of the demonstration, on its branch main."""
    return demo.build_to_last_day(tmp_path_factory.mktemp("demo") / demo.NAME).path


def examples(block: Block) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output shown below it."""
    for part in re.split(r"(?m)^\$ ", block.text)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def pattern(shown: str) -> str:
    """Return a regular expression for an output; … matches any text."""
    lines = re.sub(rf"(?m)^{CUT}\n", "\0", shown)
    escaped = re.escape(re.sub(rf"\({CUT}\)|{CUT}", "\1", lines))
    return escaped.replace("\0", "(?:.*\n)*").replace("\1", ".*")


def run(command: str, place: State) -> tuple[str, int]:
    """Run a command as shown, `< FILE` is its input; return both streams and the exit code."""
    line, _, source = command.replace(SHOWN_PATH, place.path.as_posix()).partition(" < ")
    words = shlex.split(line)
    stdin = (place.path / source).read_bytes() if source else b""
    env = {"PATH": os.pathsep.join((SCRIPTS, os.environ["PATH"])), **place.env}
    if words[0] in pyproject()["project"]["scripts"]:
        own = Command(words[0])(*words[1:], cwd=place.path, env=env, stdin=stdin)
        return own.both.decode(), own.code
    done = subprocess.run(
        words,
        cwd=place.path,
        env=os.environ | env,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.stdout.decode(), done.returncode


def differences(block: Block, place: State) -> Iterator[str]:
    """Run the commands of a block and yield the differences from the page."""
    place.prepare(block.directives["on"])
    code = None
    for command, shown in examples(block):
        text, code = run(command, place)
        printed = text.replace(place.path.as_posix(), SHOWN_PATH)
        if (shown or not code) and not re.fullmatch(pattern(shown), printed):
            yield f"{block}: {command} prints\n{printed}"
    if code != int(block.directives.get("exit", "0")):
        yield f"{block}: the last command ends with {code}"


MESSAGES = ROOT / "tests/data/messages.md"  # errors that say themselves what to do
EXAMPLES = [*documents.of("console"), *documents.blocks_of(MESSAGES)]


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({block.page for block in EXAMPLES}))
def test_examples_print_what_is_shown(page: str, parcels: Path, tmp_path: Path) -> None:
    problems = [
        difference
        for block in EXAMPLES
        if block.page == page
        for difference in differences(block, State(tmp_path / str(block.line) / demo.NAME, parcels))
    ]
    assert problems == [], "\n".join(problems)


def test_every_fenced_block_is_tested() -> None:
    assert {block.directives.get("on") for block in EXAMPLES} == STATES
    commands = re.compile(r"^(?:\$ )?(?:learnings|target-line)[\w-]*(?: |$)", flags=re.MULTILINE)
    shown = [block for block in documents.blocks() if block.language != "console"]
    assert [str(block) for block in shown if commands.search(block.text)] == []
    known = {"console", "markdown", "sh", "toml", "yaml"}
    editors = {"bash", "elisp", "json", "lua", "vim"}  # tests/project/test_editors.py
    also = {"docs/editors.md": editors, "docs/tiers.md": {"json"}}  # tests/project/examples.py
    others = {
        block.page
        for block in documents.blocks()
        if block.language not in known | also.get(block.page, set())
    }
    assert others == {"docs/architecture.md"}  # the map, and pictures


def test_shell_lines_name_what_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    # tests/agent_core/test_plugin.py runs those of claude.
    known = {f"claude plugin marketplace add {HOME or names.CLONE}"}
    known |= {"claude plugin install learnings@learnings", *INSTALLS}
    known |= {f"make {name}" for name in re.findall(r"(?m)^(\w+):.*##", makefile)}
    address = f"git+{HOME}@{REVISION}" if HOME else names.CLONE
    for block in documents.of("sh"):
        for line in block.lines:
            words = " ".join(shlex.split(line, comments=True))
            is_claude = words.startswith("claude ")
            shown = words if is_claude else words.replace(address, "ADDRESS")
            assert re.sub(r" [A-Z]+=\S+", "", shown) in known, str(block)


def test_hook_lines_name_every_hook_and_install_what_they_run_in() -> None:
    skipped = [_yaml(block)["ci"] for block in documents.of("yaml") if "ci" in _yaml(block)]
    assert skipped
    assert all(set(section["skip"]) <= set(manifest()) for section in skipped)
    (config,) = [content for block in documents.of("yaml") if "repos" in (content := _yaml(block))]
    (named,) = config["repos"]
    assert named["repo"] == (HOME or names.CLONE)
    assert named["rev"] == REVISION
    ids = [hook["id"] for hook in named["hooks"]]
    assert set(ids) == {*manifest()}, "write the ids of the manifest into the YAML of the README"
    # Hooks that fix come first: with `fail_fast` nothing runs after a hook that fails.
    fixing = [hook.endswith("-fix") for hook in ids]
    assert fixing == sorted(fixing, reverse=True)
    used = {stage for hook in manifest().values() for stage in hook["stages"]} - {"manual"}
    assert set(config["default_install_hook_types"]) == used


def _yaml(block: Block) -> dict[str, Any]:
    content = yaml.safe_load(block.text)
    assert content, str(block)
    return content if isinstance(content, dict) else {}


# Settings of ours; those of Helix are on the page about editors.
SETTINGS = [block for block in documents.of("toml") if block.page != "docs/editors.md"]


@pytest.mark.parametrize("block", SETTINGS, ids=str)
def test_settings_are_understood(block: Block, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    name = "pyproject.toml" if "[tool." in block.text else "learnings.toml"
    (tmp_path / name).write_text(block.text, encoding="utf-8")
    workspace = Workspace.open(tmp_path)
    assert workspace.config is not None
    table = tomllib.loads(block.text)
    table = table.get("tool", {}).get("learnings", table)
    parts = [table.pop(name, {}) for name in ("issue", "confidence", "rules", "tiers")]
    parts += table.pop("file", [])
    settings = workspace.settings
    tables = [part.origins for part in (settings.file, *settings.files)]
    origins = [origin for part in (settings.origins, *tables) for origin in part.values()]
    written = {key for part in (table, *parts) for key in part}
    assert written == {origin.keys[-1] for origin in origins}


SHAPES = [block for block in documents.of("markdown") if "dialect" in block.directives]


def test_dialect_and_doubt_are_those_named() -> None:
    for block in SHAPES:
        document, named = read(block.text.encode()), block.directives
        assert document.dialect.name == named["dialect"], str(block)
        assert document.dialect.level == int(named["level"]), str(block)
        assert len(document.entries) == int(named["entries"]), str(block)
    assert {block.directives["dialect"] for block in SHAPES} == {*DIALECTS} - {"auto"}
    (block,) = (block for block in documents.of("markdown") if "doubt" in block.directives)
    ambiguity = second_reading(read(block.text.encode()))
    assert ambiguity is not None
    assert ambiguity.counts == block.directives["doubt"]
    page = (ROOT / block.page).read_text(encoding="utf-8")
    assert f"`{ambiguity.counts}; {ambiguity.advice}`" in page


INSTRUCTIONS = [block for block in documents.of("markdown") if "instructions" in block.directives]


@pytest.mark.parametrize("block", INSTRUCTIONS, ids=str)
def test_instructions_are_those_of_init_and_lead_agents_to_the_memory(
    block: Block, repository: GitRepository
) -> None:
    path, learnings = block.directives["instructions"], Command("learnings")
    repository.write(story.MEMORY, "# Learnings\n\n## When a build hangs\n\nLook.\n")
    assert "memory-not-loaded" in learnings("check", cwd=repository.path).out
    repository.write(path, "")
    printed = learnings("init", cwd=repository.path).out
    (line,) = [line for line in printed.splitlines() if ">>" in line and ".git" not in line]
    assert shlex.split(line)[1:4] == [block.text.rstrip("\n"), ">>", path]
    repository.write(path, block.text)
    assert learnings("check", cwd=repository.path).out == ""


def test_names_and_places_of_memories_are_those_of_the_code() -> None:
    text = (ROOT / "docs/entries.md").read_text(encoding="utf-8")
    section = text[text.index("## Which files") :]
    lists = re.findall(r"^(`[^\n]*(?:\n`[^\n]*)*)$", section, flags=re.MULTILINE)
    names, folders, places = (tuple(re.findall(r"`([^`]+)`", part)) for part in lists[:3])
    assert sorted(places) == sorted(MEMORY_PLACES)
    assert names == LEARNINGS_NAMES
    assert ("", *folders) == LEARNINGS_FOLDERS
    shown = [tomllib.loads(block.text).get("tool", {}).get("learnings", {}) for block in SETTINGS]
    assert [tuple(table["targets"]) for table in shown if "targets" in table] == [DEFAULT_TARGETS]
    agents = (ROOT / "docs/agents.md").read_text(encoding="utf-8")
    rows = {*re.findall(r"`([^`]+)`", "\n".join(re.findall(r"(?m)^\| .*", agents)))}
    assert {*MEMORY_PLACES, *FOLDER_PLACES, *STATE_PLACES} <= rows


def test_links_lead_somewhere_and_to_every_page() -> None:
    linked = {link.partition("#")[0] for link in documents.links(ROOT / "README.md")}
    assert "docs/index.md" in linked
    linked |= {f"docs/{link}" for link in documents.links(ROOT / "docs" / "index.md")}
    names = {page.relative_to(ROOT).as_posix() for page in documents.pages()} - {"README.md"}
    assert names <= linked
    for page in documents.pages():
        for link in documents.links(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not link.startswith("https://"):
                assert target.exists(), f"{page}: {link}"
                assert not anchor or anchor in documents.anchors(target), f"{page}: {link}"


def test_contributing_names_tests_and_tables_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("\n   ", " ")
    named = {name for name in re.findall(r"`([\w/]*test_\w+\.py)`", text) if "your_" not in name}
    known = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/*.py")}
    assert named - known - {path.rpartition("/")[2] for path in known} == set()
    tables = re.findall(r"`([A-Z_]+)` of `([\w/]+\.py)`", text)
    assert len(tables) >= 3
    for table, name in tables:
        (path,) = (path for path in known if f"/{path}".endswith(f"/{name}"))
        assert f"\n{table}" in (ROOT / path).read_text(encoding="utf-8"), table


def test_tables_follow_from_the_code() -> None:
    outdated = [
        page
        for page in documents.TABLES
        if (ROOT / page).read_text(encoding="utf-8") != documents.as_derived(page)
    ]
    assert outdated == [], AFRESH


def test_every_setting_in_prose_exists() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in documents.pages())
    written = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)(?: = [^`]*)?`", text))
    known = {*FILE_KEYS, *GENERAL_KEYS, *CONFIDENCE_KEYS, *manifest(), *(rule.id for rule in RULES)}
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    known |= {*action["inputs"], *action["outputs"]}
    known |= {path.stem for path in ROOT.glob("agent-core/*/*")}  # agents and skills
    known |= set(TYPES)  # of observations
    known |= {"cherry-pick", "pre-commit", *DIALECTS}
    known |= {*TIER_KEYS, *(rule for rule in vars(checks).values() if isinstance(rule, str))}
    assert written - known == {
        "file-time",
        "renamed-heading",
        "stated-date",
        "not-due",
        "not-needed",
    }


def test_exit_codes_are_those_of_the_program() -> None:
    text = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    table = text[text.index("## Exit codes") :]
    names = ("CLEAN", "FINDINGS", "WRONG", "DEFECT", "INTERRUPTED")
    codes = [getattr(commands, name) for name in names]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, flags=re.MULTILINE)] == codes


def rooms() -> set[str]:
    """Return the folders that the map names, from the root; other lines continue a text."""
    folders, open_folders = set(), [""]
    (house,) = [block for block in documents.blocks() if block.text.startswith("src/")]
    for line in house.lines:
        name = line.split()[0]
        if name.endswith("/"):
            depth = (len(line) - len(line.lstrip())) // 2
            open_folders = [*open_folders[: depth + 1], name]
            folders.add("".join(open_folders))
    return folders


@pytest.mark.outside
def test_map_shows_the_folders_there_are() -> None:
    assert {room for room in rooms() if not (ROOT / room).is_dir()} == set()
    folders = {path.parent for path in files()}
    package = {f"{path.as_posix()}/" for path in folders if path.parts[:1] == ("src",)}
    assert package <= rooms()
    tops = {path.parts[0] for path in folders if path.parts}
    shown = {room.partition("/")[0] for room in rooms()}
    assert {top for top in tops if not top.startswith(".")} == shown
