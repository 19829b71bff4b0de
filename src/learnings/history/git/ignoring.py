"""Files that git would ignore, and the lines in ignore files that make git take them.

Rules of the user and the machine count, since `git add` obeys them.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import UntrustedHistory
from learnings.core.file_names import ARCHIVE_FOLDER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable
from learnings.history.git import process
from learnings.history.git.repository import output_of

IGNORE_FILE = ".gitignore"
# Characters with a special meaning in an ignore pattern.
_SPECIAL = lazy_pattern(r"([\\*?\[])")


class IgnoringRule(NamedTuple):
    """A pattern by which git ignores a path; origin is its place, `FILE:LINE`."""

    origin: str
    pattern: str

    def __str__(self) -> str:
        return f"{printable(self.origin)}: {printable(self.pattern)}"


def ignored_files(folder: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return the untracked paths that git ignores by the rules of the repository, not of a user.

    paths are POSIX, from the folder; if git ignores the folder itself, none of them. Empty if git
    fails.
    """
    rules = ignoring_rules(folder, [".", *paths], "-c", "core.excludesFile=")
    return frozenset() if "." in rules else frozenset(rules)


def ignoring_rules(
    folder: Path, paths: Iterable[str], *options: str, with_tracked: bool = False
) -> dict[str, IgnoringRule]:
    """Return the rules by which git ignores untracked paths, POSIX from the folder.

    options go before git's command; with_tracked also gives the rules about tracked paths. Empty
    if git fails.
    """
    asked = [*paths]
    # This command refuses literal pathspecs, and a leading colon is magic.
    command = [*options, "--no-literal-pathspecs", "check-ignore", "--verbose", "-z", "--stdin"]
    command += ["--no-index"] if with_tracked else []
    try:
        running = process.start(command, folder, interactive=True)
    except UntrustedHistory:
        return {}
    printed, _ = running.communicate(os.fsencode("".join(f"./{path}\0" for path in asked)))
    if running.returncode not in (0, 1) and len(asked) > 1:
        # A path that git refuses, such as one in a submodule, fails the command for all others.
        rules: dict[str, IgnoringRule] = {}
        for path in asked:
            rules |= ignoring_rules(folder, [path], *options, with_tracked=with_tracked)
        return rules
    fields = os.fsdecode(printed).split("\0")
    return {
        path.removeprefix("./"): IgnoringRule(f"{source}:{line}", pattern)
        for source, line, pattern, path in zip(*[iter(fields)] * 4, strict=False)
        if not pattern.startswith("!")
    }


def remedy(folder: Path, path: str) -> str:
    """Return the advice that makes git take a file that it ignores, POSIX from the folder.

    Git cannot take a file below an ignored folder, so git tried the advice on copies of the ignore
    files.
    """
    try:
        lifting = _lines_to_add(folder, path)
    except OSError:  # an unreadable file, or no room for the copies
        lifting = {}
    parts = []
    for file, lines in lifting.items():
        *others, last = map(printable, lines)
        added = f"lines {', '.join(others)} and {last}" if others else f"line {last}"
        parts.append(f"add the {added} at the end of {printable(file)}")
    return " and ".join(parts) or "change this rule"


def _lines_to_add(folder: Path, path: str) -> Mapping[str, list[str]]:
    """Return lines that lift all rules about a file, by ignore file; empty if there are none."""
    from shutil import copyfile  # noqa: PLC0415  (few files are ignored)
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (as above)

    located = output_of(folder, "rev-parse", "--show-toplevel", "--absolute-git-dir")
    top, git_folder = located.split("\n")
    parts = Path(os.path.relpath(os.path.realpath(folder), top), path).parts
    levels = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    lines: defaultdict[str, list[str]] = defaultdict(list)
    with TemporaryDirectory(prefix="learnings-", ignore_cleanup_errors=True) as name:
        copy = Path(name)
        for level in ("", *levels[:-1]):
            (copy / level).mkdir(exist_ok=True)
            file = Path(top, level, IGNORE_FILE)
            if file.is_file() and not file.is_symlink():  # git follows no link
                copyfile(file, copy / level / IGNORE_FILE)
        options = f"--git-dir={git_folder}", f"--work-tree={copy}"
        while rules := ignoring_rules(copy, levels, *options, with_tracked=True):
            level = next(level for level in levels if level in rules)
            source = Path(rules[level].origin.rpartition(":")[0])
            is_ours = source.name == IGNORE_FILE and not source.is_absolute()
            changed = source.as_posix() if is_ours else IGNORE_FILE  # which overrides other files
            new = _lifting(level, changed, is_folder=level != levels[-1], top=Path(top))
            if Path(top, changed).is_symlink() or new[0] in lines[changed]:
                return {}
            lines[changed] += new
            with (copy / changed).open("a", encoding="utf-8", errors="surrogateescape") as text:
                text.write("".join(f"\n{line}\n" for line in new))
    return lines


def _lifting(level: str, file: str, *, is_folder: bool, top: Path) -> list[str]:
    """Return the lines that make git take a file or folder; the other files in it stay ignored.

    Lines about an archive are about all of its folder.
    """
    inner = level.removeprefix(file.removesuffix(IGNORE_FILE))
    literal = _SPECIAL.sub(r"\\\1", inner)
    if is_folder:
        folder = top / level
        own = ".md" if folder.name == ARCHIVE_FOLDER else None
        has_others = folder.is_dir() and any(path.suffix != own for path in folder.iterdir())
        return [f"!/{literal}/", *([f"/{literal}/*"] if has_others else [])]
    above = literal.rpartition("/")[0]
    is_archive = Path(level).parent.name == ARCHIVE_FOLDER
    return [f"!/{above}/*.md".replace("//", "/") if is_archive else f"!/{literal}"]
