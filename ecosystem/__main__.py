"""Compare a base version with the change over public repositories.

    python -m ecosystem [--base REV] [--from FOLDER] [--only TEXT] [--cache FOLDER] [--pin]

Exit codes: 0, 1 if the change crashed somewhere, 2 if nothing could be measured.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ecosystem import checkouts, listing, versions
from ecosystem.checkouts import Checkout, GitFailed
from ecosystem.comparison import Compared, report
from ecosystem.measure import measured
from learnings import REVISION


def main(argv: Sequence[str] | None = None) -> int:
    """Run it."""
    arguments = _arguments(argv)
    text = arguments.list.read_text(encoding="utf-8")
    rows = [row for row in listing.read(text) if arguments.only.lower() in row.name.lower()]
    try:
        base = arguments.base_program or versions.built(arguments.base, arguments.cache)
    except GitFailed as problem:
        print(f"ecosystem: the base {arguments.base} cannot be had: {problem}", file=sys.stderr)
        return 2
    failures: dict[str, str] = {}
    pairs: list[Compared] = []
    with tempfile.TemporaryDirectory(prefix="ecosystem-") as work:
        for checkout in _checkouts(arguments, rows, Path(work), failures):
            print(f"{checkout.label} …", file=sys.stderr, flush=True)
            first, second = (
                measured(program, checkout.path, Path(work, side))
                for side, program in (("base", base), ("change", arguments.program))
            )
            pairs.append(Compared(checkout, first, second))
        if arguments.pin:
            commits = {
                pair.checkout.row.name: checkouts.git(pair.checkout.path, "rev-parse", "HEAD")
                for pair in pairs
            }
            arguments.list.write_text(listing.pinned(text, commits), encoding="utf-8")
    print(report(pairs, failures), end="")
    if not pairs:
        print("ecosystem: nothing was measured", file=sys.stderr)
        return 2
    return int(any(pair.change.crashes for pair in pairs))


def _checkouts(
    arguments: argparse.Namespace,
    rows: list[listing.Row],
    work: Path,
    failures: dict[str, str],
) -> Iterator[Checkout]:
    if arguments.folder is not None:
        for checkout in checkouts.found(arguments.folder, rows, work / "checkouts"):
            if arguments.only.lower() in checkout.row.name.lower():
                yield checkout
        return
    for row in rows:
        try:
            yield checkouts.fetched(row, arguments.cache)
        except GitFailed as problem:
            failures[row.name] = str(problem)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ecosystem",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--base", default=REVISION, help="commit of ours, by default %(default)s")
    parser.add_argument("--base-program", type=Path, help="a `learnings` to use as the base")
    parser.add_argument(
        "--program", type=Path, default=versions.of_the_work_tree(), help="the change"
    )
    parser.add_argument(
        "--from", dest="folder", type=Path, help="clones, bundles and folders OWNER+NAME below it"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="repositories with it in a name")
    parser.add_argument("--list", type=Path, default=listing.FILE, help="another list")
    cache = Path("build/ecosystem")
    parser.add_argument("--cache", type=Path, default=cache, help="by default %(default)s")
    parser.add_argument("--pin", action="store_true", help="write the commits into the list")
    arguments = parser.parse_args(argv)
    arguments.cache = arguments.cache.absolute()
    if arguments.pin and arguments.folder:
        parser.error("--pin writes the commits that were fetched, so it does not go with --from")
    return arguments


if __name__ == "__main__":
    raise SystemExit(main())
