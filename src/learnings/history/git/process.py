"""Git processes whose output depends only on the repository, and the path of a program.

Configuration is overridden key by key and never hidden: without `safe.directory`, every run in a
container would fail. `GIT_DIR` and similar variables are dropped, so that the file's own repository
counts.

Windows searches the current folder first, and POSIX does for `.` and for an empty entry of PATH, so
a repository could provide a `git` of its own (the class of CVE-2023-40590).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from learnings.core.errors import GitNotStarted, UntrustedHistory

_SUFFIX = ".exe" if os.name == "nt" else ""


def search_folders() -> tuple[str, ...]:
    """Return the folders of PATH, without relative and empty entries."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    unquoted = (entry.strip('"') if os.name == "nt" else entry for entry in entries)
    return tuple(entry for entry in unquoted if Path(entry).is_absolute())


def find_program(name: str, folder: Path) -> str | None:
    """Return the absolute path of a program to run in a folder, or None if there is none.

    A PATH folder inside the surrounding repository, or inside the repository of the working
    directory, does not count.
    """
    try:
        working = str(Path.cwd())
    except OSError:  # it was deleted
        working = str(folder)
    repositories = {*map(_repository, {working, os.path.abspath(folder)})} - {None}  # noqa: PTH100  (links stay)
    for entry in search_folders():
        program = os.path.join(entry, name + _SUFFIX)  # noqa: PTH118  (PATH as it is written)
        if os.path.isfile(program) and os.access(program, os.X_OK):  # noqa: PTH113
            real = Path(os.path.realpath(entry))
            if not any(top and real.is_relative_to(top) for top in repositories):
                return program
    return None


def _repository(folder: str) -> str | None:
    """Return the top of the repository around a folder; the file system root does not count."""
    top = os.path.realpath(folder)
    while (parent := os.path.dirname(top)) != top:  # noqa: PTH120  (no path is made of each)
        if os.path.lexists(f"{top}{os.sep}.git"):
            return top
        top = parent
    return None


# Variables that git exports to hooks, and others that select another repository or other paths.
_DROPPED = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)

SETTINGS = (
    "color.ui=false",
    "core.fsmonitor=false",
    "diff.algorithm=myers",
    "diff.indentHeuristic=true",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "diff.renameLimit=2000",
    "i18n.logOutputEncoding=UTF-8",
    "log.diffMerges=separate",
    "log.follow=false",
    "log.showRoot=true",
    "log.showSignature=false",
)
"""Settings that fix the output of git for any configuration."""

_CHUNK = 1 << 16  # bytes, the capacity of a pipe on Linux unless it is widened
_MOST_UNREAD = 1 << 20  # bytes; any user may widen a pipe as far
_prefetched: dict[tuple[Path, tuple[str, ...]], subprocess.Popen[bytes]] = {}

GIT_MISSING = (
    "cannot find git; install it and make sure that it is on PATH, outside this repository"
)


class GitFailed(Exception):
    """Git ended with an error; str() is its output, in English."""

    def __init__(self, printed: bytes) -> None:
        super().__init__(printed.decode("utf-8", "replace").strip())


OFFLINE = "GIT_NO_LAZY_FETCH"
"""The variable by which git 2.45 and later fetches no objects for a partial clone."""


def is_offline() -> bool:
    return os.environ.get(OFFLINE, "0").casefold() not in ("", "0", "false", "no", "off")


def environment() -> dict[str, str]:
    """Return the environment variables for a git process that reads history."""
    # A trace would fill the pipe of standard error, which is read only at the end.
    names = (n for n in os.environ if n not in _DROPPED and not n.startswith("GIT_TRACE"))
    kept = {name: os.environ[name] for name in names}
    if is_offline():  # older versions of git do not know the variable
        kept["GIT_ALLOW_PROTOCOL"] = "none"
    return kept | {
        # Large blocks save a third of the time for the dates of a million commits.
        "GIT_FLUSH": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "LANGUAGE": "",
        "LC_ALL": "C",
        "PATH": os.pathsep.join(search_folders()),
    }


