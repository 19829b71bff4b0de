"""The npm packages that tests run, kept in build/.

`python -m tests.support.npm FOLDER PACKAGE …` installs some. The tests run this in a separate
process, because they may not open connections themselves.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

# Not through the guard, which would then be active here, too.
BUILD = Path(__file__).resolve().parents[2] / "build"
SECONDS = 300


class NotAvailable(Exception):
    """The packages are not here and cannot be installed."""


@cache
def installed(name: str, *packages: str) -> Path:
    """Return the folder in build/ with packages, installed if necessary; raises NotAvailable."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise NotAvailable("there is no node, or no npm")
    if not (BUILD / name).exists():
        run = subprocess.run(
            [sys.executable, "-m", "tests.support.npm", name, *packages],
            cwd=BUILD.parent,
            env=os.environ | {"HOME": os.environ.get("REAL_HOME", "")},
            capture_output=True,
            check=False,
        )
        if run.returncode != 0:
            failure = run.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise NotAvailable(f"{', '.join(packages)} cannot be installed: {failure}")
    return BUILD / name


def node(
    *words: str | Path, cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run node with nothing of the environment but PATH."""
    return subprocess.run(
        ["node", *words],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        check=False,
    )


def install(name: str, *packages: str) -> None:
    """Install packages into a folder of build/; of parallel installs, the first one stays."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        whole = Path(folder) / "whole"
        whole.mkdir()
        words = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
        command = [*words, "--prefix", str(whole), *packages]
        subprocess.run(command, cwd=whole, check=True, timeout=SECONDS)
        with contextlib.suppress(OSError):
            whole.rename(BUILD / name)


if __name__ == "__main__":
    try:
        install(*sys.argv[1:])
    except (OSError, subprocess.SubprocessError) as error:
        raise SystemExit(str(error)) from error
