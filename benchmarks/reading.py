"""Count the words that a consolidation costs an agent, with the tool and by hand.

    python benchmarks/reading.py REPO FILE [--commit COMMIT] [--targets GLOB]
    python benchmarks/reading.py --states LIST

REPO is a repository, a bundle or a plain folder with the learnings file FILE. Each line of LIST is
a state, `REPO FILE [COMMIT [GLOB]]`, with REPO relative to LIST. All but the newest entries take
part. Both columns carry out the same decisions: what the plan proposes, drafts as they are, and a
move of every third kept entry for which `learnings route` has a section, to that section.

With the tool, a handoff starts `remember-task`. Counted are

- step 4c of `handoff`, and the texts of `remember-task` and the page, without front matter;
- each command of these texts, written, and its output;
- the plan, and the lines of the report that the handoff looks for;
- four words for each entry that is moved, written;
- each section that might cover an entry, once.

The task says that the rule in the plan is enough to move an entry. The column `careful` is the
ratio if the text of each moved entry is read nevertheless, and its section once.

By hand, no skill is read. Counted are

- the learnings file, and the memory index if there is one;
- each section that covers an entry, perhaps or surely, or to which one moves, once;
- the text of each merge and addition, written;
- 110 words for a script that takes entries out and archives them, if any leave, and 110 for one
  that inserts text into targets, if any is inserted; 450 for commands and their output.

`idle` are the words of a handoff with nothing due. Exit code 1 if it is above its budget, or a
ratio is: 0.75 if half of the entries have 60 words or more, else 1.1.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.plan.moving import names_of, section_called
from learnings.consolidation.plan.plan import ADD, ESCALATE, KEEP, Plan
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.consolidation.text.sections import target_of
from learnings.core.entries.document import digest_of_lines

CORE = Path(__file__).resolve().parent.parent / "agent-core"
HANDOFF, TASK = CORE / "skills/handoff/SKILL.md", CORE / "agents/remember-task.md"
PAGE = CORE / "skills/remember/consolidating.md"
PLAN, INDEX = "tmp/consolidation-plan.md", "agents/memory-index.md"
IDLE, LONG, LONG_BUDGET, SHORT_BUDGET = 800, 60, 0.75, 1.1
SCRIPT, COMMANDS, DECISION, MOVED = 110, 450, 4, 3


class State(NamedTuple):
    """A memory to consolidate."""

    repo: Path
    file: str
    commit: str = "HEAD"
    targets: str = ""

    @property
    def name(self) -> str:
        return f"{self.repo.stem} {self.commit[:10]} {Path(self.file).stem}".replace("HEAD ", "")


class Part(NamedTuple):
    """Something that an agent reads or writes, with its number of words."""

    name: str
    words: int


class Cost(NamedTuple):
    """The costs of a state; moved are the words of moved entries and of their sections."""

    entries: int
    median: float
    idle: list[Part]
    tool: list[Part]
    hand: list[Part]
    moved: int


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path, nargs="?")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--targets", default="")
    parser.add_argument("--states", type=Path, metavar="LIST")
    options = parser.parse_args(argv)
    if options.states:
        lines = options.states.read_text(encoding="utf-8").splitlines()
        words = [line.split() for line in lines]
        states = [State(options.states.parent / repo, *rest) for repo, *rest in words]
    elif options.repo and options.file:
        states = [State(options.repo, options.file, options.commit, options.targets)]
    else:
        parser.error("REPO and FILE, or --states LIST")
    print("| state | entries | median words | idle | tool | by hand | ratio | budget | careful |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    over = [_is_over(state, in_parts=not options.states) for state in states]
    return int(any(over))


def _is_over(state: State, *, in_parts: bool) -> bool:
    """Print the row of a state, and its parts; return whether it is above a budget."""
    cost = cost_of(state)
    columns = {"Idle": cost.idle, "Tool": cost.tool, "By hand": cost.hand}
    idle, tool, hand = (sum(part.words for part in parts) for parts in columns.values())
    budget = LONG_BUDGET if cost.median >= LONG else SHORT_BUDGET
    cells = (state.name, cost.entries, f"{cost.median:.0f}", idle, tool, hand)
    ratios = (f"{tool / hand:.2f}", budget, f"{(tool + cost.moved) / hand:.2f}")
    print("|", *(f"{cell} |" for cell in (*cells, *ratios)), flush=True)
    for title, parts in columns.items() if in_parts else ():
        print(f"\n{title}")
        print("\n".join(f"  {part.words:6}  {part.name}" for part in parts))
    return tool / hand > budget or idle > IDLE


def cost_of(state: State) -> Cost:
    """Walk the flows in a copy of a state."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        _copy(state, clone)
        walk = Walk(clone, state)
        idle = list(walk.idle())
        texts = walk.make_due()
        tool = list(walk.planned())
        decisions = Decisions(clone, state.file, texts, walk.routes())
        tool += [*decisions.with_the_tool(), *walk.applied(decisions.moves)]
        median = statistics.median(map(_words, texts.values()))
        by_hand = list(decisions.by_hand())
        return Cost(len(texts), median, idle, tool, by_hand, decisions.moved)


