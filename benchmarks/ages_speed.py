"""The speed of the commands that read git history, as ratios to the named baselines.

The baselines do not depend on how the commands work: their git commands are written below.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.histories import host_plan, make, medium_plan
from benchmarks.timing import LEARNINGS, Command, environment, in_turn, report, run

SESSION_START = Path(__file__).resolve().parent.parent / "agent-core/bin/memory-line.py"
HOST_FILES = ("agents/young.md", "agents/old.md", "agents/reworded.md", "agents/never.md")
NO_REPAIRS = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
ENTRY = "\n## Entry of the benchmark {number}\n\nWords that no other entry has.\n"
BARE = (sys.executable, "-c", "pass")

# The minimum that ages need from git: all author dates, and the walk over the file's path.
DATES = ("git", "log", "--format=%ad", "--date=short")
WALK = ("git", "log", "--full-history", "--parents", "-m", "--raw", "-z", "--format=%H")
# The alternative to `learnings ages`.
BLAME = ("git", "blame", "-w", "-C", "-C")

# Runs a command and prints the peak memory in MiB of this process, and of a child process.
PEAKS = """
import resource, sys
from learnings.surfaces.cli.main import main
main(sys.argv[1:])
usage = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(*(peak.ru_maxrss // 1024 for peak in usage), file=sys.stderr)
"""


class Project(NamedTuple):
    """A repository with the measured learnings file."""

    folder: Path
    file: str

    def ages(self, *options: str) -> Command:
        return [*LEARNINGS, "ages", self.file, *options], self.folder

    def command(self, *words: str) -> Command:
        return words, self.folder

    def forget(self) -> None:
        """Delete the cache, so that the next run is cold."""
        shutil.rmtree(self.folder / ".git" / "learnings", ignore_errors=True)

    def commit(self, *, touching: bool) -> None:
        """Add a commit to the history, with or without a new entry in the file."""
        if touching:
            file = self.folder / self.file
            file.write_text(file.read_text() + ENTRY.format(number=time.monotonic_ns()))
        options = ["--quiet", "--allow-empty", "--all", "--message", "benchmark"]
        run(["git", *NO_REPAIRS, "commit", *options], self.folder)


def medium(options: argparse.Namespace, root: Path) -> None:
    """Measure a few thousand commits, without and with reworded headings."""
    for reworded in (0.0, 0.05):
        project = _medium(options, root, reworded)
        print(f"\n{options.commits} commits, {options.merges} merges, {reworded:.0%} reworded")
        blame = project.command(*BLAME, "--", project.file)
        cold, other = in_turn(options.runs, project.ages(), blame, before=project.forget)
        report("cold / git blame -w -C -C", cold, other, goal=2)
        warm, bare = in_turn(options.runs, project.ages(), project.command(*BARE))
        report("warm / python -c pass", warm, bare, goal=5)
        _memory(project)


def _medium(options: argparse.Namespace, root: Path, reworded: float = 0.0) -> Project:
    folder = root / f"medium-{options.commits}-{options.merges}-{reworded:g}"
    if not folder.exists():
        make(folder, medium_plan(options.commits, options.merges, reworded=reworded))
        run(["git", "repack", "-adq"], folder)
    return Project(folder, "agents/learnings.md")


def references(options: argparse.Namespace, root: Path) -> None:
    """Measure the search for removed names: one log of the whole history, then the cache."""
    project = _medium(options, root)
    file = project.folder / "notes/learnings.md"
    if not file.exists():
        _write_references(project, file)
    print(f"\n{options.commits} commits, 120 references of which 40 are dead")
    check = [*LEARNINGS, "check", "--history", "--rule", "dead-reference", "notes/learnings.md"]
    log = project.command("git", "log", "--name-status")
    cold, other = in_turn(options.runs, (check, project.folder), log, before=project.forget)
    report("check, cold / git log --name-status", cold, other, goal=1.5)
    warm, bare = in_turn(options.runs, (check, project.folder), project.command(*BARE))
    report("check, warm / python -c pass", warm, bare, goal=10)


def _write_references(project: Project, file: Path) -> None:
    """Commit a file that names 120 others, then remove or rename 40 of these."""
    listed = subprocess.run(
        ["git", "ls-files", "src"], cwd=project.folder, capture_output=True, text=True, check=True
    )
    paths = listed.stdout.split()[:120]
    entries = (f"## When unit {n} fails\n\nLook into `{path}`.\n\n" for n, path in enumerate(paths))
    file.parent.mkdir()
    file.write_text("# Learnings\n\n" + "".join(entries))
    run(["git", "add", "notes"], project.folder)
    project.commit(touching=False)
    run(["git", "rm", "-q", *paths[:20]], project.folder)
    for path in paths[20:40]:
        run(["git", "mv", path, path.replace("unit", "module")], project.folder)
    project.commit(touching=False)


def _memory(project: Project) -> None:
    """Print the peak memory of a cold run: of Python, and of the largest git process."""
    project.forget()
    words, folder = project.ages()
    call = [sys.executable, "-c", PEAKS, *words[len(LEARNINGS) :]]
    measured = subprocess.run(
        call, cwd=folder, env=environment(), capture_output=True, text=True, check=True
    )
    python, git = measured.stderr.split()[-2:]
    print(f"  cold: Python {python} MiB at the peak, the largest git {git} MiB", flush=True)


def host(options: argparse.Namespace, root: Path) -> None:
    """Measure a huge history, without a commit-graph and with one that holds the changed paths."""
    for commits in options.host_commits:
        folder = root / f"host-{commits}"
        if not folder.exists():
            make(folder, host_plan(commits))
        graph = folder / ".git" / "objects" / "info" / "commit-graph"
        graph.unlink(missing_ok=True)
        _host(folder, f"{commits} commits, no commit-graph", options.host_runs)
        run(["git", "commit-graph", "write", "--reachable", "--changed-paths"], folder)
        _host(folder, f"{commits} commits, changed paths in the commit-graph", options.host_runs)
        graph.unlink()
        if options.keep is None:
            shutil.rmtree(folder)


def _host(folder: Path, title: str, runs: int) -> None:
    print(f"\n{title}")
    for file in HOST_FILES:
        project = Project(folder, file)
        dates, walk = project.command(*DATES), project.command(*WALK, "--", file)
        cold, *git = in_turn(runs, project.ages(), dates, walk, before=project.forget)
        slower = max(git, key=lambda timed: timed.median)
        name = "all dates" if slower is git[0] else "the walk"
        report(f"{file}, cold / {name}", cold, slower, goal=1.3)
    project = Project(folder, HOST_FILES[0])
    _memory(project)
    _after_commits(project, runs)


def _after_commits(project: Project, runs: int) -> None:
    """Compare warm runs with one pass over all dates: nothing new, a new commit, a new entry."""
    run(*project.ages())
    (dates,) = in_turn(runs, project.command(*DATES))
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=project.folder, text=True)
    warm = in_turn(runs, project.ages())[0]
    report("warm / all dates", warm, dates, goal=0.1)
    for what, touching in (("a commit later", False), ("an entry later", True)):
        before = partial(project.commit, touching=touching)
        later = in_turn(runs, project.ages(), before=before)[0]
        report(f"warm, {what} / all dates", later, dates, goal=0.1)
    run(["git", "reset", "--quiet", "--hard", head.strip()], project.folder)


def replay(options: argparse.Namespace, root: Path) -> None:
    """Compare `due --replay` over two files with `ages` of one of them."""
    folder = root / f"two-{options.commits}-{options.merges}"
    if not folder.exists():
        make(folder, medium_plan(options.commits, options.merges, memories=2))
    project = Project(folder, "agents/learnings.md")
    replaying = project.command(*LEARNINGS, "due", "--replay")
    print(f"\ndue --replay over two files, {options.commits} commits")
    runs = min(options.runs, 5)
    (cold,) = in_turn(runs, replaying, before=project.forget)
    (ages,) = in_turn(runs, project.ages(), before=project.forget)
    report("cold / ages cold", cold, ages, goal=3)
    run(*replaying)
    again, ages = in_turn(runs, replaying, project.ages())
    report("again / ages warm", again, ages, goal=2)


def start(options: argparse.Namespace, root: Path) -> None:
    """Measure a hook that has nothing new to find."""
    folder = root / "small"
    if not folder.exists():
        make(folder, medium_plan(200, 10))
    project = Project(folder, "agents/learnings.md")
    run(*project.ages())
    hook = str(Path(LEARNINGS[0]).with_name("learnings-check"))
    commands: dict[str, Sequence[str]] = {
        "learnings --version": [*LEARNINGS, "--version"],
        "learnings check FILE": [*LEARNINGS, "check", project.file],
        "hook learnings-check FILE": [hook, project.file],
        "learnings ages --summary, warm": project.ages("--summary")[0],
        "learnings due, warm": [*LEARNINGS, "due"],
    }
    print("\nstart, against the bare interpreter")
    bare, *times = in_turn(
        options.runs,
        project.command(*BARE),
        *(project.command(*words) for words in commands.values()),
    )
    for name, timed in zip(commands, times, strict=True):
        report(name, timed, bare, goal=5 if "ages" in name else None)


def session(options: argparse.Namespace, root: Path) -> None:
    """Measure the line at the start of an agent's session, with nothing new to find."""
    project = _medium(options, root)
    hook = project.command(sys.executable, str(SESSION_START))
    run(*hook)
    line, bare = in_turn(options.runs, hook, project.command(*BARE))
    print(f"\nsession start, {options.commits} commits, warm; goal at most 300 ms")
    report("memory-line.py", line, bare)
