"""The examples in the documents are run, and everything they name exists."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from demo import repository as demo
from demo import story
from learnings import REPOSITORY, REVISION
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
from learnings.core.settings.feature_tables import CONFIDENCE_KEYS, TIER_KEYS
from learnings.core.settings.keys import DIALECTS, FILE_KEYS, GENERAL_KEYS
from learnings.rules import RULES
from learnings.surfaces.cli import commands
from learnings.tiers import checks
from learnings.workspace.workspace import Workspace
from release import names
from tests.support import documents
from tests.support.checkout import files, manifest, pyproject
from tests.support.command import Command
from tests.support.documents import Block
from tests.support.examples import STATES, Place
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

SHOWN_PATH = "/path/to/parcels"
CUT = "…"
ADDED, PLUGIN = ("marketplace", "add"), "learnings@agent-learnings"
INSTALLS = (
    "uvx --from ADDRESS learnings",
    "pipx install ADDRESS",
    "pipx install --force ADDRESS",
    "pip install ADDRESS",
)
INSTALLS_FROM_INDEX = {
    *INSTALLS,
    "uvx learnings",
    "pipx install learnings",
    "pipx install learnings[github]",
    "pipx install --force learnings[github]",
    "pipx install --force learnings[lsp]",
    "pip install learnings",
}


def is_on_the_index() -> bool:
    """Return True if there has been a release: before, the name could be anybody's."""
    changelog = (ROOT / names.CHANGELOG).read_text(encoding="utf-8")
    return len(names.sections(changelog)) > 1


SCRIPTS = sysconfig.get_path("scripts")
AFRESH = "write it anew with: python -m tests.support.documents"


@pytest.fixture(scope="module")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the repository of the demonstration, on its branch main."""
    built = demo.build(tmp_path_factory.mktemp("demo") / demo.NAME)
    memory = built.read(story.MEMORY)
    built.write(story.MEMORY, f"{memory}\n{story.entries()[story.LAST_LESSON]}")
    message = f"Learn: {story.LAST_LESSON}"
    env = built.environment(story.LAST_DAY)
    built.git("commit", "--quiet", "--all", f"--message={message}", env=env)
    return built.path


def examples(lines: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block with the output shown below it."""
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start].removeprefix("$ "), list(lines[start + 1 : end])


def pattern(shown: list[str]) -> str:
    """Return a regular expression for an output; … matches any text."""
    parts = []
    for line in shown:
        inner = ".*".join(map(re.escape, re.split(rf"\({CUT}\)|{CUT}", line)))
        parts.append("(?:.*\n)*" if line == CUT else f"{inner}\n")
    return "".join(parts)


class Printed(NamedTuple):
    """The output of a command on both streams, and its exit code."""

    text: str
    code: int


def run(command: str, place: Place) -> Printed:
    """Run a command as shown; `< FILE` at its end is its input."""
    line, _, source = command.replace(SHOWN_PATH, place.path.as_posix()).partition(" < ")
    words = shlex.split(line)
    stdin = (place.path / source).read_bytes() if source else b""
    search = os.pathsep.join((SCRIPTS, os.environ["PATH"]))
    env = {"PATH": search, **place.env}
    if words[0] in pyproject()["project"]["scripts"]:
        own = Command(words[0])(*words[1:], cwd=place.path, env=env, stdin=stdin)
        return Printed(own.both.decode(), own.code)
    program = shutil.which(words[0], path=search)
    assert program, f"{words[0]} is no command"
    done = subprocess.run(
        [program, *words[1:]],
        cwd=place.path,
        env=os.environ | env,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return Printed(done.stdout.decode(), done.returncode)


def differences(block: Block, place: Place) -> Iterator[str]:
    """Run the commands of a block and yield the differences from the page."""
    STATES[block.directives["on"]](place)
    code = None
    for command, shown in examples(block.lines):
        done = run(command, place)
        code = done.code
        printed = done.text.replace(place.path.as_posix(), SHOWN_PATH)
        if (shown or not code) and not re.fullmatch(pattern(shown), printed):
            yield f"{block}: {command} prints\n{printed}"
    if code != int(block.directives.get("exit", "0")):
        yield f"{block}: the last command ends with {code}"


MESSAGES = ROOT / "tests/data/messages.md"  # errors that say themselves what to do
EXAMPLES = [*documents.of("console"), *documents.blocks_of(MESSAGES)]


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({block.page for block in EXAMPLES}))
def test_examples_print_what_is_shown(page: str, parcels: Path, tmp_path: Path) -> None:
    blocks = [block for block in EXAMPLES if block.page == page]
    problems = [
        difference
        for block in blocks
        for difference in differences(block, Place(tmp_path / str(block.line) / demo.NAME, parcels))
    ]
    assert problems == [], "\n".join(problems)


def test_examples_name_states_that_are_used() -> None:
    assert {block.directives.get("on") for block in EXAMPLES} == set(STATES)


