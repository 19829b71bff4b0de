"""The demonstration, `make demo`. Exit code 0 only if every check passed."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from demo import scenes
from demo.repository import NAME, InTheWay, build
from demo.stage import Stage

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "demo"
SCRIPTS = Path(sysconfig.get_path("scripts"))


def main() -> int:
    """Build the repository and show the scenes; return 0, or 1 if a check failed."""
    parser = argparse.ArgumentParser(description="Show learnings on a small real repository.")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to build it")
    folder = parser.parse_args().folder.absolute()
    try:
        return show(folder)
    except InTheWay as error:
        return _refused(str(error))
    except FileNotFoundError as error:
        return _refused(f"{error.filename or error} was not found; run: make demo")
    except subprocess.CalledProcessError as error:
        return _refused(f"git {' '.join(error.cmd[1:])} failed: {error.stderr.strip()}")


def show(folder: Path) -> int:
    """Show all scenes on a new repository inside `folder`, and return the exit code."""
    for command in ("git", SCRIPTS / "learnings", SCRIPTS / "learnings-check"):
        if shutil.which(command) is None:
            raise FileNotFoundError(str(command))
    folder.mkdir(parents=True, exist_ok=True)
    repository = build(folder / NAME)
    repository.install_hook(SCRIPTS)
    stage = Stage(repository, SCRIPTS)
    for scene in scenes.ALL:
        scene(stage, repository)
    return stage.close()


def _refused(sentence: str) -> int:
    print(f"demo: {sentence}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # is a file here
    raise SystemExit(main())
