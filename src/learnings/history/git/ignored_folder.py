"""Why git would not take a new file: the rule that ignores it, and the line that lifts it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import UntrustedHistory
from learnings.core.patterns import lazy_pattern
from learnings.history.git import process
from learnings.history.git.ignored import IGNORE_FILE
from learnings.history.git.process import GitFailed

# What has a meaning of its own in a pattern of an ignore file.
_SPECIAL = lazy_pattern(r"([\\*?\[])")


class IgnoringRule(NamedTuple):
    """A rule by which git ignores a path, and the line that lifts it with the file to add it to.

    origin is where the rule is written, as `FILE:LINE`.
    """

    origin: str
    pattern: str
    line: str
    file: str


def ignoring_rule(folder: Path, path: str) -> IgnoringRule | None:
    """Return the rule by which git ignores a file, None where none does or git cannot say.

    path is POSIX, from the folder. Rules of the user and the machine count: `git add` obeys them. A
    tracked file is never ignored.
    """
    try:
        top = Path(os.fsdecode(process.run(["rev-parse", "--show-toplevel"], folder)).rstrip("\n"))
    except (GitFailed, UntrustedHistory):
        return None
    parts = Path(os.path.relpath(os.path.realpath(folder), top), path).parts
    *folders, name = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    rules = _rules(top, [*folders, *(f"{folder}/" for folder in folders), name])
    if name not in rules:
        return None
    for ignored in folders:
        # The slash stands for a folder that may be missing; what is ignored in it is not itself.
        as_folder = rules.get(f"{ignored}/", ("", "", "*"))
        if ignored in rules or not as_folder[2].endswith("*"):
            return _with_line(rules.get(ignored, as_folder), f"{ignored}/")
    return _with_line(rules[name], name)


def _rules(top: Path, paths: Sequence[str]) -> Mapping[str, tuple[str, str, str]]:
    """Return the rules that ignore paths, by path: source, line and pattern."""
    # This command refuses literal pathspecs; `./` keeps a leading colon from being magic.
    command = ["--no-literal-pathspecs", "check-ignore", "--verbose", "-z", "--stdin"]
    running = process.start(command, top, interactive=True)
    printed, _ = running.communicate(b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths))
    fields = os.fsdecode(printed).split("\0")
    rows = zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    return {
        path.removeprefix("./"): (source, line, pattern)
        for source, line, pattern, path in rows
        if not pattern.startswith("!")
    }


def _with_line(rule: tuple[str, str, str], path: str) -> IgnoringRule:
    """Return a rule with the line that lifts it; of rules in one file the last one counts.

    An ignore file in a folder counts more than one above it, and all of them more than other rules.
    """
    source, number, pattern = rule
    is_ours = source.rpartition("/")[2] == IGNORE_FILE and not Path(source).is_absolute()
    file = source if is_ours else IGNORE_FILE
    inner = path.removeprefix(file.removesuffix(IGNORE_FILE))
    literal = _SPECIAL.sub(r"\\\1", inner)
    if not inner.endswith("/"):
        literal = f"{literal.rpartition('/')[0]}/*.md".lstrip("/")
    return IgnoringRule(f"{source}:{number}", pattern, f"!/{literal}", file)
