"""Write the address of the project into every file that shows it, or take it out again.

    python -m release.home [URL]

Without URL the project has no address: files then name a clone, or an address that fails.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from release import names
from release.checkout import ROOT, Checkout, Refused


def main(argv: Sequence[str] | None = None, checkout: Checkout | None = None) -> int:
    """Write the address; return 0, or 1 after printing why not."""
    parser = argparse.ArgumentParser(prog="python -m release.home", description=__doc__)
    parser.add_argument("url", nargs="?", default="", help="such as https://example.org/learnings")
    arguments = parser.parse_args(argv)
    checkout = checkout or Checkout(ROOT)
    url = arguments.url.rstrip("/").removesuffix(".git")
    if url and not names.ADDRESS.fullmatch(url):
        print(f"home: {url!r} is no address https://HOST/PATH without a user", file=sys.stderr)
        return 1
    try:
        before, revision = checkout.values()

        def change(path: str, text: str) -> str:
            is_kept = path.startswith(names.EXCEPT)
            return text if is_kept else names.with_home(text, before, url, revision)

        texts = checkout.changed(change)
    except Refused as problem:
        print(f"home: {problem}", file=sys.stderr)
        return 1
    checkout.write(texts)
    for path in texts:
        print(f"{path}: names {url or 'no address'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
