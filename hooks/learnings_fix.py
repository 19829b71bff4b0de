"""Hook `learnings-fix`: the safe fixes of learnings files; all other files are skipped."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    """Fix the files given that are learnings files; returns 1 if one was changed, 2 if refused."""
    return start("fix", "--force-exclude", "--role=learnings", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