def test_every_fenced_block_has_a_language_that_is_tested() -> None:
    known = {"console", "markdown", "sh", "toml", "yaml"}
    editors = {"bash", "elisp", "json", "lua", "vim"}  # tests/project/test_editors.py
    also = {"docs/editors.md": editors, "docs/tiers.md": {"json"}}  # tests/support/examples.py
    others = {
        block.page
        for block in documents.blocks()
        if block.language not in known | also.get(block.page, set())
    }
    assert others == {"docs/architecture.md"}  # the map, and pictures


def test_commands_of_ours_are_shown_where_they_are_run() -> None:
    commands = re.compile(r"^(?:\$ )?(?:learnings|target-line)[\w-]*(?: |$)", flags=re.MULTILINE)
    shown = [block for block in documents.blocks() if block.language != "console"]
    assert [str(block) for block in shown if commands.search(block.text)] == []
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize("block", documents.of("sh"), ids=str)
def test_shell_lines_name_what_exists(block: Block) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for line in block.lines:
        program, *words = shlex.split(line, comments=True)
        if program == "make":
            assert re.search(rf"^{words[0]}:.*##", makefile, flags=re.MULTILINE)
        elif program == "claude":  # tests/agent_core/test_plugin.py runs them
            place = REPOSITORY.removeprefix("https://github.com/")
            assert words in (["plugin", *ADDED, place], ["plugin", "install", PLUGIN])
        else:
            place = f"git+{REPOSITORY}@{REVISION}"
            extras = [f"learnings[{extra}] @ {place}" for extra in ("github", "lsp")]
            named = ["ADDRESS" if word in (place, *extras) else word for word in words]
            shown = " ".join([program, *named])
            assert shown in (INSTALLS_FROM_INDEX if is_on_the_index() else INSTALLS)


def test_repository_is_named_the_same_everywhere() -> None:
    named = {
        address
        for page in documents.pages()
        for address in re.findall(r"https://github\.com/[\w-]+/[\w-]+", page.read_text("utf-8"))
        if "/agent-learnings/" in address
    }
    assert named == {REPOSITORY}
    assert pyproject()["project"]["urls"]["Repository"] == REPOSITORY


@pytest.mark.parametrize("block", documents.of("yaml"), ids=str)
def test_yaml_can_be_read(block: Block) -> None:
    assert yaml.safe_load(block.text)


def test_hook_lines_name_every_hook_and_install_what_they_run_in() -> None:
    (config,) = [content for block in documents.of("yaml") if "repos" in (content := _yaml(block))]
    (named,) = config["repos"]
    assert named["repo"] == REPOSITORY
    assert named["rev"] == REVISION
    ids = [hook["id"] for hook in named["hooks"]]
    assert set(ids) == {*manifest()}, "write the ids of the manifest into the YAML of the README"
    # Hooks that fix come first: with `fail_fast` nothing runs after a hook that fails.
    fixing = [hook.endswith("-fix") for hook in ids]
    assert fixing == sorted(fixing, reverse=True)
    used = {stage for hook in manifest().values() for stage in hook["stages"]} - {"manual"}
    assert set(config["default_install_hook_types"]) == used


