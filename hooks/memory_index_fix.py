"""Hook `memory-index-fix`: puts the memory index in order and stages nothing."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("fix", "--role=index", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
