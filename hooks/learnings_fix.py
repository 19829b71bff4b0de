"""Hook `learnings-fix`: the safe fixes of learnings files; all other files are skipped."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("fix", "--force-exclude", "--role=learnings", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
