"""Hook `target-line-limit`: check target files and instructions, and skip all others."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

RULES = ("line-limit", "dead-import", "unmatched-paths", "unreadable-front-matter")

main = entry_point(
    "check", "--force-exclude", "--role=target", *(f"--rule={rule}" for rule in RULES)
)

if __name__ == "__main__":
    raise SystemExit(main())