def start(
    arguments: Sequence[str],
    cwd: Path,
    *,
    interactive: bool = False,
    index_file: str | None = None,
) -> subprocess.Popen[bytes]:
    """Start git, or take over the process that prefetch() started with the same arguments.

    interactive opens standard input. index_file replaces the repository's own index. Raises
    UntrustedHistory if git is not installed.
    """
    if index_file is None and (prefetched := _prefetched.pop((cwd, tuple(arguments)), None)):
        return prefetched
    variables = environment()
    if index_file is not None:
        variables["GIT_INDEX_FILE"] = index_file
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    program = find_program("git", cwd)
    if program is None:
        raise UntrustedHistory(GIT_MISSING)
    try:
        process = subprocess.Popen(
            [program, "--no-pager", *settings, *arguments],
            cwd=cwd,
            env=variables,
            stdin=subprocess.PIPE if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError as error:
        if not cwd.is_dir():
            raise UntrustedHistory(f"{cwd} is not a folder; give an existing path") from error
        raise UntrustedHistory(GIT_MISSING) from error
    except OSError as error:
        raise GitNotStarted(f"cannot start git ({error.strerror}); try again") from error
    _widen(process)
    return process


def _widen(process: subprocess.Popen[bytes]) -> None:
    """Let git print as much as Linux allows before anybody reads it."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl  # noqa: PLC0415  (Windows lacks it)

        assert process.stdout is not None
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _MOST_UNREAD)


def prefetch(arguments: Sequence[str], cwd: Path, *, interactive: bool = False) -> None:
    """Start git before start() is called with the same arguments; leave failures to start()."""
    with contextlib.suppress(UntrustedHistory):
        _prefetched[cwd, tuple(arguments)] = start(arguments, cwd, interactive=interactive)


def stop_prefetched() -> None:
    """Stop the prefetched processes that no start() has taken over."""
    while _prefetched:
        _, process = _prefetched.popitem()
        process.kill()
        process.communicate()


class Background:
    """A git process whose output is read as it arrives, so that it never blocks on a full pipe.

    A thread reads: otherwise git, waiting for its output to be read, and a caller, waiting for its
    input to be taken, would wait for each other; and Windows cannot poll pipes.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        from queue import SimpleQueue  # noqa: PLC0415  (what the cache knows needs none)

        self._process = process
        self._chunks: SimpleQueue[bytes] = SimpleQueue()
        self._stderr = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None
        assert stderr is not None
        with stdout, stderr:
            try:
                while chunk := os.read(stdout.fileno(), _CHUNK):
                    self._chunks.put(chunk)
            finally:
                self._chunks.put(b"")  # even if reading fails, since somebody waits for it
            self._stderr = stderr.read()
        self._process.wait()

    def chunks(self) -> Iterator[bytes]:
        """Yield the output of git in blocks as it arrives; raises GitFailed after the last."""
        yield from iter(self._chunks.get, b"")
        self._chunks.put(b"")  # for the next call
        self._reader.join()
        if self._process.wait():
            raise GitFailed(self._stderr)

    def read_until(self, end: bytes) -> bytes:
        """Return the output up to an end that git prints; raises GitFailed if it stops before."""
        printed = bytearray()
        for chunk in self.chunks():
            printed += chunk
            if printed.endswith(end):
                return bytes(printed.removesuffix(end))
        raise GitFailed(self._stderr)

    def write(self, data: bytes) -> None:
        """Send data to an interactive git; reading raises its failures."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def close(self) -> None:
        """Kill the process, whose remaining output is not needed."""
        self._process.kill()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # git may not have read all of it
                self._process.stdin.close()

    def finish(self) -> bytes:
        """Wait for the end of a git without input and return the output; raises GitFailed."""
        return b"".join(self.chunks())


def run(
    arguments: Sequence[str], cwd: Path, *, data: bytes | None = None, index_file: str | None = None
) -> bytes:
    """Return what git prints, given data on standard input or another index; raises GitFailed."""
    process = start(arguments, cwd, interactive=data is not None, index_file=index_file)
    printed, errors = process.communicate(data)
    if process.returncode:
        raise GitFailed(errors)
    return printed


def paths_in(printed: bytes) -> list[str]:
    """Return the paths that git printed with `-z`."""
    return [os.fsdecode(path) for path in printed.split(b"\0") if path]
