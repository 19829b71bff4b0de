"""Hook `confidence-memory`: what is wrong with the scored entries of a confidence memory."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    """Check the memory; returns 1 where something is wrong, 2 for wrong usage."""
    return start("memory", "check", "--quiet", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
