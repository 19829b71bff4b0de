"""Hook `learnings-lossless`: refuses a commit, or a range of commits, that loses an entry."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    """Compare what is committed with what was; returns 1 for a loss, 2 for wrong usage."""
    return start("verify", "--hook", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
