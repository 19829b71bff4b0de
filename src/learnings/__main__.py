"""`python -m learnings` is the command `learnings`."""

from __future__ import annotations

from learnings.surfaces.cli.main import program

if __name__ == "__main__":
    program()