def test_hook_lines_are_accepted_by_the_framework(tmp_path: Path) -> None:
    (block,) = [block for block in documents.of("yaml") if "repos" in _yaml(block)]
    (tmp_path / "config.yaml").write_text(block.text, encoding="utf-8")
    done = subprocess.run(
        [f"{SCRIPTS}/pre-commit", "validate-config", "config.yaml"],
        cwd=tmp_path,
        env=os.environ | {"PRE_COMMIT_HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def _yaml(block: Block) -> dict[str, Any]:
    content = yaml.safe_load(block.text)
    return content if isinstance(content, dict) else {}


def test_hooks_to_skip_exist() -> None:
    skipped = [_yaml(block)["ci"] for block in documents.of("yaml") if "ci" in _yaml(block)]
    assert skipped
    assert all(set(section["skip"]) <= set(manifest()) for section in skipped)


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
    inner = {"issue", "confidence", "rules", "tiers"}
    written = set(table) - {"file", *inner}
    written |= {key for name in inner for key in table.get(name, {})}
    written |= {key for file in table.get("file", []) for key in file}
    settings = workspace.settings
    tables = [part.origins for part in (settings.file, *settings.files)]
    origins = [origin for part in (settings.origins, *tables) for origin in part.values()]
    assert written == {origin.keys[-1] for origin in origins}


def test_default_targets_are_those_shown() -> None:
    shown = [tomllib.loads(block.text) for block in SETTINGS]
    tables = [document.get("tool", {}).get("learnings", {}) for document in shown]
    assert [tuple(document["targets"]) for document in tables if "targets" in document] == [
        DEFAULT_TARGETS
    ]


SHAPES = [block for block in documents.of("markdown") if "dialect" in block.directives]


@pytest.mark.parametrize("block", SHAPES, ids=str)
def test_dialect_is_the_one_named(block: Block) -> None:
    document = read(block.text.encode())
    named = block.directives
    assert document.dialect.name == named["dialect"]
    assert document.dialect.level == int(named["level"])
    assert len(document.entries) == int(named["entries"])


def test_doubtful_reading_is_the_one_shown() -> None:
    (block,) = (block for block in documents.of("markdown") if "doubt" in block.directives)
    ambiguity = second_reading(read(block.text.encode()))
    assert ambiguity is not None
    assert ambiguity.counts == block.directives["doubt"]
    page = (ROOT / block.page).read_text(encoding="utf-8")
    assert f"`{ambiguity.counts}; {ambiguity.advice}`" in page


def test_every_dialect_has_an_example() -> None:
    assert {block.directives["dialect"] for block in SHAPES} == {*DIALECTS} - {"auto"}


INSTRUCTIONS = [block for block in documents.of("markdown") if "instructions" in block.directives]


@pytest.mark.parametrize("block", INSTRUCTIONS, ids=str)
def test_instructions_lead_agents_to_the_memory(block: Block, repository: GitRepository) -> None:
    repository.write(story.MEMORY, "# Learnings\n\n## When a build hangs\n\nLook.\n")
    check = Command("learnings")
    assert "memory-not-loaded" in check("check", cwd=repository.path).out
    repository.write(block.directives["instructions"], block.text)
    assert check("check", cwd=repository.path).out == ""


@pytest.mark.parametrize("block", INSTRUCTIONS, ids=str)
def test_instructions_are_those_of_init(block: Block, repository: GitRepository) -> None:
    path = block.directives["instructions"]
    repository.write(story.MEMORY, "# Learnings\n\n## When a build hangs\n\nLook.\n")
    repository.write(path, "")
    printed = Command("learnings")("init", cwd=repository.path).out
    (line,) = [line for line in printed.splitlines() if ">>" in line and ".git" not in line]
    assert shlex.split(line)[1:4] == [block.text.rstrip("\n"), ">>", path]


def test_names_that_are_looked_for_are_those_of_the_code() -> None:
    text = (ROOT / "docs/entries.md").read_text(encoding="utf-8")
    section = text[text.index("## Which files") :]
    lists = re.findall(r"^(`[^\n]*(?:\n`[^\n]*)*)$", section, flags=re.MULTILINE)
    names, folders, places = lists[:3]
    assert sorted(re.findall(r"`([^`]+)`", places)) == sorted(MEMORY_PLACES)
    assert tuple(re.findall(r"`([^`]+)`", names)) == LEARNINGS_NAMES
    assert ("", *re.findall(r"`([^`]+)`", folders)) == LEARNINGS_FOLDERS


def test_each_place_of_a_memory_has_a_row() -> None:
    text = (ROOT / "docs/agents.md").read_text(encoding="utf-8")
    table = "".join(line for line in text.splitlines(keepends=True) if line.startswith("| "))
    shown = {*re.findall(r"`([^`]+)`", table)}
    places = {*MEMORY_PLACES, *FOLDER_PLACES, *STATE_PLACES}
    assert places - shown - {"MEMORY.md"} == set()


@pytest.mark.parametrize("page", documents.pages(), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in documents.links(page):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in documents.anchors(target), link


def test_every_page_can_be_reached_from_the_readme() -> None:
    linked = {link.partition("#")[0] for link in documents.links(ROOT / "README.md")}
    assert "docs/index.md" in linked
    linked |= {f"docs/{link}" for link in documents.links(ROOT / "docs" / "index.md")}
    names = {page.relative_to(ROOT).as_posix() for page in documents.pages()} - {"README.md"}
    assert names <= linked


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


def house() -> Block:
    """Return the map of the folders."""
    page = "docs/architecture.md"
    blocks = [block for block in documents.blocks() if block.page == page]
    return next(block for block in blocks if block.lines[0].startswith("src/"))


def rooms() -> set[str]:
    """Return the folders that the map names, from the root; other lines continue a text."""
    folders, open_folders = set(), [""]
    for line in house().lines:
        name = line.split()[0]
        if name.endswith("/"):
            depth = (len(line) - len(line.lstrip())) // 2
            open_folders = [*open_folders[: depth + 1], name]
            folders.add("".join(open_folders))
    return folders


def test_map_shows_the_folders_there_are() -> None:
    assert {room for room in rooms() if not (ROOT / room).is_dir()} == set()
    package = {
        f"{path.relative_to(ROOT).as_posix()}/"
        for path in (ROOT / "src/learnings").rglob("*")
        if path.is_dir() and path.name != "__pycache__"
    }
    assert package <= rooms()


@pytest.mark.outside
def test_map_shows_every_folder_at_the_top() -> None:
    tops = {path.parts[0] for path in files() if len(path.parts) > 1}
    visible = {top for top in tops if not top.startswith(".")}
    assert visible == {room.partition("/")[0] for room in rooms()}


def test_demonstration_repository_is_the_one_of_the_documents(parcels: Path) -> None:
    assert GitRepository(parcels).git("status", "--porcelain") == ""
