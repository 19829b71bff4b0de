"""How long it takes to join the documents of a fleet, and to write its page.

    python benchmarks/fleet.py [--repositories N …]

One process of `learnings fleet merge` merges one generated document per repository, always the
same. The default is 5,000 repositories, and 100,000 in 256 documents, as the jobs of a matrix leave
them.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.timing import LEARNINGS, run
from learnings.app.fleet import STATES, Fleet, RepositoryRow, shards
from learnings.surfaces.cli.commands import renderer

SIZES = ((5_000, 5_000), (100_000, 256))  # repositories, documents


def row(number: int, random: Random) -> RepositoryRow:
    """Return the row of a repository, with a reason of realistic length."""
    state = random.choice(STATES)
    reason = "agents/learnings.md: due: 160 lines and 47 active days since the last consolidation"
    overdue = random.randint(1, 60) if state == "due" else 0
    name, size = f"acme/service-{number:06}", random.randint(0, 400)
    return RepositoryRow(name, state, (reason,), overdue, 1, size // 6, size, size * 8, 0, 1)


def write(folder: Path, repositories: int, documents: int) -> None:
    """Write the documents of this many repositories."""
    random = Random(1)
    rows = [row(number, random) for number in range(repositories)]
    for number, part in enumerate(shards(rows, most=documents)):
        text = renderer("fleet", "json")(Fleet(tuple(part)))
        (folder / f"{number:06}.json").write_text(text, encoding="utf-8")


def measure(repositories: int, documents: int) -> None:
    """Print the cost of each format."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, repositories, documents)
        names = sorted(path.name for path in folder.iterdir())
        whole = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
        print(f"{repositories:,} repositories in {documents:,} documents, {whole:.1f} MB")
        for format_name in ("json", "html", "markdown"):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            start = time.perf_counter()
            output = folder / f"out.{format_name}"
            words = ["fleet", "merge", *names, "--format", format_name, "--output", str(output)]
            run([*LEARNINGS, *words], folder)
            seconds = time.perf_counter() - start
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"  {format_name:9} {spent:.1f} s of processor, {seconds:.1f} s", end="")
            print(
                f", peak so far {after.ru_maxrss / 1024:.0f} MiB, {output.stat().st_size:,} bytes"
            )
        assert len(json.loads((folder / "out.json").read_bytes())["repositories"]) == repositories


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repositories", type=int, nargs="*", metavar="N")
    chosen = parser.parse_args().repositories
    for size in [(count, min(count, 5_000)) for count in chosen] if chosen else SIZES:
        measure(*size)
