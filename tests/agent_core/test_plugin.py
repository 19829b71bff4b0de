"""The plugin as the host itself and a linter for agent files see it."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from learnings.core.markdown.passages import lines_with_language
from learnings.core.text import split_lines
from tests.support import host
from tests.support.checkout import pyproject
from tests.support.command import Program
from tests.support.guard import ROOT
from tests.support.npm import NotAvailable

PLUGIN = ROOT / "agent-core"
MANIFEST = ".claude-plugin/plugin.json"
MARKETPLACE = ".claude-plugin/marketplace.json"
NAME = "learnings@agent-learnings"
ALWAYS_ON = 400
AGENTS = {path.stem for path in PLUGIN.glob("agents/*.md")}
SKILLS = {path.parent.name for path in PLUGIN.glob("skills/*/SKILL.md")}
TEXTS = sorted([*PLUGIN.glob("agents/*.md"), *PLUGIN.glob("skills/*/SKILL.md")])


def read(path: str) -> Any:  # noqa: ANN401  (whatever the document is)
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def front_matter(path: Path) -> dict[str, Any]:
    fields: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1])
    return fields


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with only the two parts of the checkout that the host reads."""
    folder = tmp_path_factory.mktemp("offered")
    leave = shutil.ignore_patterns("__pycache__")
    for part in ("agent-core", ".claude-plugin"):
        shutil.copytree(ROOT / part, folder / part, ignore=leave)
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty home folder; skip if the host is not available."""
    try:
        host.program()
    except NotAvailable as reason:  # pragma: no cover (the world decides)
        pytest.skip(str(reason))
    return tmp_path_factory.mktemp("host-home")


@pytest.fixture(scope="module")
def details(home: Path, offered: Path) -> Iterator[str]:
    """Install the plugin and return the host's output about it."""
    host.claude("plugin", "marketplace", "add", offered, home=home)
    host.claude("plugin", "install", NAME, home=home)
    yield host.claude("plugin", "details", NAME, home=home)
    host.claude("plugin", "uninstall", NAME, home=home)


@pytest.mark.network
@pytest.mark.parametrize("part", [".", "agent-core"])
def test_the_host_finds_nothing_wrong(home: Path, offered: Path, part: str) -> None:
    said = host.claude("plugin", "validate", offered / part, home=home)

    assert "Validation passed" in said
    assert "warning" not in said.lower()


@pytest.mark.network
def test_the_host_would_find_something_wrong(home: Path, offered: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(offered / "agent-core", tmp_path / "broken")
    (broken / "skills" / "remember" / "SKILL.md").write_text("---\na: b: c\n---\n")

    with pytest.raises(AssertionError, match="frontmatter"):
        host.claude("plugin", "validate", broken, home=home)


@pytest.mark.network
def test_the_host_lists_every_component(details: str) -> None:
    listed = {
        match[1]: set(match[2].split(", "))
        for match in re.finditer(r"^\s*(\w+) \(\d+\)\s+(\S.*?)(?:  .*)?$", details, re.MULTILINE)
    }

    assert listed == {"Skills": SKILLS, "Agents": AGENTS, "Hooks": {"SessionStart", "SessionEnd"}}


@pytest.mark.network
def test_what_every_session_pays_is_little_and_stated(details: str) -> None:
    printed = re.search(r"Always-on:\s+~(\d+) tok", details)
    stated = re.search(
        r"about (\d+) tokens", (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    )

    assert printed
    assert stated
    assert int(printed[1]) <= int(stated[1]) < ALWAYS_ON


def test_a_linter_for_agents_finds_nothing(offered: Path) -> None:
    done = Program("agnix")("--strict", offered, cwd=offered)

    assert (done.code, done.stderr) == (0, b"")
    assert "Found 0 errors, 0 warnings" in done.out


def test_versions_agree() -> None:
    version = pyproject()["project"]["version"]
    assert read(f"agent-core/{MANIFEST}")["version"] == version


def test_the_marketplace_offers_the_plugin() -> None:
    manifest, market = read(f"agent-core/{MANIFEST}"), read(MARKETPLACE)
    (offer,) = market["plugins"]

    assert f"{offer['name']}@{market['name']}" == NAME
    assert offer["source"] == f"./{PLUGIN.name}"
    assert (offer["name"], offer["description"]) == (manifest["name"], manifest["description"])


def test_everything_in_bin_can_be_executed() -> None:
    programs = [path for path in PLUGIN.glob("bin/*") if path.is_file()]

    assert len(programs) == 2
    assert all(os.access(path, os.X_OK) for path in programs)


@pytest.mark.parametrize(
    ("agent", "color"), [("remember-task", "green"), ("memory-refactor", "yellow")]
)
def test_agents_of_the_consolidation(agent: str, color: str) -> None:
    matter = front_matter(PLUGIN / "agents" / f"{agent}.md")

    assert (matter["name"], matter["model"], matter["color"]) == (agent, "sonnet", color)
    assert set(matter["tools"].split(", ")) == {"Read", "Write", "Edit", "Bash", "Grep", "Glob"}


@pytest.mark.parametrize(
    "permission",
    [
        "Task",
        "Bash(${CLAUDE_PLUGIN_ROOT}/bin/learning-ages.py:*)",
        "Bash(agent-core/bin/learning-ages.py:*)",
        "Bash(learnings:*)",
    ],
)
def test_what_the_handoff_may_do(permission: str) -> None:
    allowed = front_matter(PLUGIN / "skills" / "handoff" / "SKILL.md")["allowed-tools"]

    assert permission in allowed.split(", ")


@pytest.mark.parametrize("skill", sorted(SKILLS))
def test_a_skill_may_run_what_it_says_to_run(skill: str) -> None:
    path = PLUGIN / "skills" / skill / "SKILL.md"
    allowed = re.findall(r"Bash\((.+?):\*\)", front_matter(path)["allowed-tools"])
    lines = [*lines_with_language(split_lines(path.read_text(encoding="utf-8")))]
    commands = [text.strip() for _, text, language in lines if language == "sh" and text.strip()]
    prose = "".join(text for _, text, language in lines if language is None)
    commands += re.findall(r"`((?:git|learnings|python3|uvx) [^`]+)`", prose)
    for command in commands:
        words = " ".join(command.split())
        assert any(words.startswith(prefix) for prefix in allowed), f"{skill}: {words}"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_no_text_moves_bytes_with_a_shell(path: Path) -> None:
    lines = lines_with_language(split_lines(path.read_text(encoding="utf-8")))
    shell = [text for _, text, language in lines if language == "sh"]
    moving = r"\b(?:sed|cp|mv|rm|cat|head|tail|tee|cmp|comm|wc|printf|mkdir)\b|>>?|\|"
    assert [text for text in shell if re.search(moving, text)] == []


def test_consolidation_with_a_user_is_never_begun_by_an_agent() -> None:
    matter = front_matter(PLUGIN / "skills" / "consolidate" / "SKILL.md")

    assert matter["disable-model-invocation"] is True
