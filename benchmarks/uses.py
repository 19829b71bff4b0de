"""Whether texts near the work are the ones needed later: on the history of any repository.

    python benchmarks/uses.py CLONE [--every N] [--window N] [PATTERN ...]

At every N-th commit each section (level 2 or 3) of the Markdown files that match a pattern counts
as an entry. It is near the work if one of the last commits changed a file that it names. It is
needed if one of the next commits changes its text without removing it. The program
prints the share of needed sections, for sections near the work and for the others.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from learnings.check.reference_facts import References
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.references.dead import references_by_entry
from learnings.workspace.tree import Tree


def git(folder: Path, *words: str) -> str:
    run = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout


def sections(document: Document) -> dict[str, str]:
    return {entry.identity: entry.text for entry in document.entries}


def documents(folder: Path, patterns: Sequence[str], level: int) -> Iterator[tuple[str, Document]]:
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            data = path.read_bytes()
            yield path.relative_to(folder).as_posix(), read(data, ReadOptions("heading", level))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("patterns", nargs="*", default=["*.md", "docs/**/*.md"])
    parser.add_argument("--every", type=int, default=60, metavar="N")
    parser.add_argument("--window", type=int, default=60, metavar="N", help="commits before, after")
    options = parser.parse_args()
    seen: Counter[tuple[bool, bool]] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "clone"
        git(Path(name), "clone", "--quiet", str(options.clone.resolve()), str(folder))
        commits = git(folder, "rev-list", "--first-parent", "--reverse", "HEAD").split()
        for place in range(options.window, len(commits) - options.window, options.every):
            seen += _at(folder, commits, place, options)
    for near in (True, False):
        needed, total = seen[near, True], seen[near, True] + seen[near, False]
        share = f"{needed / total:.2f}" if total else "-"
        print(f"{'near the work' if near else 'not near'}: {needed} of {total} needed ({share})")
    return 0


def _at(
    folder: Path, commits: Sequence[str], place: int, options: argparse.Namespace
) -> Counter[tuple[bool, bool]]:
    """Count the sections at a commit: whether each is near the work, and needed later."""
    window = options.window
    git(folder, "checkout", "--quiet", "--force", commits[place + window])
    later = {path: sections(doc) for level in (2, 3) for path, doc in _both(folder, options, level)}
    git(folder, "checkout", "--quiet", "--force", commits[place])
    changes = f"{commits[place - window]}..{commits[place]}"
    changed = {*git(folder, "log", "--format=", "--name-only", changes).split("\n")}
    references, found = References(Tree(folder)), Counter[tuple[bool, bool]]()
    for level in (2, 3):
        for path, document in documents(folder, options.patterns, level):
            judged = references.in_file(path, document, is_learnings=True)
            named = references_by_entry(document, judged)
            for identity, text in sections(document).items():
                after = later.get(f"{level} {path}", {}).get(identity)
                if identity in named and after is not None:
                    is_near = not changed.isdisjoint(named[identity].places)
                    found[is_near, after != text] += 1
    return found


def _both(folder: Path, options: argparse.Namespace, level: int) -> Iterator[tuple[str, Document]]:
    for path, document in documents(folder, options.patterns, level):
        yield f"{level} {path}", document


if __name__ == "__main__":
    sys.exit(main())
