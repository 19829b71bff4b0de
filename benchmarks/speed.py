"""How fast the commands are, as ratios to what they cannot do without, measured in one run.

    python benchmarks/speed.py [PART ...] [--runs N] [--host-commits N] [--keep FOLDER]

The program times whole processes in turn (A B A B ...) and compares their medians. README.md in
this folder has the goals and the last figures.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import ages_speed, proposals
from benchmarks.timing import LEARNINGS, in_turn, report, run

SECTION = (
    "## Finding number {number} of file {file}\n\n"
    + "- The cache keeps it for a long while.\n" * 4
    + "\n"
)


def check(options: argparse.Namespace, root: Path) -> None:
    """Measure structure alone, without history: the time must grow with the number of files."""
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
    """Create a 2 KB learnings file without findings in its own folder; return the relative path."""
    name = Path(f"project{number:04}", "agents", "learnings.md")
    if not (folder / name).exists():
        (folder / name).parent.mkdir(parents=True)
        sections = [SECTION.format(number=n, file=number) for n in range(11)]
        (folder / name).write_text("# Learnings\n\n" + "".join(sections).rstrip() + "\n")
    return name


def everything(options: argparse.Namespace, root: Path) -> None:
    """Measure `learnings baseline` and the hook agent-core on 1,000 files of 2 KB."""
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
    """Measure a package of a monorepo, with a learnings file or a target file at the root."""
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


PARTS: dict[str, Callable[[argparse.Namespace, Path], None]] = {
    "medium": ages_speed.medium,
    "host": ages_speed.host,
    "replay": ages_speed.replay,
    "references": ages_speed.references,
    "check": check,
    "everything": everything,
    "start": ages_speed.start,
    "session": ages_speed.session,
    "groups": partial(proposals.groups, LEARNINGS),
    "routes": partial(proposals.routes, LEARNINGS),
    "repository": partial(proposals.repository, LEARNINGS),
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (all)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="make repositories here, once")
    parser.add_argument("--commits", type=int, default=3_200)
    parser.add_argument("--merges", type=int, default=200)
    parser.add_argument(
        "--host-commits", type=int, nargs="+", default=[200_000, 1_000_000], metavar="N"
    )
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
