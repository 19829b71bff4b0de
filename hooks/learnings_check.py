"""Hook `learnings-check`: check learnings files and skip all others."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("check", "--force-exclude", "--role=learnings", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
