"""The growth of the commands' run time with their input, as ratios; none may be quadratic.

    python benchmarks/growth.py [LINES [COMMAND …]]

Each command reads each of its shapes at n, 2n and 4n; a line shows processor seconds and the
ratios. Proportional growth has ratios up to 2, made smaller by the start of the process, which is
part of each; about 4 is quadratic. A command that takes more than a minute is stopped. README.md in
this folder has the last figures.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.timing import environment

FILE, INDEX, CONFIG = "agents/learnings.md", "agents/memory-index.md", "learnings.toml"
SKILL, TARGET, HOOKS = (
    ".claude/skills/a/SKILL.md",
    "agents/decisions/a.md",
    ".pre-commit-config.yaml",
)
TOP = "# Learnings\n\n## When one\n\ntext\n\n"
IGNORE = "<!-- learnings: ignore[line-limit] why -->"
LIMIT = 60  # wall-clock seconds

COMMANDS = {
    "check": "check",
    "check --history": "check --history",
    "fix": "fix --diff",
    "memory-index-fix": "check --role index",
    "agent-core": "check --role agent",
    "index": f"index {FILE}",
    "ages": f"ages {FILE}",
    "due": "due",
    "batch": "batch",
    "groups": "groups",
    "precheck": "precheck",
    "route": "route",
    "plan": "plan --all",
    "report": "report",
    "verify": "verify --base HEAD~1",
    "diff": "diff HEAD~1",
    "overview": "",
    "replay": "due --replay",
    "baseline": "baseline",
    "archive": f"archive --from HEAD~1 --dry-run --file {FILE}",
    "notify": "notify file --dry-run",
    "fleet": "fleet scan .",
    "split": f"split {TARGET}",
    "ci": "ci --dry-run",
    "init": "init --dry-run",
    "config": "config",
    "apply": "apply plan.md --dry-run",
    "merge-driver": f"merge-driver base.md ours.md theirs.md {FILE}",
    "archive --list": "archive --list",
}
ELSEWHERE = ("init", "config", "agent-core", "split")
ON_MEMORY = tuple(name for name in COMMANDS if name not in ELSEWHERE)

Shape = Callable[[int], str]
TEXTS: dict[str, Shape] = {
    "one word": lambda n: "a" * n,
    "brackets": lambda n: "[" * n,
    "brackets in a heading": lambda n: "## " + "[" * n,
    "backticks": lambda n: "`" * n,
    "comments in a line": lambda n: IGNORE * n,
    "comments": lambda n: f"{IGNORE}\n" * n,
    "comments with headings": lambda n: f"## A\n\n{IGNORE}\n\n" * n,
    "headings": lambda n: "".join(f"## Entry {number}\n\n" for number in range(n)),
    "empty headings": lambda n: "##\n" * n,
    "headings without a space": lambda n: "##When a\n\n" * n,
    "ids with letters": lambda n: "".join(f"## [L-{number}x] a\n\n" for number in range(n)),
    "fences": lambda n: "".join("`" * (3 + number % 40) + "\n" for number in range(n)),
    "quotes": lambda n: "> a\nb\n" * n,
    "conflicts": lambda n: "<<<<<<< a\n=======\n>>>>>>> b\n" * n,
    "links": lambda n: "[a](" * n,
    "comment beginnings": lambda n: "<!--" * n,
    "stars": lambda n: "*" * n,
    "underscores": lambda n: "a_" * n,
    "bars": lambda n: "|" * n,
    "tags": lambda n: "<a " * n,
    "apostrophes": lambda n: "n'" * n,
    "equal headings": lambda n: "## When one\n\ntext\n\n" * n,
    "sections": lambda n: "".join(f"## Part {i}\n\nAs Part {i - 1} says.\n\n" for i in range(n)),
    "deep lists": lambda n: "".join(f"{' ' * (i % 40)}- item {i}\n" for i in range(n)),
    "links in lines": lambda n: "".join(f"see [a](b{i}.md#c) for it\n" for i in range(n)),
    "nested quotes": lambda n: "> " * n,
    "nested lists": lambda n: "- " * n,
    "white space": lambda n: " " * n + "a",
    "carriage returns": lambda n: "a\r" * n,
    "findings in a line": lambda n: "see /tmp/x/y.md " * n,
    "like headings": lambda n: "## When it fails\n\nLook at it.\n\n" * n,
    "dated items": lambda n: "".join(f"- 2026-02-01: item {number}\n" for number in range(n)),
    "superseded": lambda n: "".join(f"## A{i}\n\n~~Superseded by A{i + 1}\n\n" for i in range(n)),
}
ROWS: dict[str, Shape] = {
    "one word": lambda n: "a" * n,
    "rows": lambda n: "".join(f"- row {number}\n" for number in range(n)),
}
FRONTS: dict[str, Shape] = {
    "YAML: keys": lambda n: "".join(f"key{number}: value\n" for number in range(n)),
    "YAML: brackets": lambda n: f"name: {'[' * n}\n",
    "YAML: a long value": lambda n: f"description: {'a ' * n}\n",
    "YAML: dashes": lambda n: "- " * n + "\n",
    "YAML: anchors": lambda n: "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, n)),
}
# Fewer of these: each is a pattern, compared with the names in its folder.
TARGETS: dict[str, Shape] = {
    "targets: names": lambda n: f"targets = {[f'a{number}.md' for number in range(n // 16)]}\n",
    "targets: globs": lambda n: f"targets = {[f'*a{number}x*.md' for number in range(n // 16)]}\n",
}
Files = Callable[[int], dict[str, str]]


def repository(folder: Path, files: dict[str, str]) -> None:
    """Create a repository in which the second commit added the files."""
    git = ["git", "-c", "gc.auto=0"]
    subprocess.run([*git, "init", "--quiet"], cwd=folder, check=True)
    for texts in ({FILE: TOP}, files):
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        for words in (["add", "--all"], ["commit", "--quiet", "--message=a", "--allow-empty"]):
            subprocess.run([*git, *words], cwd=folder, env=environment(), check=True)


def prepare(folder: Path, command: str) -> None:
    """Write the command's input other than the files of its repository."""
    if command == "apply":
        plan = ["plan", "--all", "--brief", "--output=plan.md", FILE]
        words = [sys.executable, "-m", "learnings", *plan]
        subprocess.run(words, cwd=folder, env=environment(), check=False, capture_output=True)
        with suppress(FileNotFoundError):
            text = (folder / "plan.md").read_text("utf-8").replace("\n- keep ", "\n- drop wrong ")
            (folder / "plan.md").write_text(text, "utf-8")
    if command == "merge-driver":
        text = (folder / FILE).read_text("utf-8")
        (folder / "base.md").write_text(TOP, "utf-8")
        (folder / "ours.md").write_text(text, "utf-8")
        (folder / "theirs.md").write_text(f"{text}\n## When theirs\n\ntext\n", "utf-8")


