"""Hook `agent-core`: check that everything agent files name exists."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("check", "--role=agent", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
