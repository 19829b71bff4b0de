"""Print the shell script that completes commands, options and their values.

bash, in ~/.bashrc:                   eval "$(learnings completion bash)"
zsh, in ~/.zshrc below compinit:      eval "$(learnings completion zsh)"
fish, in ~/.config/fish/config.fish:  learnings completion fish | source
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.surfaces.cli.commands import (
    COMMANDS,
    GENERAL_OPTIONS,
    Context,
    add_flag,
    arguments_of,
    choices_of,
)

# Each script asks this module for candidates, so it stays correct when commands change. Without
# candidates it offers files.
SCRIPTS = {
    "bash": r"""_learnings() {
    local IFS=$'\n'
    COMPREPLY=($("$1" completion bash --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o bashdefault -o default -F _learnings learnings
""",
    "zsh": r"""#compdef learnings
_learnings() {
    local -a line candidates
    line=("${(@)words[2,CURRENT]}")
    candidates=("${(@f)$("${words[1]}" completion zsh --complete -- "$line[@]" 2>/dev/null)}")
    if [[ -n "$candidates" ]]; then _describe learnings candidates; else _files; fi
}
if [[ "$zsh_eval_context[-1]" == loadautofunc ]]; then
    _learnings "$@"
else
    compdef _learnings learnings
fi
""",
    "fish": r"""function __learnings_complete
    set --local before (commandline --tokenize --cut-at-cursor --current-process)
    set --local current (commandline --current-token --cut-at-cursor)
    set --local line $before[2..-1] "$current"
    set --local candidates ($before[1] completion fish --complete -- $line 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\n' $candidates
    else
        __fish_complete_path "$current"
    end
end
complete --command learnings --no-files --arguments '(__learnings_complete)'
""",
}


class Completion(NamedTuple):
    """A candidate word and a short description, which may be empty."""

    word: str
    meaning: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SCRIPTS, metavar="SHELL", help=", ".join(SCRIPTS))
    add_flag(parser, "--complete", argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", default=[], help=argparse.SUPPRESS)


def run(args: argparse.Namespace, context: Context) -> int:
    if not args.complete:
        context.out.write(SCRIPTS[args.shell])
        return 0
    separator = {"bash": "", "zsh": ":", "fish": "\t"}[args.shell]
    for word, meaning in completions(args.words or [""]):
        context.out.write(f"{word}{separator}{meaning}\n" if separator else f"{word}\n")
    return 0


def completions(words: Sequence[str]) -> list[Completion]:
    """Return the completions of the last word; bash splits words at `=`."""
    *before, current = words
    if current == "=" and before:
        before, current = [*before, "="], ""
    return [c for c in _fitting(before, current) if c.word.startswith(current)]


def _fitting(before: Sequence[str], current: str) -> Iterator[Completion]:
    if not before:
        general = dict.fromkeys(GENERAL_OPTIONS, "") if current.startswith("-") else COMMANDS
        yield from (Completion(word, meaning) for word, meaning in general.items())
    if not before or before[0] not in COMMANDS:
        return
    arguments = [a for a in arguments_of(before[0]) if a.help != argparse.SUPPRESS]
    option = before[-2:-1] if before[-1] == "=" else before[-1:]
    valued = next((a for a in arguments if a.nargs != 0 and {*option} & {*a.option_strings}), None)
    name, is_joined, _ = current.partition("=")
    joined = next((a for a in arguments if is_joined and name in a.option_strings), None)
    if valued is not None:
        yield from map(Completion, choices_of(valued))
    elif joined is not None:
        yield from (Completion(f"{name}={choice}") for choice in choices_of(joined))
    elif current.startswith("-"):
        yield from (
            Completion(a.option_strings[-1], a.help or "") for a in arguments if a.option_strings
        )
    else:
        yield from _values(arguments, before[1:])


def _values(arguments: Sequence[argparse.Action], words: Sequence[str]) -> Iterator[Completion]:
    """Yield the values of the next positional argument, unless it is a file."""
    with_value = {name for a in arguments if a.nargs != 0 for name in a.option_strings}
    skipped = {index + 1 for index, word in enumerate(words) if word in with_value}
    given = [w for index, w in enumerate(words) if index not in skipped and not w.startswith("-")]
    number, positional = len(given), [a for a in arguments if not a.option_strings]
    if number < len(positional):
        yield from map(Completion, choices_of(positional[number]))
