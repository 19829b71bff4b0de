"""Hook `confidence-memory`: check the scored entries of a confidence memory."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("memory", "check", "--quiet")

if __name__ == "__main__":
    raise SystemExit(main())
