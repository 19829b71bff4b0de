"""Hook `memory-index`: compare the memory index with the files it lists, both ways."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("check", "--role=index", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
