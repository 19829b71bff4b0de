"""Hook `memory-index-fix`: fix the memory index and stage nothing."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("fix", "--role=index", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
