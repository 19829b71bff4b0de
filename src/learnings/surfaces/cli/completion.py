"""Print the shell script that completes commands, options and their values.

bash, in ~/.bashrc:                   eval "$(learnings completion bash)"
zsh, in ~/.zshrc below compinit:      eval "$(learnings completion zsh)"
fish, in ~/.config/fish/config.fish:  learnings completion fish | source
"""

from __future__ import annotations

import argparse
import os

from argcomplete import autocomplete
from argcomplete.shell_integration import shellcode

from learnings.surfaces.cli.arguments import add_general_options, command_with
from learnings.surfaces.cli.commands import COMMANDS, Args, Context
from learnings.surfaces.cli.usage import describe_settings

ARGUMENTS = "shell=bash|zsh|fish"


def run(args: Args, context: Context) -> None:
    context.out.write(shellcode(["learnings"], shell=args.shell))


def complete() -> None:
    """Write the completions of the line in the environment to file 8, and end the process.

    The script of each shell starts `learnings` this way, so it stays correct when commands change.
    """
    parser = argparse.ArgumentParser("learnings")
    add_general_options(parser)
    line = os.environ.get("COMP_LINE", "").split()
    subparsers = parser.add_subparsers()
    for name, purpose in COMMANDS.items():
        command = subparsers.add_parser(name, help=purpose)
        if name in line:  # importing all commands takes more than a second
            command_with(command, name)
            describe_settings(command._actions)  # noqa: SLF001  (argparse has no other list)
    autocomplete(parser, always_complete_options=False)
