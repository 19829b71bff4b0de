from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository

HOOK = Command("agent-core")
FRONT = "---\nname: {name}\ndescription: Tidies.\n---\n"
MANIFEST = '{"name": "tools"}\n'


OURS = "Run `learnings due`.\n"


def agent(name: str, text: str = OURS) -> str:
    return FRONT.format(name=name) + text


@pytest.mark.parametrize(
    "path",
    [
        ".claude/agents/tidy.md",
        ".claude/skills/tidy/SKILL.md",
        "agent-core/agents/tidy.md",
        "agent-core/skills/tidy/SKILL.md",
        "plugins/tools/agents/tidy.md",
        "a/b/c/skills/tidy/SKILL.md",
    ],
)
def test_files_of_agents_wherever_they_are(repository: GitRepository, path: str) -> None:
    for folder in ("plugins/tools", "a/b/c"):
        repository.write(f"{folder}/.claude-plugin/plugin.json", MANIFEST)
    repository.write(path, agent("tidy"))
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out, done.err) == (0, "", "")
    repository.write(path, agent("other: x", "Run `learnings duo`.\n"))
    done = HOOK(cwd=repository.path)
    assert done.code == 1
    assert f"{path}:2:1: error agent-front-matter" in done.out
    assert f"{path}:5:16: error agent-unknown-command" in done.out
    assert Command("learnings")("check", path, cwd=repository.path).out == done.out


def test_plugin_at_the_root(repository: GitRepository) -> None:
    repository.write(".claude-plugin/plugin.json", MANIFEST)
    repository.write("commands/deep/tidy.md", "Run `learnings duo`.\n")
    repository.write("agents/learnings.md", "# L\n\n## A\n\nx\n")
    repository.write("agents/memory-index.md", "# I\n")
    done = HOOK(cwd=repository.path)
    assert done.out.startswith("commands/deep/tidy.md:1:16: error agent-unknown-command")
    assert "1 error, 0 notices in 1 file" in done.err


@pytest.mark.parametrize(
    "path",
    [
        "agents/tidy.md",
        "docs/agents/tidy.md",
        ".claude/agents/README.md",
        ".claude/agents/tidy.txt",
        ".claude/notes/tidy.md",
        ".claude/skills/tidy.md",
        "a/b/c/d/agents/tidy.md",
        "README.md",
    ],
)
def test_other_files_are_skipped(repository: GitRepository, path: str) -> None:
    repository.write("a/b/c/d/.claude-plugin/plugin.json", MANIFEST)
    repository.write(path, "Run `learnings duo`.\n")
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out) == (0, "")


def test_no_other_check_looks_at_them_unless_they_are_named(repository: GitRepository) -> None:
    path = ".claude/agents/tidy.md"
    repository.write(path, "Run `learnings duo`.\n")
    learnings = Command("learnings")
    assert learnings("check", cwd=repository.path).out == ""
    assert Command("learnings-check")(path, cwd=repository.path).code == 0
    text = b"`learnings duo`\n"
    piped = learnings("check", "--stdin-filename", path, "-", cwd=repository.path, stdin=text)
    assert "agent-unknown-command" in piped.out
    below = learnings("check", "--role", "agent", ".claude", cwd=repository.path)
    assert below.out == HOOK(cwd=repository.path).out != ""


def test_ignored_by_git_or_by_a_comment(repository: GitRepository) -> None:
    text = "Run `learnings duo`.\n"
    repository.write(".claude/agents/tidy.md", agent("tidy", text))
    assert HOOK(cwd=repository.path).code == 1
    repository.write(".gitignore", ".claude/\n")
    assert HOOK(cwd=repository.path).code == 0
    repository.write(".gitignore", "")
    comment = "<!-- learnings: ignore[agent-unknown-command] that of another tool -->"
    repository.write(".claude/agents/tidy.md", agent("tidy", f"{text[:-1]} {comment}\n"))
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out) == (0, "")