def _copy(state: State, clone: Path) -> None:
    if state.repo.is_file() or (state.repo / ".git").exists():
        _git("clone", "-qn", str(state.repo.resolve()), str(clone))
        heads = _git("branch", "-r", cwd=clone).split()
        _git("checkout", "-q", state.commit if state.commit != "HEAD" else heads[-1], cwd=clone)
        return
    for path in filter(Path.is_file, state.repo.rglob("*")):  # without permissions
        copy = clone / path.relative_to(state.repo)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    _git("init", "-q", cwd=clone)
    _git("add", "--all", cwd=clone)
    _git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "State", cwd=clone)


def _git(*words: str, cwd: Path | None = None) -> str:
    done = subprocess.run(["git", *words], cwd=cwd, check=True, capture_output=True, text=True)
    return done.stdout


class Walk:
    """A clone to run the commands in."""

    def __init__(self, clone: Path, state: State) -> None:
        self._clone = clone
        self._file = state.file
        self._settings = f'targets = ["{state.targets}"]\n' if state.targets else ""
        self._settings += f'[[file]]\npath = "{state.file}"\n'

    def idle(self) -> Iterator[Part]:
        """Yield the costs of a handoff with nothing due."""
        self._configure("due = false\n")
        yield Part("text of handoff", _words(_body(HANDOFF)))
        for step in ("## Step 1", "## Step 4:", "### 4c.1", "## Step 5"):
            yield from self._ran(HANDOFF, step)

    def make_due(self) -> dict[str, str]:
        """Let all but the newest entries take part; return their texts by digest."""
        self._configure("freshness = 0\nsize-trigger = 1\nmin-batch = 1\n")
        said = json.loads(self._output("learnings batch --format json FILE"))
        digests = {one["identity"]: _digest(one["text"]) for one in said["entries"]}
        self._digests = digests
        return {digests[one["identity"]]: one["text"] for one in said["entries"]}

    def routes(self) -> dict[str, tuple[str, int]]:
        """Return the best section of each entry by digest, as path and line."""
        said = json.loads(self._output("learnings route --quiet --format json FILE"))
        best = ((one["identity"], one["targets"][0]) for one in said["entries"] if one["targets"])
        return {self._digests[name]: (route["path"], route["line"]) for name, route in best}

    def planned(self) -> Iterator[Part]:
        """Yield the costs of the question in the handoff, and of all up to the decisions."""
        step = re.findall(r"(?s)## Step 4c.*(?=## Step 5)", _body(HANDOFF))
        yield Part("step 4c of handoff", _words(*step))
        yield from self._ran(HANDOFF, "### 4c.1")
        yield Part("text of remember-task", _words(_body(TASK)))
        yield Part("the page", _words(_body(PAGE)))
        yield from self._ran(TASK, "### Step 1")
        yield Part("the plan", _words((self._clone / PLAN).read_text(encoding="utf-8")))

    def applied(self, moves: dict[str, str]) -> Iterator[Part]:
        """Yield the costs after the decisions; moves are the places by digest."""
        decisions = "".join(f"- move {place} `{digest}`\n" for digest, place in moves.items())
        (self._clone / "tmp/decisions.md").write_text(decisions, encoding="utf-8")
        yield from self._ran(TASK, "### Step 4:", "" if moves else " --decisions tmp/decisions.md")
        yield from self._ran(TASK, "### Step 4a")
        (looking,) = re.findall(r"Grep it for\s+`(.+?)`", _body(HANDOFF))
        for report in (self._clone / "tmp").glob("consolidation-report*.md"):
            lines = report.read_text(encoding="utf-8").splitlines()
            found = "\n".join(line for line in lines if re.search(looking, line))
            yield Part("the report", _words(found))

    def _configure(self, lines: str) -> None:
        path = self._clone / "learnings.toml"
        path.write_text(self._settings + lines, encoding="utf-8", newline="\n")

    def _ran(self, path: Path, heading: str, omitted: str = "") -> Iterator[Part]:
        section = re.split(r"(?m)^#+ ", _body(path).partition(f"\n{heading}")[2], maxsplit=1)[0]
        for block in re.findall(r"(?s)```sh\n(.*?)```", section):
            for command in block.splitlines():
                full = command.replace(omitted, "") if omitted else command
                yield Part(full, _words(full) + _words(self._output(full)))

    def _output(self, command: str) -> str:
        filled = re.sub(r"\bFILE\b", self._file, command)
        filled = filled.replace("${CLAUDE_PLUGIN_ROOT}", f"{sys.executable} {CORE}")
        filled = re.sub(r"^learnings\b", f"{sys.executable} -m learnings", filled)
        done = subprocess.run(
            filled, shell=True, cwd=self._clone, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"{filled}: {done.stderr}")
        return done.stdout + done.stderr


