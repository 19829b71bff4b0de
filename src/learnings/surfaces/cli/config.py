"""The settings in effect, where each was set, and the files they apply to."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.setup.config_report import config_report
from learnings.app.workspace.workspace import Workspace
from learnings.surfaces.cli.formats import add_format_option, renderer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings config`."""
    add_format_option(parser, "config")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print what is in effect in the folder `cwd`; returns 0. Raises BadSettings."""
    del err
    out.write(renderer("config", args.format, out)(config_report(Workspace.open(cwd))))
    return 0
