"""The plugin as the host itself and a linter for agent files see it."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from learnings.core.markdown.passages import lines_with_language
from learnings.core.text import split_lines
from tests.agent_core.agent_files import PLUGIN
from tests.support.checkout import pyproject
from tests.support.command import Program
from tests.support.guard import ROOT
from tests.support.npm import NotAvailable, installed, node

MANIFEST = ".claude-plugin/plugin.json"
MARKETPLACE = ".claude-plugin/marketplace.json"
NAME = "learnings@learnings"
AGENTS = {path.stem for path in PLUGIN.glob("agents/*.md")}
SKILLS = {path.parent.name for path in PLUGIN.glob("skills/*/SKILL.md")}
TEXTS = sorted([*PLUGIN.glob("agents/*.md"), *PLUGIN.glob("skills/*/SKILL.md")])


PACKAGE, VERSION = "@anthropic-ai/claude-code", "2.1.197"
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}


def program() -> Path:
    """Return the script that runs the host; raises NotAvailable."""
    folder = installed(f"claude-code-{VERSION}", f"{PACKAGE}@{VERSION}")
    return folder / "node_modules" / PACKAGE / "cli-wrapper.cjs"


def claude(*words: str | Path, home: Path) -> str:
    """Run the host with an empty home folder; return both streams, AssertionError if it fails."""
    run = node(program(), *words, cwd=home, HOME=str(home), **QUIET)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


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
        program()
    except NotAvailable as reason:
        pytest.skip(str(reason))
    return tmp_path_factory.mktemp("host-home")


@pytest.mark.soak
@pytest.mark.network
def test_the_host_finds_nothing_wrong(home: Path, offered: Path, tmp_path: Path) -> None:
    for part in (offered, offered / "agent-core"):
        said = claude("plugin", "validate", part, home=home)
        assert "Validation passed" in said
        assert "warning" not in said.lower()
    broken = shutil.copytree(offered / "agent-core", tmp_path / "broken")
    (broken / "skills" / "remember" / "SKILL.md").write_text("---\na: b: c\n---\n")
    with pytest.raises(AssertionError, match="frontmatter"):
        claude("plugin", "validate", broken, home=home)


@pytest.mark.soak
@pytest.mark.network
def test_the_host_lists_every_component_and_what_a_session_pays(home: Path, offered: Path) -> None:
    claude("plugin", "marketplace", "add", offered, home=home)
    claude("plugin", "install", NAME, home=home)
    details = claude("plugin", "details", NAME, home=home)
    rows = re.findall(r"(?m)^\s*(\w+) \(\d+\)\s+(\S.*?)(?:  .*)?$", details)
    listed = {kind: {*names.split(", ")} for kind, names in rows}
    assert listed == {"Skills": SKILLS, "Agents": AGENTS, "Hooks": {"SessionStart", "SessionEnd"}}
    (printed,) = re.findall(r"Always-on:\s+~(\d+) tok", details)
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    (stated,) = re.findall(r"about (\d+)\s+tokens", page)
    assert int(printed) <= int(stated) < 400


def test_a_linter_for_agents_finds_nothing(offered: Path) -> None:
    done = Program("agnix")("--strict", offered, cwd=offered)

    assert (done.code, done.stderr) == (0, b"")
    assert "Found 0 errors, 0 warnings" in done.out


def test_the_marketplace_offers_the_plugin() -> None:
    manifest, market = read(f"agent-core/{MANIFEST}"), read(MARKETPLACE)
    (offer,) = market["plugins"]
    assert f"{offer['name']}@{market['name']}" == NAME
    assert offer["source"] == f"./{PLUGIN.name}"
    assert (offer["name"], offer["description"]) == (manifest["name"], manifest["description"])
    assert manifest["version"] == pyproject()["project"]["version"]


def test_everything_in_bin_can_be_executed() -> None:
    programs = [path for path in PLUGIN.glob("bin/*") if path.is_file()]
    assert [os.access(path, os.X_OK) for path in programs] == [True, True]


def test_what_skills_and_agents_may_do() -> None:
    for agent, color in (("remember-task", "green"), ("memory-refactor", "yellow")):
        matter = front_matter(PLUGIN / "agents" / f"{agent}.md")
        assert (matter["name"], matter["model"], matter["color"]) == (agent, "sonnet", color)
        assert {*matter["tools"].split(", ")} == {"Read", "Write", "Edit", "Bash", "Grep", "Glob"}
    allowed = front_matter(PLUGIN / "skills" / "handoff" / "SKILL.md")["allowed-tools"]
    ages = "bin/learning-ages.py:*"
    wanted = {f"Bash({root}/{ages})" for root in ("${CLAUDE_PLUGIN_ROOT}", "agent-core")}
    assert {"Task", "Bash(learnings:*)", *wanted} <= {*allowed.split(", ")}
    # Consolidation with a user is never begun by an agent.
    matter = front_matter(PLUGIN / "skills" / "consolidate" / "SKILL.md")
    assert matter["disable-model-invocation"] is True


@pytest.mark.parametrize("skill", sorted(SKILLS))
def test_a_skill_may_run_what_it_says_to_run(skill: str) -> None:
    path = PLUGIN / "skills" / skill / "SKILL.md"
    allowed = re.findall(r"Bash\((.+?):\*\)", front_matter(path)["allowed-tools"])
    lines = [*lines_with_language(split_lines(path.read_text(encoding="utf-8")))]
    commands = [text.strip() for _, text, language in lines if language == "sh" and text.strip()]
    prose = "".join(text for _, text, language in lines if language is None)
    commands += re.findall(r"`((?:git|learnings|python3) [^`]+)`", prose)
    for command in commands:
        words = " ".join(command.split())
        assert any(words.startswith(prefix) for prefix in allowed), f"{skill}: {words}"


def test_no_text_moves_bytes_with_a_shell() -> None:
    moving = r"\b(?:sed|cp|mv|rm|cat|head|tail|tee|cmp|comm|wc|printf|mkdir)\b|>>?|\|"
    for path in TEXTS:
        lines = lines_with_language(split_lines(path.read_text(encoding="utf-8")))
        shell = [text for _, text, language in lines if language == "sh"]
        assert [text for text in shell if re.search(moving, text)] == [], path
