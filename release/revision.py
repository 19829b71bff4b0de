"""Write the commit or tag that is installed from into every file that names it.

    python -m release.revision [COMMIT]

Without COMMIT it is HEAD. Push that commit before the files that name it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from release import names
from release.checkout import ROOT, Checkout, Refused


def main(argv: Sequence[str] | None = None, checkout: Checkout | None = None) -> int:
    """Write the revision; return 0, or 1 after printing why not."""
    parser = argparse.ArgumentParser(prog="python -m release.revision", description=__doc__)
    parser.add_argument("commit", nargs="?", default="HEAD", help="a commit, or a tag vX.Y.Z")
    arguments = parser.parse_args(argv)
    checkout = checkout or Checkout(ROOT)
    try:
        revision = resolved(checkout, arguments.commit or "HEAD")
        _, before = checkout.values()

        def change(path: str, text: str) -> str:
            is_kept = path.startswith(names.EXCEPT)
            return text if is_kept else names.with_revision(text, before, revision)

        texts = checkout.changed(change)
    except Refused as problem:
        print(f"revision: {problem}", file=sys.stderr)
        return 1
    checkout.write(texts)
    for path in texts:
        print(f"{path}: names {revision}")
    return 0


def resolved(checkout: Checkout, commit: str) -> str:
    """Return a release tag unchanged, and anything else as a full commit hash."""
    full = checkout.git("rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}")
    is_tag = names.REVISION.fullmatch(commit) and commit.startswith("v")
    return commit if is_tag else full


if __name__ == "__main__":
    raise SystemExit(main())
