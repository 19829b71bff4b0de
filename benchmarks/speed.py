"""How fast the commands are, as ratios to what they cannot do without, measured in one run.

    python benchmarks/speed.py [PART ...] [--runs N] [--host-commits N] [--keep FOLDER]

Whole processes are timed, in turn (A B A B ...), and their medians compared. "needs" means: git
was traced during a cold run, and of the git commands that ran to their end the slowest is taken.
See README.md beside this file for the goals and the last figures.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import proposals
from benchmarks.histories import host_plan, make, medium_plan
from benchmarks.timing import Timed, in_turn, run

SESSION_START = Path(__file__).resolve().parent.parent / "agent-core/bin/session-start.py"
HOST_FILES = ("agents/young.md", "agents/old.md", "agents/reworded.md", "agents/never.md")
NO_REPAIRS = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
ENTRY = "\n## Entry of the benchmark {number}\n\nWords that no other entry has.\n"
SECTION = (
    "## Finding number {number} of file {file}\n\n"
    + "- The cache keeps it for a long while.\n" * 4
    + "\n"
)


@dataclass(frozen=True, slots=True)
class Project:
    """A repository with the learnings file that is asked about."""

    folder: Path
    file: str

    def ages(self, *options: str) -> list[str]:
        return [*LEARNINGS, "ages", self.file, *options]

    def forget(self) -> None:
        """Delete the cache, so that the next run is a cold one."""
        shutil.rmtree(self.folder / ".git" / "learnings", ignore_errors=True)

    def commit(self, *, touching: bool) -> None:
        """Add a commit to the history, with a new entry in the file or with nothing in it."""
        if touching:
            file = self.folder / self.file
            file.write_text(file.read_text() + ENTRY.format(number=time.monotonic_ns()))
        options = ["--quiet", "--allow-empty", "--all", "--message", "benchmark"]
        run(["git", *NO_REPAIRS, "commit", *options], self.folder)


def _learnings() -> list[str]:
    """The installed command beside the interpreter, else the module."""
    script = Path(sys.executable).with_name("learnings")
    return [str(script)] if script.exists() else [sys.executable, "-m", "learnings"]


LEARNINGS = _learnings()


def needed(project: Project) -> list[list[str]]:
    """The git commands of a cold run that ran to their end, as they were called."""
    project.forget()
    with tempfile.TemporaryDirectory() as folder:
        trace, settings = Path(folder, "trace"), Path(folder, "config")
        # By configuration, since variables that would mix a trace into git's answers are dropped.
        settings.write_text(f'[trace2]\n\teventTarget = "{trace}"\n')
        run(project.ages(), project.folder, GIT_CONFIG_GLOBAL=str(settings))
        events = [json.loads(line) for line in trace.read_text().splitlines()]
    started = {e["sid"]: e["argv"] for e in events if e["event"] == "start" and "/" not in e["sid"]}
    ended = {e["sid"] for e in events if e["event"] == "exit"}
    return [argv for sid, argv in started.items() if sid in ended and "cat-file" not in argv]


def slowest_needed(project: Project, runs: int) -> list[str]:
    """The slowest git command that a cold run needs."""
    commands = [(command, project.folder) for command in needed(project)]
    times = in_turn(runs, *commands)
    return max(zip(times, commands, strict=True), key=lambda pair: pair[0].median)[1][0]


def words_of(command: Sequence[str]) -> str:
    """A git command without the settings that it is given, for people."""
    words = list(command[1:])
    while words[0] in ("--no-pager", "-c"):
        del words[: 1 + (words[0] == "-c")]
    return "git " + " ".join(word[:12] if len(word) == 40 else word for word in words)


def report(title: str, mine: Timed, others: Timed, goal: float | None = None) -> None:
    aim = f" (goal: at most {goal:g})" if goal else ""
    print(f"  {title}: {mine} / {others} = {mine.median / others.median:.2f}{aim}", flush=True)


def cold_and_warm(project: Project, runs: int, goal: float) -> None:
    """Compare a cold and a warm run with the slowest git command that the cold one needs."""
    slowest = slowest_needed(project, min(runs, 3))
    print(f"{project.file}: needs {words_of(slowest)}")
    pair = (project.ages(), project.folder), (slowest, project.folder)
    mine, git = in_turn(runs, *pair, before=project.forget)
    report("cold", mine, git, goal=goal)
    mine, git = in_turn(runs, *pair)
    report("warm", mine, git)


def medium(options: argparse.Namespace, root: Path) -> None:
    """A few thousand commits, without and with headings that were reworded."""
    for reworded in (0.0, 0.05):
        folder = root / f"medium-{options.commits}-{options.merges}-{reworded:g}"
        if not folder.exists():
            make(folder, medium_plan(options.commits, options.merges, reworded=reworded))
            run(["git", "repack", "-adq"], folder)
        print(f"\n{options.commits} commits, {options.merges} merges, {reworded:.0%} reworded")
        cold_and_warm(Project(folder, "agents/learnings.md"), options.runs, goal=1.5)


def host(options: argparse.Namespace, root: Path) -> None:
    """A huge history, without and with a commit-graph."""
    folder = root / f"host-{options.host_commits}"
    if not folder.exists():
        make(folder, host_plan(options.host_commits))
    graph = folder / ".git" / "objects" / "info" / "commit-graph"
    graph.unlink(missing_ok=True)
    print(f"\n{options.host_commits} commits, no commit-graph")
    for file in HOST_FILES:
        cold_and_warm(Project(folder, file), options.host_runs, goal=1.2)
    _after_commits(Project(folder, HOST_FILES[0]), options.host_runs)
    run(["git", "commit-graph", "write", "--reachable"], folder)
    print(f"\n{options.host_commits} commits, with a commit-graph")
    cold_and_warm(Project(folder, HOST_FILES[0]), options.host_runs, goal=1.2)
    graph.unlink(missing_ok=True)


def _after_commits(project: Project, runs: int) -> None:
    """Warm runs against one pass over all dates: nothing new, a new commit, a new entry."""
    dates = in_turn(min(runs, 3), (["git", "log", "--format=%ad"], project.folder))[0]
    run(project.ages(), project.folder)
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=project.folder, text=True)
    ages = project.ages(), project.folder
    print("against git log --format=%ad")
    report("warm", in_turn(runs, ages)[0], dates, goal=0.1)
    untouched = in_turn(runs, ages, before=partial(project.commit, touching=False))
    report("warm, a commit later", untouched[0], dates, goal=0.1)
    touched = in_turn(runs, ages, before=partial(project.commit, touching=True))
    report("warm, an entry later", touched[0], dates, goal=0.1)
    run(["git", "reset", "--quiet", "--hard", head.strip()], project.folder)


def check(options: argparse.Namespace, root: Path) -> None:
    """Structure alone, without history: the time must grow as the number of files does."""
    folder = root / "check"
    names = [str(_small_file(folder, number)) for number in range(2000)]
    print("\nlearnings check, files of 2 KB")
    half, whole = in_turn(
        options.runs,
        ([*LEARNINGS, "check", *names[:1000]], folder),
        ([*LEARNINGS, "check", *names], folder),
    )
    more = 1000 * (whole.median - half.median) / 1000
    print(f"  1,000: {half}; {half.median:.2f} ms a file (goal: under 1.5)")
    print(f"  2,000: {whole}; {whole.median / 2:.2f} ms a file; each further file {more:.2f} ms")


def _small_file(folder: Path, number: int) -> Path:
    """A learnings file of 2 KB without findings, in a folder of its own; relative to folder."""
    name = Path(f"project{number:04}", "agents", "learnings.md")
    if not (folder / name).exists():
        (folder / name).parent.mkdir(parents=True)
        sections = [SECTION.format(number=n, file=number) for n in range(11)]
        (folder / name).write_text("# Learnings\n\n" + "".join(sections).rstrip() + "\n")
    return name


def everything(options: argparse.Namespace, root: Path) -> None:
    """`learnings baseline` and the hook agent-core, on 1,000 files of 2 KB."""
    print("\n1,000 files of 2 KB, against the bare interpreter")
    for what, write in WORLDS.items():
        folder = root / f"everything-{what.replace(' ', '-')}"
        if not folder.exists():
            folder.mkdir(parents=True)
            run(["git", "init", "--quiet"], folder)
            for number in range(1000):
                write(folder, number)
            run(["git", "add", "--all"], folder)
        bare, baseline, agents = in_turn(
            options.runs,
            ([sys.executable, "-c", "pass"], folder),
            ([*LEARNINGS, "baseline"], folder),
            ([*LEARNINGS, "check", "--role", "agent"], folder),
        )
        report(f"baseline, {what}", baseline, bare, goal=100)
        report(f"agent-core, {what}", agents, bare, goal=100)


def _agent_of_others(folder: Path, number: int) -> None:
    _write_agent(folder / ".claude", number, "Append learnings to `learnings.md`.")


def _agent_of_ours(folder: Path, number: int) -> None:
    manifest = folder / "plugin" / ".claude-plugin" / "plugin.json"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text('{"name": "benchmark"}\n')
    _write_agent(folder / "plugin", number, "Run `learnings due`; `freshness` is *(default 7)*.")


def _write_agent(home: Path, number: int, line: str) -> None:
    file = home / "skills" / f"skill{number:04}" / "SKILL.md"
    file.parent.mkdir(parents=True)
    front = f"---\nname: {file.parent.name}\ndescription: Does job {number}, and no other.\n---\n"
    sections = "".join(SECTION.format(number=n, file=number) for n in range(10))
    file.write_text(f"{front}\n{line}\n\n{sections}")


def _package(folder: Path, number: int) -> None:
    """A package of a monorepo, with a learnings file or a target file at the root."""
    if number % 2:
        target = folder / "agents" / "decisions" / f"decision{number:04}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        sections = "".join(SECTION.format(number=n, file=number) for n in range(11))
        target.write_text(f"# Decisions\n\n{sections}")
        return
    package = _small_file(folder / "packages", number)
    (folder / "packages" / package.parts[0] / "package.json").write_text("{}\n")


WORLDS = {
    "agent files of others": _agent_of_others,
    "agent files of ours": _agent_of_ours,
    "learnings and targets": _package,
}


def start(options: argparse.Namespace, root: Path) -> None:
    """What a hook costs that has nothing new to find out."""
    folder = root / "small"
    if not folder.exists():
        make(folder, medium_plan(200, 10))
    project = Project(folder, "agents/learnings.md")
    run(project.ages(), folder)
    bare, version, summary = in_turn(
        options.runs,
        ([sys.executable, "-c", "pass"], folder),
        ([*LEARNINGS, "--version"], folder),
        (project.ages("--summary"), folder),
    )
    print("\nstart, against the bare interpreter")
    report("learnings --version", version, bare)
    report("learnings ages --summary, warm", summary, bare)


def session(options: argparse.Namespace, root: Path) -> None:
    """The line at the start of an agent's session, with nothing new to find out."""
    folder = root / f"session-{options.commits}"
    if not folder.exists():
        make(folder, medium_plan(options.commits, options.merges))
    hook = [sys.executable, str(SESSION_START)]
    run(hook, folder)
    bare, line = in_turn(options.runs, ([sys.executable, "-c", "pass"], folder), (hook, folder))
    print(f"\nsession start, {options.commits} commits, warm; goal at most 300 ms")
    report("session-start.py", line, bare)


PARTS: dict[str, Callable[[argparse.Namespace, Path], None]] = {
    "medium": medium,
    "host": host,
    "check": check,
    "everything": everything,
    "start": start,
    "session": session,
    "groups": partial(proposals.groups, LEARNINGS),
    "routes": partial(proposals.routes, LEARNINGS),
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (all)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="make repositories here, once")
    parser.add_argument("--commits", type=int, default=3_200)
    parser.add_argument("--merges", type=int, default=200)
    parser.add_argument("--host-commits", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--host-runs", type=int, default=3)
    options = parser.parse_args(argv)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as temporary:
        root = (options.keep or Path(temporary)).resolve()
        for name in options.parts or PARTS:
            PARTS[name](options, root)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
