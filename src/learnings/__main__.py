"""`python -m learnings` is the command `learnings`."""

from __future__ import annotations

from learnings.surfaces.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
