"""The command `learnings`: run the module of a command and turn errors into exit codes."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

import learnings
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.text import printable_lines, suggestion
from learnings.surfaces.cli import commands
from learnings.workspace.clock import Clock

NEED_HISTORY = ("ages", "batch", "due", "plan", "precheck", "route")
"""Commands that read git history."""
FIXED = ("completion", "explain", "rules", "schema")
"""Commands whose output does not depend on the repository."""
PATCH_OPTION = "dry_run"
"""The option that makes a command print a patch."""

_NO_SPACE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
# Errors of a write: full device, quota, `ulimit -f`, failing device, read-only stream, full
# non-blocking pipe, pipe without a reader.
_STREAM_ERRORS = {*_NO_SPACE, *(errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN, errno.EPIPE)}


def entry_point(*words: str) -> Callable[..., int]:
    """Return a function that runs the command line `words + argv`, and returns its exit code.

    Without argv it takes the arguments of the process, and ends it. Garbage collection would take a
    tenth of the check of a file. At the end everything is written and closed, so os._exit() saves
    the 2 to 4 ms that Python needs to free its modules.
    """

    def run(argv: Sequence[str] | None = None) -> int:
        if argv is not None:
            return main([*words, *argv])
        gc.disable()
        code = main([*words, *sys.argv[1:]])
        os._exit(code)

    return run


program = entry_point()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line (argv without the program name) and return the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    try:
        with _offline(words):
            code = _code_of(words)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        code = commands.CLEAN
    except OSError as error:
        reason = error.strerror or "unknown reason"
        sentence = f"cannot write output: {reason}; redirect it"
        if error.errno in _NO_SPACE:
            sentence = "cannot write output: no space left; free some and try again"
        _report(UsageProblem(sentence))
        code = commands.WRONG
    # Drop output that cannot be written; Python would retry at exit, and return 120.
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except OSError:
            setattr(sys, name, io.StringIO())
    return code


@contextlib.contextmanager
def _offline(words: list[str]) -> Iterator[None]:
    """Take the option of all commands out of the words, and obey it before git is started."""
    end = words.index("--") if "--" in words else len(words)
    if commands.OFFLINE not in words[:end]:
        yield
        return
    from learnings.history.git.process import OFFLINE  # noqa: PLC0415  (seldom given)

    words[:end] = [word for word in words[:end] if word != commands.OFFLINE]
    before = os.environ.get(OFFLINE, "")
    os.environ[OFFLINE] = "1"
    try:
        yield
    finally:
        os.environ[OFFLINE] = before


def _code_of(words: Sequence[str]) -> int:
    """Run the command line; raise OSError if the output cannot be written."""
    if words[:1] == ["help"]:  # `help COMMAND`
        words = [*words[1:], "--help"]
    elif words[:1] == ["version"]:
        words = ["--version", *words[1:]]
    name = words[0] if words and words[0] in commands.COMMANDS else None
    try:
        return _without_command(words) if name is None else _run(name, words[1:])
    except SystemExit as ended:  # argparse ends --help and --version this way
        return int(ended.code or commands.CLEAN)
    except LearningsError as error:
        _report(error)
        return commands.code_of(error, name)
    except KeyboardInterrupt:
        return commands.INTERRUPTED
    except Exception as error:
        # An error of a stream, unlike all others, names no file.
        if isinstance(error, OSError) and error.filename is None and error.errno in _STREAM_ERRORS:
            raise
        _report_defect(words)
        return commands.DEFECT


def _prepare_streams() -> None:
    """Write UTF-8 in any locale, because entries use any script; allow closed streams."""
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, io.UnsupportedOperation):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    if os.environ.get("GITHUB_ACTIONS") == "true":
        from learnings.surfaces import actions  # noqa: PLC0415  (needed there only)

        actions.use_for_standard_streams()


def _without_command(words: Sequence[str]) -> int:
    if not words and {"_ARGCOMPLETE", "COMP_LINE"} <= os.environ.keys():  # a shell asks
        from learnings.surfaces.cli.completion import complete  # noqa: PLC0415  (only then)

        complete()
    if words and not words[0].startswith("-"):
        otherwise = "see `learnings --help` for all commands"
        advice = suggestion(words[0], commands.COMMANDS, otherwise=otherwise)
        raise UsageProblem(f"unknown command {words[0]!r}; {advice}")
    if words:
        from learnings.surfaces.cli.arguments import add_general_options, parser_for  # noqa: PLC0415  (as in _run)
        from learnings.surfaces.cli.usage import epilog  # noqa: PLC0415  (seldom needed)

        parser = parser_for(prog="learnings", description=learnings.__doc__, epilog=epilog())
        parser.usage = "learnings [-h] [-V] [--offline] [COMMAND ...]"
        add_general_options(parser)
        parser.parse_args(words)
        parser.print_help()
        return commands.CLEAN
    from learnings.history.git.commands import prefetching  # noqa: PLC0415  (for this and NEED_HISTORY only)

    with prefetching(words, _working_directory()):
        return _in_context(_overview)


def _overview(context: commands.Context) -> int:
    """Print the state of the memory and the next step; return 2 if a file cannot be read."""
    from learnings.app.overview import overview  # noqa: PLC0415  (without a command only)
    from learnings.surfaces.cli.arguments import command_table  # noqa: PLC0415  (as above)
    from learnings.surfaces.render.overview import as_text  # noqa: PLC0415  (as above)

    result = overview(context.workspace, commands=command_table)
    context.out.write(commands.coloured(as_text(result), "overview", context.out))
    return commands.WRONG if result.is_broken else commands.CLEAN


def _run(name: str, words: Sequence[str]) -> int:
    git: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    if name in NEED_HISTORY:
        from learnings.history.git.commands import prefetching  # noqa: PLC0415  (the others do without)

        git = prefetching(words, _working_directory())
    with git:  # it works while the modules load
        from learnings.surfaces.cli.arguments import command_with, parser_for  # noqa: PLC0415

        parser = parser_for(prog=f"learnings {name}")
        command = command_with(parser, name)
        parser.description = command.__doc__
        args = parser.parse_args(words)
        if os.environ.get("GITHUB_ACTIONS") == "true":  # keep the runner from obeying the output
            from learnings.surfaces import actions  # noqa: PLC0415  (needed there only)

            format_name = getattr(args, "format", None) or "text"
            content = "document" if name in FIXED else commands.content_of(format_name)
            actions.announce(content, is_patch=getattr(args, PATCH_OPTION, False))
        return _in_context(partial(command.run, args), is_server=name == "lsp")


def _in_context(run: Callable[[commands.Context], int | None], *, is_server: bool = False) -> int:
    streams: contextlib.AbstractContextManager[tuple[TextIO, TextIO]]
    folder, streams = _working_directory(), contextlib.nullcontext((sys.stdout, sys.stderr))
    if sys.stderr.isatty() and not is_server:
        from learnings.surfaces.cli.progress_line import shown_progress  # noqa: PLC0415  (for people who wait)

        streams = shown_progress(sys.stdout, sys.stderr)
    with streams as (out, err):
        return run(commands.Context(folder, out=out, err=err, clock=Clock())) or commands.CLEAN


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageProblem(
            "the working directory no longer exists; change to one that does"
        ) from error


def _report(error: LearningsError) -> None:
    with contextlib.suppress(OSError):  # the exit code still reports it
        sys.stderr.write(commands.note_line(error, sys.stderr))


def _report_defect(words: Sequence[str]) -> None:
    import platform  # noqa: PLC0415  (needed for defects only)
    import traceback  # noqa: PLC0415  (for a defect only)

    sys.stdout = io.StringIO()
    text = (
        "learnings: this is a bug in learnings; please report it with the lines "
        f"below\n\nlearnings {learnings.__version__}, Python "
        f"{platform.python_version()}, {platform.system()}\ncommand line: "
        f"{words!r}\n{printable_lines(traceback.format_exc())}\n"
    )
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
