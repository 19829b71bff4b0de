"""Rows of one sign, which a pattern that tries several ways through them reads for minutes."""

from __future__ import annotations

import pytest

from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.tier_stores import FOLDER

LONG = 50_000
TICKS, BLANKS = "`" * LONG, " " * LONG
GONE = "`src/gone.py`"
ROWS = (
    "x" * LONG,
    "promoted-" * (LONG // 9),
    TICKS,
    " ".join("`" * length for length in range(1, 300)),
    f"{'no more ' * 2000}{GONE}",
    f"{GONE} are{' since' * 60} x",
    f"no{' old' * 4000} {GONE}",
    f"removed old `a.py`*{'(' * 19_000} {GONE}",
    f"{GONE}{' ,`a`' * 3000}",
    f"`src/gone.py:1{':1-0' * 4000}x`",
    f"(a{' ()-' * (LONG // 4)}a",
    f"supersedes{' *' * (LONG // 2)}",
    f"\n~~~{BLANKS}`",
)
ENTRIES = "".join(
    f"## When the {chr(97 + n)} build fails\n\n- {'`' * 61}a\n"
    f"- Run `make lint` and look at the log first, never at the other one.\n- Rule: {row}\n\n"
    for n, row in enumerate(ROWS)
)
CALLS = f"uv run{' -a' * 60} x learnings check\nuv run{' -a x=1 uvx' * 40} y\n"
FILES = {
    "agents/learnings.md": "# L\n\n" + f"{'?-' * 240}\n" * 60 + f"\n{ENTRIES}",
    "agents/archive/learnings-decisions.md": f"- kept 2026-01-05 `281a32deb8f8` {TICKS} x\n",
    "CLAUDE.md": f"x {TICKS} @x\n@agents/learnings.md\n",
    ".claude/skills/s/SKILL.md": (
        f"---\nname: s\nallowed-tools: {'Bash(' * (LONG // 5)}\n---\n\n```sh\n{CALLS}```\n"
    ),
    "docs/solutions/a.md": f"---\ntitle: a{BLANKS}b\n---\n\nText.\n",
    "docs/solutions/b.md": "---\ntitle: b\n---\n\nText.\n",
    "src/gone.py": "",
    "Makefile": f"a{BLANKS}\n\tx\n",
    f"{FOLDER}/INDEX.md": f"---\nlastCompaction:{BLANKS}x#\n---\n\n**a** — {BLANKS}\n",
    "tmp/plan.md": f"# Plan\n\nFile: agents/learnings.md\n\n{TICKS}\n\n- {TICKS}\n",
    "tmp/tiers.md": f"##{BLANKS}\n\n-{BLANKS}\n",
}
COMMANDS = (
    "due", "ages", "check --history", "verify --base=HEAD~1",
    *(f"{command} --all agents/learnings.md" for command in ("precheck", "route", "plan")),
    "apply tmp/plan.md --dry-run", "tiers status", "tiers check",
)  # fmt: skip


@pytest.mark.slow
def test_no_command_hangs_on_a_long_row(repository: GitRepository, learnings: Command) -> None:
    for path, text in FILES.items():
        repository.write(path, text)
    repository.commit(date="2026-03-01")
    (repository.path / "src/gone.py").unlink()
    repository.write("agents/learnings.md", FILES["agents/learnings.md"].replace("at the", "at an"))
    repository.commit(date="2026-03-02")
    for command in COMMANDS:
        run = learnings.process(*command.split(), cwd=repository.path)  # raises after two minutes
        assert b"Traceback" not in run.stderr
