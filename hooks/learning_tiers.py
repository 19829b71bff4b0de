"""Hook `learning-tiers`: check the index, themes and raw files of learning tiers."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("tiers", "check", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
