"""Hook `learnings-fix`: apply safe fixes to learnings files and skip all others."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("fix", "--force-exclude", "--role=learnings", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
