"""Changes of files as a patch on standard output."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TextIO

from learnings.core.text import printable_lines
from learnings.store.files import Change
from learnings.surfaces.cli.formats import coloured
from learnings.surfaces.github.log import write_verbatim
from learnings.surfaces.render.changes_diff import diff


def print_patch(changes: Sequence[Change], out: TextIO) -> None:
    """Print the changes as a patch with the bytes of the files, UTF-8 or not.

    A terminal takes no patch and would obey what is in it, so there what is not seen is written
    out.
    """
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="surrogateescape")
    text = "".join(diff(changes))
    if out.isatty():
        text = printable_lines(text)
    write_verbatim(out, coloured(text, "diff", out))
