"""Hook `agent-core`: check that everything agent files name exists."""

from __future__ import annotations

from learnings.surfaces.cli.main import entry_point

main = entry_point("check", "--role=agent")

if __name__ == "__main__":
    raise SystemExit(main())
