"""The parser of the command line: whose complaint is one sentence, as every other problem is."""

from __future__ import annotations

import argparse
from typing import NoReturn

from learnings.core.errors import UsageProblem


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence, as every other problem is."""

    def __init__(self, *, prog: str, description: str | None, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageProblem(f"{message}; see `{self.prog} --help`")