def seconds(folder: Path, words: str) -> float:
    """Return the processor time of a command with its git processes; LIMIT if it was stopped."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "learnings", *words.split()]
    ended = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        code = ended.wait(LIMIT)
    except subprocess.TimeoutExpired:
        ended.kill()
        ended.wait()
        return LIMIT
    if code not in (0, 1, 2):
        raise subprocess.CalledProcessError(code, command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(name: str, files: Files, size: int, commands: Iterable[str]) -> None:
    """Print for each command the seconds at one, two and four times the size, and the ratios."""
    with tempfile.TemporaryDirectory() as root:
        folders = [Path(root, str(factor)) for factor in (1, 2, 4)]
        for folder in folders:
            folder.mkdir()
            repository(folder, files(size * int(folder.name)))
        for command in commands:
            for folder in folders:
                prepare(folder, command)
            times = [seconds(folder, COMMANDS[command]) for folder in folders]
            ratios = "  ".join(f"{after / before:.1f}" for before, after in pairwise(times))
            shown = "  ".join(f"{value:6.2f} s" for value in times)
            print(f"{name:28} {command:16} {size:7}  {shown}   {ratios}", flush=True)


def in_memory(shape: Shape) -> Files:
    """Return repositories with the text in their learnings file."""
    target = "# A\n\n## Builds\n\nKeep text short.\n"  # without one, plan and route stop at once
    return lambda n: {FILE: f"{TOP}{shape(n)}\n", TARGET: target}


def in_index(shape: Shape) -> Files:
    """Return repositories with the text in their memory index."""
    return lambda n: {INDEX: f"# Index\n\n{shape(n)}\n", CONFIG: f'index = "{INDEX}"\n'}


def in_skill(shape: Shape) -> Files:
    """Return repositories with the text in a skill that runs learnings."""
    return lambda n: {SKILL: f"---\nname: a\n---\n\nRun `learnings check`.\n\n{shape(n)}\n"}


def in_front(shape: Shape) -> Files:
    """Return repositories with the text as YAML at the top of a skill, and as YAML of the hooks."""
    return lambda n: {SKILL: f"---\n{shape(n)}---\n\nRun `learnings check`.\n", HOOKS: shape(n)}


def in_others(shape: Shape) -> Files:
    """Return repositories with the text in a target file and in the agent instructions."""
    return lambda n: {TARGET: f"# A\n\n{shape(n)}\n", "CLAUDE.md": f"# A\n\n{shape(n)}\n"}


def in_config(shape: Shape) -> Files:
    """Return repositories with the text as their configuration."""
    return lambda n: {CONFIG: shape(n)}


# The places of the texts, and the commands that read them there.
PLACES: tuple[tuple[str, dict[str, Shape], Callable[[Shape], Files], tuple[str, ...]], ...] = (
    ("memory", TEXTS, in_memory, ON_MEMORY),
    ("index", ROWS | TEXTS, in_index, ("check", "memory-index-fix", "fix")),
    ("others", TEXTS, in_others, ("check", "precheck", "route", "split", "init")),
    ("skill", TEXTS, in_skill, ("agent-core",)),
    ("front matter", FRONTS, in_front, ("agent-core", "init")),
    ("configuration", TARGETS, in_config, ("check", "config", "route")),
)


def main() -> None:
    """Measure all shapes in all places, or only with the named commands."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    wanted = sys.argv[2:] or list(COMMANDS)
    for place, shapes, files_with, commands in PLACES:
        for name, shape in shapes.items():
            named = [command for command in commands if command in wanted]
            show(f"{place}: {name}", files_with(shape), size, named) if named else None


if __name__ == "__main__":
    main()
