"""How good proposals and readings are, on data with human judgements.

DATA is a folder with `groups/`, `routes/` and `shapes/`; parts that are not there are left out. Our
constants are also chosen anew for each judged file from the others alone, over the grid that the
module of a part names: the rows `leave one out`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import quality_groups, quality_prechecks, quality_routes, quality_shapes

SECTIONS: dict[str, Callable[[Path], Iterator[str]]] = {
    "groups": quality_groups.report,
    "prechecks": quality_prechecks.report,
    "routes": quality_routes.report,
    "shapes": quality_shapes.report,
}


def main() -> int:
    """Print the requested tables, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("sections", nargs="*", metavar="PART", help=", ".join(SECTIONS))
    args = parser.parse_args()
    unknown = set(args.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"unknown part {min(unknown)!r}")
    for name in args.sections or SECTIONS:
        for line in SECTIONS[name](args.data):
            print(line, flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
