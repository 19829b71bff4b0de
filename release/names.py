"""The places where files name our revision, version and address, as text -> text.

A revision is a tag `vX.Y.Z` or a full commit hash. Between releases all files name the last tag;
before the first tag they name a commit. The address is `HOME` in the package. Without one, files
name a clone, and those that run on a server an address that nobody can register (RFC 2606).
"""

from __future__ import annotations

import re
from typing import NamedTuple

PACKAGE = "src/learnings/__init__.py"
CHANGELOG = "CHANGELOG.md"
PROJECT = "pyproject.toml"
PLUGIN = "agent-core/.claude-plugin/plugin.json"
# Tests take the revision from the package; the changelog records the past.
EXCEPT = ("tests/", "release/", CHANGELOG)

REVISION = re.compile(r"v\d+\.\d+\.\d+|[0-9a-f]{40}")
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
ADDRESS = re.compile(r"https://[\w.-]+(?::\d+)?(?:/[\w.~-]+)+")
CLONE, SERVER = "/path/to/clone", "your-address.invalid/learnings"
# What a file says without an address and with one; the first that fits counts.
_SPELLINGS = (
    ('HOME = ""', 'HOME = "{url}"'),
    (f"`{CLONE}` is your clone of this repository.", "The only address of the project is {url}."),
    (
        f"Replace `{SERVER}` with a repository of learnings that the runner can reach.",
        "{url} is the only address of the project.",
    ),
    *(
        (f"{command} {CLONE}", f"{command} git+{{url}}@{{revision}}")
        for command in ("uvx --from", "pipx install", "pip install")
    ),
    (f"repo: {CLONE}", "repo: {url}"),
    (f"marketplace add {CLONE}", "marketplace add {url}"),
    (f"https://{SERVER}", "{url}"),
)
_GITHUB = "https://github.com/"
_SECTION = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>\S+))?\n", flags=re.MULTILINE)


class Section(NamedTuple):
    """A section of the changelog: its name, its date ("" for none) and its text."""

    name: str
    date: str
    text: str


def values(package: str) -> tuple[str, str]:
    """Return the address, which may be empty, and the revision in the text of PACKAGE."""
    home = re.search(r'^HOME = "([^"]*)"$', package, flags=re.MULTILINE)
    revision = re.search(r'^REVISION = "([^"]+)"$', package, flags=re.MULTILINE)
    if home is None or revision is None:
        raise ValueError(f"{PACKAGE} lacks HOME or REVISION")
    return home[1], revision[1]


def with_revision(text: str, before: str, after: str) -> str:
    """Return a text with another revision in place of ours; the comment of a pin stays."""
    return re.sub(rf"(?<![\w.-])(?<!\# ){re.escape(before)}(?![\w.-])", after, text)


def with_home(text: str, before: str, after: str, revision: str) -> str:
    """Return a text that names another address; an empty one is none."""
    for url, is_old in ((before, True), (after, False)):
        if not url:
            continue
        spellings = [(a, b.format(url=url, revision=revision)) for a, b in _SPELLINGS]
        if url.startswith(_GITHUB):
            name = url.removeprefix(_GITHUB)
            # The auditor takes no name that cannot be registered.
            spellings += [(f"# {SERVER}{end}", name + end) for end in (": ref-pin", "/*: ref-pin")]
            spellings.append((SERVER, name))  # in `uses:`
        for plain, named in spellings:
            text = text.replace(named, plain) if is_old else text.replace(plain, named)
    return text


def sections(changelog: str) -> list[Section]:
    """Return the sections of a changelog, in file order."""
    heads = [*_SECTION.finditer(changelog)]
    ends = [*(head.start() for head in heads[1:]), len(changelog)]
    return [
        Section(head["name"], head["date"] or "", changelog[head.end() : end])
        for head, end in zip(heads, ends, strict=True)
    ]


def released(changelog: str, version: str, date: str) -> str:
    """Return a changelog whose section Unreleased has become the section of a version."""
    return changelog.replace(
        "## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {date}\n", 1
    )


def is_step(before: str, after: str) -> bool:
    """Return True if a version is the next patch, minor or major one after another."""
    major, minor, patch = map(int, before.split("."))
    steps = ((major, minor, patch + 1), (major, minor + 1, 0), (major + 1, 0, 0))
    return tuple(map(int, after.split("."))) in steps
