"""Whether the command that `learnings verify` prints makes a refused commit pass.

REPOSITORY is a clone, which this program changes. Each commit that touches the memory is checked
out and compared with its first parent. Where something is lost, the printed commands are carried
out as they are, and what is then staged is compared again.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from operator import itemgetter
from pathlib import Path

from benchmarks.quality_verify import FOLDERS
from benchmarks.timing import LEARNINGS


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def main(folder: Path) -> None:
    """Print each commit that is still refused, and the counts."""
    commits = run(folder, "git", "log", "--reverse", "--format=%H %P", "--", *FOLDERS).stdout
    refused = passing = 0
    for commit, parent, *_ in filter(itemgetter(slice(1, 2)), map(str.split, commits.splitlines())):
        for words in (("reset", "-q", "--hard"), ("clean", "-fdq"), ("checkout", "-q", commit)):
            run(folder, "git", *words)
        verify = [*LEARNINGS, "verify", "--base", parent]
        printed = run(folder, *verify, "--format", "json")
        if printed.returncode == 0:
            continue
        refused += 1
        losses = json.loads(printed.stdout)["losses"]
        for command in dict.fromkeys(filter(None, (loss["command"] for loss in losses))):
            run(folder, *LEARNINGS, *shlex.split(command)[1:])
        if run(folder, *verify, "--staged").returncode == 0:
            passing += 1
        else:
            print(f"{commit[:7]}: {losses[0]['message']}")
    print(f"{refused} refused, {passing} pass after the printed commands")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
