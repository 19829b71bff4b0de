"""How fast a check is compared with other checkers on the same files, as ratios of one run.

    python benchmarks/peers.py [--runs N] [--without NAME ...]

It checks a memory of 47 files, 11,000 lines and 500 KB (memory.py) with the rules of all roles, and
runs other Markdown checkers on the same files. Each missing checker, and each time this checkout,
is installed into a separate folder below build/peers. A checker that cannot be installed is named
and skipped. README.md in this folder has the goals and the last figures.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.memory import make_memory
from benchmarks.timing import Timed, environment, in_turn, run

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "peers"
PARSE = """
from pathlib import Path
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark")
for path in Path().rglob("*.md"):
    parser.parse(path.read_text())
"""
CLEAN_OR_FINDINGS = (0, 1)  # exit codes that count as a run
BARE, PARSER, OURS = "python -c pass", "markdown-it-py alone", "learnings"
MOST_BARE, LEAST_PEER, MOST_NATIVE = 20, 4, 5  # the goals in README.md, as ratios


class NotInstalled(Exception):
    """The last line of the installer's output."""


class Peer(NamedTuple):
    """Another checker: its package, the words after its script, and its language."""

    name: str
    script: str
    words: tuple[str, ...]
    version: tuple[str, ...] = ("--version",)
    from_npm: bool = False
    native: bool = False


PEERS = (
    Peer("skillsaw", "skillsaw", ("lint", ".")),
    Peer("mdformat", "mdformat", ("--check", ".")),
    Peer("markdownlint-cli2", "markdownlint-cli2", ("**/*.md",), ("--help",), from_npm=True),
    Peer("pymarkdownlnt", "pymarkdown", ("scan", "--recurse", "."), ("version",)),
    Peer("rumdl", "rumdl", ("check", "--no-cache", "."), native=True),
)


def installed(peer: Peer) -> Path:
    """Return the script of a peer, installing it if needed; raises NotInstalled."""
    home = PLACE / peer.name
    folder = home / "node_modules" / ".bin" if peer.from_npm else home / _scripts()
    script = folder / peer.script
    if not script.exists():
        if peer.from_npm:
            home.mkdir(parents=True, exist_ok=True)
            _do("npm", "install", "--prefix", home, "--no-audit", "--no-fund", peer.name)
        else:
            _install_into(home, peer.name)
    return script


def installed_ours() -> Path:
    """Return the folder with the scripts of this checkout, installed as for a user."""
    home = PLACE / OURS
    _install_into(home, "--force-reinstall", "--no-deps", ROOT)
    _install_into(home, ROOT)
    return home / _scripts()


def _install_into(home: Path, *packages: str | Path) -> None:
    python = home / _scripts() / "python"
    if not python.exists():
        _do(sys.executable, "-m", "venv", home)
    _do(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)


def _scripts() -> str:
    return "Scripts" if sys.platform == "win32" else "bin"


def _do(*command: str | Path) -> None:
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotInstalled(str(error)) from None
    if ended.returncode:
        said = (ended.stderr.strip() or ended.stdout.strip() or "no reason given").splitlines()
        raise NotInstalled(said[-1])


def version_of(peer: Peer, script: Path) -> str:
    """Return the version that a peer prints."""
    command: list[str | Path] = [script, *peer.version]
    said = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    return (said.stdout.strip() or "?").splitlines()[0]


def all_there_are(wanted: Sequence[Peer]) -> dict[str, list[str]]:
    """Return the command line of each installed peer; name the others."""
    commands = {}
    for peer in wanted:
        try:
            script = installed(peer)
        except NotInstalled as reason:
            print(f"{peer.name}: cannot be installed: {reason}", flush=True)
            continue
        print(f"{peer.name}: {version_of(peer, script)}", flush=True)
        commands[peer.name] = [str(script), *peer.words]
    return commands


def prepare(folder: Path) -> None:
    """Create the memory, and run every peer on all of it."""
    paths = make_memory(folder)
    sizes = [(folder / path).read_bytes() for path in paths]
    lines = sum(data.count(b"\n") for data in sizes)
    # By default it reads only the file names that agents read.
    (folder / ".skillsaw.yaml").write_text('version: 0.22.0\ncontent-paths: ["agents/**/*.md"]\n')
    run(["git", "init", "--quiet"], folder)
    print(f"{len(paths)} files, {lines} lines, {sum(map(len, sizes))} bytes\n", flush=True)


def report(times: dict[str, Timed]) -> None:
    """Print the times, and the ratios with goals."""
    ours = times[OURS].median
    width = max(map(len, times))
    for name, timed in times.items():
        print(f"{name:{width}}  {timed}")
    print()
    print(f"{OURS} / {BARE}: {ours / times[BARE].median:.1f} (goal: under {MOST_BARE})")
    print(f"{PARSER} / {BARE}: {times[PARSER].median / times[BARE].median:.1f}")
    for peer in PEERS:
        if peer.name not in times:
            continue
        theirs = times[peer.name].median
        if peer.native:
            print(f"{OURS} / {peer.name}: {ours / theirs:.1f} (goal: at most {MOST_NATIVE})")
        else:
            print(f"{peer.name} / {OURS}: {theirs / ours:.1f} (goal: at least {LEAST_PEER})")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--without", nargs="*", default=[], choices=[peer.name for peer in PEERS])
    options = parser.parse_args(argv)
    ours = installed_ours()
    others = all_there_are([peer for peer in PEERS if peer.name not in options.without])
    python = str(ours / "python")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder)
        commands = {
            BARE: [python, "-c", "pass"],
            PARSER: [python, "-c", PARSE],
            OURS: [str(ours / "learnings"), "check"],
            **others,
        }
        pairs = [(command, folder) for command in commands.values()]
        in_turn(1, *pairs, codes=CLEAN_OR_FINDINGS)
        times = in_turn(options.runs, *pairs, codes=CLEAN_OR_FINDINGS)
    report(dict(zip(commands, times, strict=True)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
