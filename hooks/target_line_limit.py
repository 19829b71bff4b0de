"""Hook `target-line-limit`: check the length of target files and skip all others."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("check", "--force-exclude", "--role=target", "--rule=line-limit")

if __name__ == "__main__":
    raise SystemExit(main())
