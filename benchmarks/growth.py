"""How the time of `learnings check` grows with what it reads, as ratios; none may be quadratic.

    python benchmarks/growth.py [LINES]

Each shape is checked at n, 2n and 4n; a line shows the seconds and the ratios. What grows in
proportion has ratios up to 2, and the start of the process, which is part of each, makes them
smaller; about 4 is quadratic. See README.md beside this file for the last figures.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.timing import run

FILE, INDEX, CONFIG = "agents/learnings.md", "agents/memory-index.md", "learnings.toml"
TOP = "# Learnings\n\n## When one\n\ntext\n\n"
IGNORE = "<!-- learnings: ignore[line-limit] why -->"

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
}
ROWS: dict[str, Shape] = {
    "index: one word": lambda n: "a" * n,
    "index: rows": lambda n: "".join(f"- row {number}\n" for number in range(n)),
}
TARGETS = {"targets: names": "a{}.md", "targets: globs": "*a{}x*.md"}


def seconds(files: dict[str, str]) -> float:
    """Return how long a check of a repository with these files takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        start = time.perf_counter()
        run([sys.executable, "-m", "learnings", "check"], folder, codes=(0, 1))
        return time.perf_counter() - start


def show(name: str, files: Callable[[int], dict[str, str]], size: int) -> None:
    """Print the seconds at the size, twice and four times that, and the two ratios."""
    times = [seconds(files(size * factor)) for factor in (1, 2, 4)]
    ratios = [after / before for before, after in pairwise(times)]
    shown = "  ".join(f"{value:6.2f} s" for value in times)
    print(f"{name:32} {size:7}  {shown}   {ratios[0]:.1f}  {ratios[1]:.1f}", flush=True)


def in_memory(shape: Shape, size: int) -> dict[str, str]:
    """Return a repository with the text in its learnings file."""
    return {FILE: f"{TOP}{shape(size)}\n"}


def in_index(shape: Shape, size: int) -> dict[str, str]:
    """Return a repository with the text in its memory index."""
    return {FILE: TOP, INDEX: f"# Index\n\n{shape(size)}\n", CONFIG: f'index = "{INDEX}"\n'}


def in_targets(form: str, size: int) -> dict[str, str]:
    """Return a repository with so many target patterns in its configuration."""
    return {FILE: TOP, CONFIG: f"targets = {[form.format(number) for number in range(size)]}\n"}


def main() -> None:
    """Measure all shapes."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    for name, shape in TEXTS.items():
        show(name, partial(in_memory, shape), size)
    for name, shape in ROWS.items():
        show(name, partial(in_index, shape), size)
    for name, form in TARGETS.items():
        show(name, partial(in_targets, form), 250)


if __name__ == "__main__":
    main()
