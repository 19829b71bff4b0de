"""A checkout of the project: its git, its tracked text files, and new texts for them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from release import names

ROOT = Path(__file__).resolve().parents[1]


class Refused(Exception):
    """The reason why nothing was done, and the next step."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """The work tree of the project at `root`."""

    root: Path

    def git(self, *words: str) -> str:
        """Run git and return its output without the last newline. Raises Refused."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, text=True, check=False
        )
        if done.returncode:
            reason = (done.stderr or done.stdout).strip()
            raise Refused(f"git {words[0]} failed: {reason}")
        return done.stdout.removesuffix("\n")

    def read(self, path: str) -> str:
        """Return the text of a file."""
        return (self.root / path).read_bytes().decode()

    def values(self) -> tuple[str, str]:
        """Return the address and the revision that all files name."""
        return names.values(self.read(names.PACKAGE))

    def changed(self, change: Callable[[str, str], str]) -> dict[str, str]:
        """Return by path the new text of each tracked text file that a change alters."""
        texts = {}
        for path in self.git("ls-files", "-z").split("\0"):
            if not path or not (self.root / path).is_file() or (self.root / path).is_symlink():
                continue
            try:
                text = self.read(path)
            except UnicodeDecodeError:
                continue
            if (new := change(path, text)) != text:
                texts[path] = new
        return texts

    def write(self, texts: Mapping[str, str]) -> None:
        """Write texts to files."""
        for path, text in texts.items():
            (self.root / path).write_bytes(text.encode())
