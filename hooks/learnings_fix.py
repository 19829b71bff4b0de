"""Hook `learnings-fix`: apply safe fixes to learnings files and skip all others."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("fix", "--force-exclude", "--role=learnings")

if __name__ == "__main__":
    raise SystemExit(main())