def test_what_is_named_has_to_be_in_the_plugin(repository: GitRepository) -> None:
    text = (
        "---\nname: tidy\ndescription: Tidies.\nskills: [sort, learnings:none, tools:none]\n---\n"
        "Run `${CLAUDE_PLUGIN_ROOT}/bin/a.py`, then `${CLAUDE_PLUGIN_ROOT}/../../x.py`.\n" + OURS
    )
    repository.write("tools/.claude-plugin/plugin.json", MANIFEST)
    repository.write("tools/agents/tidy.md", text)
    repository.write("tools/skills/sort/SKILL.md", agent("sort"))
    repository.write("tools/bin/a.py", "")
    (repository.path.parent / "x.py").touch()
    done = HOOK(cwd=repository.path)
    first, second = done.out.splitlines()
    assert first.startswith("tools/agents/tidy.md:4:1: error agent-missing-file")
    assert first.endswith('no skill "tools:none"; correct the name, or create its file')
    assert second.startswith("tools/agents/tidy.md:6:45: error agent-missing-file")
    assert '"${CLAUDE_PLUGIN_ROOT}/../../x.py"' in second
    (repository.path / "tools/bin/a.py").unlink()
    assert "bin/a.py" in HOOK(cwd=repository.path).out


@pytest.mark.parametrize(
    "path", ["tools/skills/sort/SKILL.md", "${CLAUDE_PLUGIN_ROOT}/skills/sort/SKILL.md"]
)
def test_copies_are_held_against_their_source(repository: GitRepository, path: str) -> None:
    repository.write("tools/.claude-plugin/plugin.json", MANIFEST)
    repository.write("tools/skills/sort/SKILL.md", agent("sort", "# Sort\n\nBy name.\n"))
    text = f"<!-- Source: {path} -->\n# Sort\n\nBy name.\n<!-- End of source -->\n{OURS}"
    repository.write("tools/agents/tidy.md", agent("tidy", text))
    assert HOOK(cwd=repository.path).out == ""
    repository.write("tools/skills/sort/SKILL.md", agent("sort", "# Sort\n\nBy age.\n"))
    done = HOOK(cwd=repository.path)
    assert done.out.startswith("tools/agents/tidy.md:8:1: error agent-embedded-copy")


@pytest.mark.parametrize("path", ["../out.md", "tools", "a\0b.md"])
def test_sources_that_cannot_be_read_are_not_there(repository: GitRepository, path: str) -> None:
    (repository.path.parent / "out.md").write_text("# A\n", encoding="utf-8")
    text = f"<!-- Source: {path} -->\n# A\n<!-- End of source -->\n{OURS}"
    repository.write(".claude/agents/tidy.md", agent("tidy", text))
    done = HOOK(cwd=repository.path)
    assert "Traceback" not in done.err
    assert ("does not exist" in done.out) is (".md" in path and "\0" not in path)


@pytest.mark.parametrize("manifest", ["[]", "{", '{"name": 3}', b"\xff\xfe"])
def test_manifest_that_cannot_be_read(repository: GitRepository, manifest: str | bytes) -> None:
    repository.write("tools/.claude-plugin/plugin.json", manifest)
    repository.write("tools/agents/tidy.md", agent("tidy", f"{OURS}`subagent_type: tools:gone`\n"))
    done = HOOK(cwd=repository.path)
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("data", [b"\xff\xfe---\n", b"---\n\xff: [\n---\n"])
def test_odd_bytes_end_in_findings_of_what_is_ours(repository: GitRepository, data: bytes) -> None:
    repository.write(".claude/agents/tidy.md", data)
    assert HOOK(cwd=repository.path).code == 0
    data += b"`learnings duo`\n"
    repository.write(".claude/agents/tidy.md", data)
    done = HOOK(cwd=repository.path)
    assert done.code == 1
    assert "Traceback" not in done.err
    assert repository.read(".claude/agents/tidy.md") == data
