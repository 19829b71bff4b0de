"""Foreign text has no effect in our output: every command, in every format.

The calls come from the tables of commands and formats, so a new one is covered or reported as
missing. Raw output is checked, so a renderer that forgets to escape fails.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from unicodedata import category

import pytest
from markdown_it import MarkdownIt

import learnings as package
from learnings.surfaces.cli.commands import COMMANDS, FORMATS
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no such names"),
]

ACTIVE = (  # what takes effect in Markdown, on GitHub too
    "#1 GH-3 @someone &#64;someone https://evil.example www.evil.example a@evil.example "
    "<b>bold</b> ![i](https://evil.example/i.png) [^1] [l](https://evil.example) **x** a\\|@late | "
)
SEEN = f"{ACTIVE}::add-mask::hostile ##[group]hostile"
HIDDEN = "\x1b[35m\x1b]0;title\x07\x9b31m\x7f\u202e\u2066\u200b\ufeff\u2028\U000e0041\u3164"
TITLE = f"When {{}} {HIDDEN}{SEEN}"
BODY = f"::add-mask::hostile\n  ::add-mask::hostile\n{HIDDEN} ##[group]hostile\nLook at caches.  \n"
PATH = f"::add-mask::hostile ##[group]x\x1b[31m\u202e\n::add-mask::second{chr(0xDC9B)}/learnings.md"
TARGET = "agents/notes/::add-mask::hostile \x1b[31m\n::add-mask::second\u202e.md"
STORY = ".shaktra/stories/::add-mask::hostile \x1b[31m\n::add-mask::second\u202e"
LOST = "docs/learnings.md"
PLAN = "tmp/plan.md"
SECOND = TITLE.format("two")
TIERS = "notes/::add-mask::hostile \x1b[31m\u202e"
FOUND = {"proposedRule": SEEN + HIDDEN, "description": BODY, "disposition": HIDDEN}
CONFIG = """\
targets = ["agents/notes/*.md"]
title-prefixes = ["How \\u001b[31m\\n::add-mask::second\\u202e "]
[tiers]
path = "notes/::add-mask::hostile \\u001b[31m\\u202e"
[issue]
title = "{file} ::add-mask::hostile ##[group] \\u3164"
"""
WRONG_CONFIG = '"\\u001b[31m\\n::add-mask::second\\u202e ##[group]" = "\\u001b"\n'
# The words of a call for each result that has formats, but for the format.
WORDS: dict[str, list[str]] = {
    "ages": ["ages", PATH],
    "archive": ["archive", "--list", "--file", PATH],
    "batch": ["batch", PATH],
    "briefing": ["memory", "brief", "--story", TARGET],
    "config-report": ["config"],
    "curation": ["memory", "curate", "--dry-run"],
    "doctor": ["doctor"],
    "due": ["due", PATH],
    "due-brief": ["due", "--brief", PATH],
    "findings": ["check", PATH, TARGET],
    "groups": ["groups", PATH],
    "index": ["index", TARGET],
    "precheck": ["precheck", "--all", PATH],
    "diff": ["diff"],
    "verify": ["verify"],
    "replay": ["due", "--replay", PATH],
    "report": ["report", "--output=-"],
    "fleet": ["fleet", "scan", ".", f"none{PATH}"],
    "routes": ["route", "--all", PATH],
    "rules": ["rules"],
    "statistics": ["memory", "stats"],
    "tiers-compact": ["tiers", "compact", "--plan"],
    "tiers-promote": ["tiers", "promote"],
    "tiers-status": ["tiers", "status"],
}
OTHERS = [
    [],
    ["ages", "--summary", PATH, TARGET],
    ["baseline"],
    ["check", "--history", "--verbose", PATH],
    ["ci", PATH],
    ["ci", "--dry-run", "--notify=github", PATH],
    ["completion", "bash"],
    ["explain", "duplicate-entry"],
    ["fix", PATH],
    ["init", "--dry-run"],
    ["plan", "--all", "--output", PLAN, "agents/learnings.md"],
    ["apply", "--as-proposed", PLAN],
    ["resolve", "--file", "agents/learnings.md", SECOND],
    ["report", "--consolidation", PLAN],
    ["report", "--badge", "--output=-"],
    ["archive", "--file", "agents/learnings.md", "--reason", SEEN, SECOND],
    ["archive", "--list"],
    ["archive", "--file", "agents/learnings.md", "--restore", SECOND],
    ["split", TARGET],
    ["memory", "check"],
    ["merge-driver", PATH, PATH, f"none{PATH}", PATH],
    ["notify", "github", "--dry-run", PATH],
    ["notify", "file", "--dry-run"],
    ["schema", "due"],
    ["tiers", "check"],
    ["tiers", "status", "--verbose"],
    ["tiers", "compact"],
]
WRONG = [  # what is on the command line comes from others, too
    ["check", f"none{PATH}"],
    ["due", f"--{PATH}"],
    ["explain", PATH],
    ["ages", f"none{PATH}"],
    ["ages", PATH, f"none{PATH}"],
    ["due", PATH, f"none{PATH}"],
    ["route", "--targets", TARGET, f"none{PATH}"],
    ["notify", "file", PATH],
    ["plan", "--all", PATH],
    [PATH],
]
# What these print is the same in every repository.
OURS = [["completion"], ["explain"], ["rules"], ["schema"]]
COLOURS = re.compile(rb"\x1b\[(?:[012]|3[1236])m")  # the codes of our own
# Where Markdown keeps its effect, since programs take it apart: the headings in ages, the entries.
KEEP_MARKDOWN = ("ages", "batch")


def calls() -> Iterator[list[str]]:
    """Yield the words of each call."""
    for result, formats in FORMATS.items():
        for name in formats:
            yield [*WORDS[result], "--format", name]
    yield from OTHERS


class Run(NamedTuple):
    """A call, and what it printed."""

    words: list[str]
    code: int
    out: str
    err: str


def runs(repository: GitRepository, **env: str) -> list[Run]:
    """Return what all calls print; raises UnicodeDecodeError for non-UTF-8 bytes."""
    learnings, results = Command("learnings"), []
    for words in [*calls(), *WRONG]:
        done = learnings(*words, cwd=repository.path, env=env)
        own = COLOURS if "FORCE_COLOR" in env else re.compile(b"$^")
        texts = [own.sub(b"", data).decode() for data in (done.stdout, done.stderr)]
        results.append(Run(words, done.code, *texts))
    return results


@pytest.fixture
def hostile(repository: GitRepository) -> GitRepository:
    """Return a repository in which everything is written to attack our output."""
    entries = "".join(f"## {TITLE.format(n)}\n\n{BODY}\n" for n in ("one", "two", "three", "one"))
    repository.write(PATH, f"# Learnings\n\n{entries}")
    repository.write("agents/learnings.md", f"# Learnings\n\n{entries}##{SEEN}\n")
    repository.write(TARGET, f"# Target\n\n## {TITLE.format('caches')}\n\n{BODY}")
    repository.write(LOST, f"# Learnings\n\n## ::add-mask::hostile {HIDDEN}\n\nLook at queues.\n")
    said = json.dumps(f"Wrong {SEEN}")
    wrong = f"observations:\n- {{id: {said}, type: {said}, text: {said}}}\n"
    right = f"- {{id: OB-002, type: fix-rationale, text: {said}, tags: [{said}]}}\n"
    repository.write(f"{STORY}/.observations.yml", wrong + right)
    entry = f"{{id: {said}, text: {said}, confidence: 0.5, guidance: [{said}], tags: [{said}]}}"
    repository.write(".shaktra/memory/principles.yml", f"principles:\n- {entry}\n")
    repository.write("learnings.toml", CONFIG)
    for name in ("one", "two", "three"):
        raw = {"workId": f"{SEEN} {HIDDEN}", "timestamp": HIDDEN, "findings": [FOUND, FOUND]}
        repository.write(f"{TIERS}/hostile {name}.json", json.dumps(raw))
    repository.write(f"{TIERS}/\x1b[31m\u202e.json", "not JSON")
    repository.write(f"{TIERS}/INDEX.md", f"**{SEEN}** — {HIDDEN} → themes/{HIDDEN}.md\n")
    repository.write(f"{TIERS}/themes/\x1b[31m.md", f"# {SEEN}\n{HIDDEN}")
    call = "on: pull_request\njobs:\n  x:\n    uses: ada/learnings@::add-mask::x\n"
    repository.write(f".github/workflows/{TIERS.rpartition('/')[2]}.yml", call)
    author = "\x1b[31m::add-mask::hostile <a@b.example>"
    repository.commit(f"{SEEN}\n\n::add-mask::x", date="2026-01-01", author=author)
    repository.work("2026-01-02", days=20)
    (repository.path / LOST).unlink()
    return repository


def hidden(run: Run) -> set[str]:
    """Return invisible text in output."""
    return {
        character
        for character in {*run.out, *run.err}
        if category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or character == "\u3164"
    } - {"\n", "\t"}


def live_commands(text: str) -> list[str]:
    """Return the lines in which a runner of GitHub Actions finds a foreign command."""
    live, token = [], None
    for line in re.split(r"\r\n?|\n", text):
        if token is not None:
            token = None if line == f"::{token}::" else token
            continue
        match = re.match(r"\s*::([^: ]+)(?: [^:]*)?::(.*)", line)
        if match and match[1] == "stop-commands":
            token = match[2]
        elif "##[" in line or (match and match[1] not in ("error", "notice", "warning")):
            live.append(line)
    assert token is None, "the runner stays stopped"
    return live


class Live(HTMLParser):
    """Collects what takes effect in HTML: tags, and text outside of code as GitHub reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.effects: list[str] = []
        self._in_code = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Note the tag."""
        self._in_code += tag in ("code", "pre")
        own = package.HOME != "" and package.HOME in str(dict(attrs).get("href"))
        if tag in ("a", "b", "img", "input", "sup") and not own:
            self.effects.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        """Note that code is over."""
        self._in_code -= tag in ("code", "pre")

    def handle_data(self, data: str) -> None:
        """Note what GitHub would make a link of."""
        if not self._in_code:
            self.effects += re.findall(r"[@#]\w+|GH-\d|https?:|www\.|hostile|evil", data)


def live_markdown(text: str) -> list[str]:
    """Return the active Markdown in a text, except for ours."""
    parser = Live()
    parser.feed(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text))
    return parser.effects


def test_there_is_a_call_for_every_command_and_format() -> None:
    assert set(WORDS) == set(FORMATS), "add the words of a call to WORDS"
    # An editor starts `lsp`, asks it, and reads its answers as JSON.
    called = {words[0] for words in calls() if words}
    assert called == {*COMMANDS} - {"lsp"}, "add a call to OTHERS"


def test_nothing_is_hidden_and_no_name_begins_a_line(hostile: GitRepository) -> None:
    """Text after a line end in a name would look like a line of ours."""
    results = runs(hostile, FORCE_COLOR="1")
    assert [(run, hidden(run)) for run in results if hidden(run) or run.code == 3] == []
    lines = [line.strip() for run in results for line in f"{run.out}\n{run.err}".split("\n")]
    assert [line for line in lines if line.startswith("::add-mask::second")] == []
    assert [run for run in results if run.code > 1 and run.words not in WRONG] == []
    shown = [run for run in results if "--format" in run.words and run.words[:1] not in OURS]
    assert [run.words for run in shown if "hostile" not in run.out] == []


def test_nothing_in_a_log_is_a_command(hostile: GitRepository, tmp_path: Path) -> None:
    results = runs(hostile, GITHUB_ACTIONS="true", RUNNER_TEMP=str(tmp_path))
    live = [(run.words, live_commands(run.out) + live_commands(run.err)) for run in results]
    assert [(words, lines) for words, lines in live if lines] == []
    assert [run for run in results if hidden(run) or run.code == 3] == []


def test_nothing_in_markdown_takes_effect(
    learnings: Command, hostile: GitRepository, tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    learnings("ci", PATH, cwd=hostile.path, env={"GITHUB_STEP_SUMMARY": str(summary)})
    texts = {"summary": summary.read_text("utf-8")}
    for result, formats in FORMATS.items():
        if "markdown" in formats and result not in KEEP_MARKDOWN:
            run = learnings(*WORDS[result], "--format", "markdown", cwd=hostile.path)
            texts[result] = run.out
    failures = {name: live for name, text in texts.items() if (live := live_markdown(text))}
    assert failures == {}
    assert all("hostile" in text for text in texts.values())


def test_a_wrong_configuration_is_quoted(hostile: GitRepository) -> None:
    hostile.write("learnings.toml", WRONG_CONFIG)
    results = runs(hostile, GITHUB_ACTIONS="true")
    assert [run for run in results if hidden(run) or run.code == 3] == []
    assert [run for run in results if live_commands(run.out) + live_commands(run.err)] == []