class Decisions:
    """What both columns decide, after the plan in a clone; texts are the entries' by digest."""

    def __init__(
        self, clone: Path, file: str, texts: dict[str, str], routes: dict[str, tuple[str, int]]
    ) -> None:
        plan: Plan = read_plan((clone / PLAN).read_bytes()).plan
        files = (clone / file, clone / INDEX)
        self._files = sum(_words(path.read_text("utf-8")) for path in files if path.is_file())
        self._steps = [step for step in plan.steps if step.action != KEEP]
        self._written = sum(_words(step.text) for step in self._steps)
        kept = (member for step in plan.steps if step.action == KEEP for member in step.members)
        moved = [one.digest for one in kept if one.digest in routes][MOVED - 1 :: MOVED]
        self.moves = {digest: _place(clone, *routes[digest]) for digest in moved}
        perhaps, covering = set[str](), set[str]()
        for step in self._steps:
            asks = step.action in (ADD, ESCALATE)
            place = step.subject.removeprefix("perhaps ").removeprefix("covered by ")
            (perhaps if asks else covering).add(place)
        destinations = {*self.moves.values()} - perhaps - covering
        self._perhaps = sum(_section_words(clone, place) for place in perhaps)
        self._covering = sum(_section_words(clone, place) for place in covering - perhaps)
        self._places = sum(_section_words(clone, place) for place in destinations)
        self.moved = self._places + sum(_words(texts[digest]) for digest in moved)

    def with_the_tool(self) -> Iterator[Part]:
        yield Part("decisions written", DECISION * len(self.moves))
        yield Part("sections that cover, perhaps", self._perhaps)

    def by_hand(self) -> Iterator[Part]:
        yield Part("the file and the index", self._files)
        yield Part("texts written", self._written)
        yield Part("sections that cover", self._perhaps + self._covering)
        yield Part("sections of moved entries", self._places)
        leaving = self.moves or any(step.leaves for step in self._steps)
        inserting = self.moves or any(step.action == ADD for step in self._steps)
        yield Part("scripts", SCRIPT * (bool(leaving) + bool(inserting)))
        yield Part("commands", COMMANDS)


def _digest(text: str) -> str:
    return digest_of_lines(text.split("\n"))


def _place(clone: Path, path: str, line: int) -> str:
    """Return the section of a file at a line as the object of a move."""
    sections = target_of(path, (clone / path).read_bytes()).sections
    names = zip((section.line for section in sections), names_of(sections), strict=True)
    return f"{path}#{dict(names)[line]}".rstrip("#")


def _section_words(clone: Path, place: str) -> int:
    """Return the words of `FILE#HEADING`, or of the section in which `FILE:LINE` is, else 0."""
    path, _, heading = place.partition("#")
    path, _, line = path.partition(":")
    if not (clone / path).is_file():
        return 0
    sections = target_of(path, (clone / path).read_bytes()).sections
    if line:
        found = [section for section in sections if section.line <= int(line)][-1:]
    else:
        found = [section for section in sections if section == section_called(heading, sections)]
    return sum(_words(f"{section.title} {section.text}") for section in found)


def _body(path: Path) -> str:
    return re.sub(r"(?s)\A---\n.*?\n---\n", "", path.read_text(encoding="utf-8"))


def _words(text: str) -> int:
    return len(text.split())


if __name__ == "__main__":
    raise SystemExit(main())
