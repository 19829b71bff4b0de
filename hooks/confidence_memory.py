"""Hook `confidence-memory`: check the scored entries of a confidence memory."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.cli.main import start


def main(argv: Sequence[str] | None = None) -> int:
    return start("memory", "check", "--quiet", argv=argv)


if __name__ == "__main__":
    raise SystemExit(main())
