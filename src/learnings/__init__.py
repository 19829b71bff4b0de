"""Keeps the memory files of coding agents small, true and complete."""

from __future__ import annotations

__version__ = "0.1.0"
# The only home of this project's address: `https://…`, or empty until it is published somewhere.
# `make home URL=…` sets it here and in the documents and examples that show it.
HOME = ""
# The tag or commit that documents and examples install.
REVISION = "04bd1c976fc28aab1de19a8aa1b9ed3529427b42"
