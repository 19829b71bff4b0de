from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

SLOW = (
    *("asyncio", "dataclasses", "datetime", "difflib", "email", "git", "hashlib", "inspect"),
    *("json", "markdown_it", "queue", "shutil", "subprocess", "tempfile", "tomllib"),
)
PROBE = """\
import sys
before = set(sys.modules)
from {module} import main
code = main({arguments!r})
print(code, *sorted((set({slow!r}) & set(sys.modules)) - before))
"""


def loaded(module: str, *arguments: str, cwd: Path, slow: tuple[str, ...] = SLOW) -> list[str]:
    """Run main() of a module in a fresh interpreter.

    Returns its exit code and the slow modules that were loaded.
    """
    code = PROBE.format(module=module, arguments=list(arguments), slow=slow)
    # Measuring coverage loads modules of its own.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    ("module", "path", "source"),
    [
        ("learnings_check", "agents/learnings.md", "# L\n\n## A\n\n- a\n- b\n\n## B\n\ntext\n"),
        ("learnings_fix", "agents/learnings.md", "# L\n\n## A\n\n- a\n- b\n\n## B\n\ntext\n"),
        ("target_line_limit", "docs/decisions/cli.md", "# Decisions\n\n## A\n\n- a\n- b\n"),
    ],
)
def test_nothing_slow_is_loaded(
    repository: GitRepository, module: str, path: str, source: str
) -> None:
    repository.write(path, source)
    repository.write("CLAUDE.md", "@agents/learnings.md\n")
    assert loaded(f"learnings.hooks.{module}", path, cwd=repository.path) == ["0"]


@pytest.mark.parametrize("module", ["learnings_check", "learnings_fix", "target_line_limit"])
def test_nothing_is_found_or_read_for_source_code(repository: GitRepository, module: str) -> None:
    repository.write("agents/learnings.md", "# L\n\n## A\n\ntext\n")
    repository.write("docs/solutions/one.md", "# One\n\ntext\n")
    paths = [f"src/{number}.{suffix}" for number in range(100) for suffix in ("py", "md", "txt")]
    paths += ["README.md", "docs/solutions/one.md", "docs/solutions/README.md", "src/index.md"]
    slow = (*SLOW, "learnings.rules", "learnings.check", "learnings.workspace.discovery")
    hook = f"learnings.hooks.{module}"
    assert loaded(hook, *paths, cwd=repository.path, slow=slow) == ["0"]


def test_nothing_is_searched_for_a_memory_that_mentions_documents(
    repository: GitRepository,
) -> None:
    """Only one with links may be an index of memory files."""
    repository.write("learnings.md", "# L\n\n## A\n\nsee `docs/a.md` and `docs/b.md`\n")
    repository.write("CLAUDE.md", "@learnings.md\n")
    repository.write("docs/a.md", "# A\n\n## B\n\ntext\n")
    for module, path in (("learnings_check", "learnings.md"), ("target_line_limit", "docs/a.md")):
        slow = (*SLOW, "learnings.workspace.discovery")
        assert loaded(f"learnings.hooks.{module}", path, cwd=repository.path, slow=slow) == ["0"]


def test_only_git_is_started_for_a_memory_that_nothing_names(repository: GitRepository) -> None:
    """Git lists the instructions below the root, which may name the memory."""
    repository.write("agents/learnings.md", "# L\n\n## A\n\ntext\n")
    hook = "learnings.hooks.learnings_check"
    assert loaded(hook, "agents/learnings.md", cwd=repository.path) == ["0", "subprocess"]


@pytest.mark.parametrize("module", ["memory_index", "memory_index_fix"])
def test_only_git_is_started_for_an_index(repository: GitRepository, module: str) -> None:
    """Git lists the packages below the root, whose learnings files may hold an index."""
    repository.write("agents/decisions/a.md", "# A\n\n## When a\n\n- a\n- b\n")
    repository.write("agents/memory-index.md", "## agents/decisions/a.md\n\n/when a\n")
    assert loaded(f"learnings.hooks.{module}", cwd=repository.path) == ["0", "subprocess"]


@pytest.mark.parametrize("words", [["agents/learnings.md"], ["--summary"]])
def test_an_answer_from_the_cache_needs_git_and_the_cache(
    repository: GitRepository, words: list[str]
) -> None:
    repository.write("agents/learnings.md", "# L\n\n## A\n\n- a\n- b\n\n## B\n\ntext\n")
    repository.commit()
    command = "learnings.surfaces.cli.main"
    assert "queue" in loaded(command, "ages", *words, cwd=repository.path)
    assert loaded(command, "ages", *words, cwd=repository.path) == ["0", "json", "subprocess"]


@pytest.mark.parametrize(
    ("module", "words"),
    [
        *(
            ("surfaces.cli.main", words)
            for words in (
                "ages",
                "check",
                "due",
                "due --replay",
                "verify",
                "archive one --reason x",
            )
        ),
        *((f"hooks.{name}", "") for name in ("learnings_due", "learnings_lossless", "agent_core")),
    ],
)
def test_gitpython_is_not_loaded(repository: GitRepository, module: str, words: str) -> None:
    repository.write("agents/learnings.md", "# L\n\n## One\n\n- a\n- b\n\n## B\n\ntext\n")
    repository.commit()
    called = f"learnings.{module}"
    assert loaded(called, *words.split(), cwd=repository.path, slow=("git",)) == ["0"]


def test_probe_sees_what_is_loaded(repository: GitRepository) -> None:
    repository.write("learnings.toml", "line-limit = 10\n")
    repository.write("docs/decisions/cli.md", "x\n")
    hook = "learnings.hooks.target_line_limit"
    modules = loaded(hook, "docs/decisions/cli.md", cwd=repository.path)
    assert "tomllib" in modules
