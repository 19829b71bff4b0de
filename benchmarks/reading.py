"""Count the words that an agent reads, and has to write, in the flows of the skills.

    python benchmarks/reading.py REPO FILE [--commit COMMIT] [--targets GLOB] [--entries N]

REPO is a repository, or a bundle, with the learnings file FILE. At COMMIT (HEAD) the program walks
two flows in a clone, with the commands of the skills in their order: a handoff with nothing due,
and one with a consolidation of N entries (30), for which it sets `keep-recent`. It counts the texts
that the host loads, without front matter, and the output of each command. The edits are minimal:
one word per entry. It leaves out target sections, which the agent reads as needed, and the
session's own work. Exit code 1 if a flow costs more than its budget.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "agent-core"
HANDOFF, TASK = CORE / "skills/handoff/SKILL.md", CORE / "agents/remember-task.md"
PLAN, REPORT = "tmp/consolidation-plan.md", "tmp/consolidation-report.md"
IDLE, BUSY, SKILLS = 1200, 9000, 2500
"""The words that each flow may cost, and the skill texts of the second one."""


class Part(NamedTuple):
    """A text that the agent reads, with its number of words."""

    name: str
    words: int


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path)
    parser.add_argument("file")
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--targets", default="")
    parser.add_argument("--entries", type=int, default=30, metavar="N")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-qn", options.repo.resolve(), clone], check=True)
        subprocess.run(["git", "checkout", "-q", options.commit], cwd=clone, check=True)
        walk = Walk(clone, options.file, options.targets)
        is_over = shown("Nothing due", list(walk.idle()), IDLE)
        parts = list(walk.busy(options.entries))
        is_over |= shown(f"A consolidation of {walk.entries} entries", parts, BUSY)
        skills = sum(part.words for part in parts if part.name.startswith("text of "))
        print(f"  skill texts {skills} of {SKILLS}; written: {walk.entries} words, one an entry")
    return int(is_over or skills > SKILLS)


def shown(title: str, parts: list[Part], budget: int) -> bool:
    total = sum(part.words for part in parts)
    print(f"{title}: {total} words, at most {budget}")
    for part in parts:
        print(f"  {part.words:6}  {part.name}")
    return total > budget


class Walk:
    """A clone to run the commands in."""

    def __init__(self, clone: Path, file: str, targets: str) -> None:
        self.entries = 0
        self._clone = clone
        self._file = file
        self._settings = f'targets = ["{targets}"]\n' if targets else ""
        self._settings += f'[[file]]\npath = "{file}"\n'

    def idle(self) -> Iterator[Part]:
        """Yield the costs of a handoff with nothing due."""
        self._configure("due = false\n")
        yield _text("handoff", HANDOFF)
        yield from self._handoff()

    def busy(self, wanted: int) -> Iterator[Part]:
        """Yield the costs of a handoff with the wanted number of due entries."""
        self.entries = self._make_due(wanted)
        yield _text("handoff", HANDOFF)
        yield from self._handoff()
        yield _text("remember-task", TASK)
        plan, check, verify = _commands(TASK, "### Step 1: Understand")
        yield self._run(plan)
        yield Part(f"the plan, {PLAN}", _words((self._clone / PLAN).read_text(encoding="utf-8")))
        yield self._run(check)
        yield self._run(verify)
        text = (self._clone / PLAN).read_text(encoding="utf-8")
        text = re.sub(r"(?m)^- (?:merge|escalate|drop) .*?(?=`[0-9a-f]{12}`)", "- keep ", text)
        (self._clone / PLAN).write_text(text, encoding="utf-8", newline="\n")
        agreed = " --as-proposed"  # if nothing was edited
        for command in _commands(TASK, "### Step 4: Apply and verify"):
            yield self._run(command + agreed * command.startswith("learnings apply"))
        for command in _commands(TASK, "### Step 4a: Update discovery"):
            yield self._run(command)
        yield Part(f"the report, {REPORT}", _words((self._clone / REPORT).read_text("utf-8")))

    def _make_due(self, wanted: int) -> int:
        """Let all but the newest entries take part; return the number of these."""
        return self._batch(max(0, self._batch(0) - wanted))

    def _batch(self, newest: int) -> int:
        self._configure(f"freshness = 0\nkeep-recent = {newest}\nsize-trigger = 1\n")
        said = json.loads(self._output("learnings due --format json --brief FILE"))
        return int(said["files"][0]["batch"])

    def _configure(self, lines: str) -> None:
        path = self._clone / "learnings.toml"
        path.write_text(self._settings + lines, encoding="utf-8", newline="\n")

    def _handoff(self) -> Iterator[Part]:
        for step in ("## Step 1", "## Step 4:", "### 4c.1 Ask", "## Step 5"):
            for command in _commands(HANDOFF, step):
                yield self._run(command)

    def _run(self, command: str) -> Part:
        return Part(command, _words(self._output(command)))

    def _output(self, command: str) -> str:
        filled = command.replace("FILE", self._file)
        filled = filled.replace("${CLAUDE_PLUGIN_ROOT}", f"{sys.executable} {CORE}")
        filled = re.sub(r"^learnings\b", f"{sys.executable} -m learnings", filled)
        done = subprocess.run(
            filled, shell=True, cwd=self._clone, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"{filled}: {done.stderr}")
        return done.stdout + done.stderr


def _text(name: str, path: Path) -> Part:
    body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
    return Part(f"text of {name}", _words(body))


def _commands(path: Path, heading: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    section = text[text.index(f"\n{heading}") + 1 :]
    section = re.split(r"(?m)^#+ ", section, maxsplit=2)[1]
    blocks = re.findall(r"(?s)```sh\n(.*?)```", section)
    return [line for block in blocks for line in block.splitlines()]


def _words(text: str) -> int:
    return len(text.split())


if __name__ == "__main__":
    raise SystemExit(main())
