"""Hook `learnings-lossless`: refuse a commit, or a range of commits, that loses an entry."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("verify", "--hook")

if __name__ == "__main__":
    raise SystemExit(main())
