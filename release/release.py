"""Release a version: change every name of version and revision, commit and tag, all or nothing.

python -m release.release X.Y.Z
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections.abc import Sequence

from release import names
from release.checkout import ROOT, Checkout, Refused


def main(argv: Sequence[str] | None = None, checkout: Checkout | None = None) -> int:
    """Release a version; return 0, or 1 after printing why nothing was done."""
    parser = argparse.ArgumentParser(prog="python -m release.release", description=__doc__)
    parser.add_argument("version", help="the next version, as X.Y.Z")
    arguments = parser.parse_args(argv)
    checkout = checkout or Checkout(ROOT)
    today = dt.datetime.now(dt.UTC).date().isoformat()
    try:
        branch = release(checkout, arguments.version, today)
    except Refused as problem:
        print(f"release: {problem}; nothing is changed", file=sys.stderr)
        return 1
    print(f"v{arguments.version} is committed and tagged. To publish it:")
    print(f"  git push --atomic origin {branch} v{arguments.version}")
    return 0


def release(checkout: Checkout, version: str, date: str) -> str:
    """Commit and tag a version and return the branch. If it raises Refused, nothing has changed."""
    refuse(checkout, version)
    branch = checkout.git("symbolic-ref", "--quiet", "--short", "HEAD")
    before = checkout.git("rev-parse", "HEAD")
    texts = new_texts(checkout, version, date)
    tag = f"v{version}"
    try:
        checkout.write(texts)
        checkout.git("commit", "--quiet", "--all", f"--message=Release {version}")
        checkout.git("tag", "--annotate", f"--message=learnings {version}", tag)
    except BaseException:  # safe, because the work tree was clean
        checkout.git("reset", "--quiet", "--hard", before)
        raise
    return branch


def refuse(checkout: Checkout, version: str) -> None:
    """Raise Refused if the version cannot follow, or the checkout is not ready for it."""
    if not names.VERSION.fullmatch(version):
        raise Refused(f"{version!r} is no version; name it as VERSION=X.Y.Z")
    if changes := checkout.git("status", "--porcelain"):
        first = changes.splitlines()[0][3:]
        raise Refused(f"the work tree has changes, in {first} first; commit or stash them")
    if checkout.git("tag", "--list", f"v{version}"):
        raise Refused(f"the tag v{version} exists; name the next version")
    sections = names.sections(checkout.read(names.CHANGELOG))
    if not sections or sections[0].name != "Unreleased":
        raise Refused(f"{names.CHANGELOG} begins with no section `## [Unreleased]`; add it")
    if not any(line.startswith("- ") for line in sections[0].text.splitlines()):
        raise Refused(f"the section Unreleased of {names.CHANGELOG} lists no change; write it")
    current = _current(checkout)
    is_first = len(sections) == 1
    if not (names.is_step(current, version) or (is_first and version == current)):
        raise Refused(f"{version} is no step from {current}; raise one number, and zero the rest")


def new_texts(checkout: Checkout, version: str, date: str) -> dict[str, str]:
    """Return by path the files that a version changes. Raises Refused if one lacks the version."""
    current, (_, before) = _current(checkout), checkout.values()
    lines = {
        names.PACKAGE: '__version__ = "{}"\n',
        names.PROJECT: '\nversion = "{}"\n',
        names.PLUGIN: '"version": "{}"',
    }
    for path, line in lines.items():
        if checkout.read(path).count(line.format(current)) != 1:
            raise Refused(f"{path} does not name the version {current} once; correct it")

    def change(path: str, text: str) -> str:
        if path in lines:
            text = text.replace(lines[path].format(current), lines[path].format(version))
        if path == names.CHANGELOG:
            text = names.released(text, version, date)
        is_kept = path.startswith(names.EXCEPT)
        return text if is_kept else names.with_revision(text, before, f"v{version}")

    return checkout.changed(change)


def _current(checkout: Checkout) -> str:
    text = checkout.read(names.PROJECT)
    return text.partition('\nversion = "')[2].partition('"')[0]


if __name__ == "__main__":
    raise SystemExit(main())
