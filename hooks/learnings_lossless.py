"""Hook `learnings-lossless`: refuse a commit, or a range of commits, that loses an entry."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("verify", "--hook", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
