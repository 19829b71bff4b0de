"""Hook `target-line-limit`: check the length of target files and skip all others."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("check", "--force-exclude", "--role=target", "--rule=line-limit", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
