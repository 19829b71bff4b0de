"""The log of a step: foreign text in it is no command."""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.surfaces.actions import ActionsLog, Content
from tests.support.command import Command
from tests.support.repository import GitRepository

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

ACTIONS = {"GITHUB_ACTIONS": "true"}
TITLE = "When ::add-mask::x ##[group]y"
STOPPED = re.compile(r"::stop-commands::(\w{32})\n(.*?)\n::\1::\n", re.DOTALL)


def test_text_stands_between_lines_that_stop_the_runner(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("agents/learnings.md", f"## {TITLE}\n\n::add-mask::x\n")
    repository.commit()
    out = learnings.process("index", "agents/learnings.md", cwd=repository.path, env=ACTIONS).out
    match = STOPPED.fullmatch(out)
    assert match
    assert r"::add-mask::x ##\x5bgroup]y" in match[2]


@pytest.mark.slow
def test_text_without_anything_like_a_command_stays_as_it_is(
    learnings: Command, repository: GitRepository
) -> None:
    """Scripts read such text from a variable."""
    repository.write("agents/learnings.md", "## When a\n\nText.\n\n## When b\n\nText.\n")
    repository.commit()
    for words in (["ages", "--summary"], ["--version"]):
        plain = learnings.process(*words, cwd=repository.path)
        logged = learnings.process(*words, cwd=repository.path, env=ACTIONS)
        assert (logged.stdout, logged.stderr) == (plain.stdout, plain.stderr)


def test_a_document_is_whole_and_holds_no_command(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("agents/learnings.md", f"## {TITLE}\n")
    words = ("index", "agents/learnings.md", "--format=json")
    run = learnings(*words, cwd=repository.path, env=ACTIONS)
    assert run.json["headings"][0]["title"] == TITLE
    assert "##[" not in run.out
    assert json.loads(learnings("schema", "due", cwd=repository.path, env=ACTIONS).out)


def test_a_file_gets_the_text_alone(
    learnings: Command, repository: GitRepository, tmp_path: Path
) -> None:
    repository.write("agents/learnings.md", f"## {TITLE}\n")
    report = tmp_path / "report.md"
    with report.open("wb") as out:
        subprocess.run(
            [learnings.path, "index", "agents/learnings.md"],
            cwd=repository.path,
            env={**os.environ, **ACTIONS},
            stdout=out,
            check=True,
        )
    assert report.read_text("utf-8") == f"- `{TITLE}` (line 1)\n"


def test_a_patch_keeps_its_bytes(learnings: Command, repository: GitRepository) -> None:
    text = "# Learnings\n\n##[L-001] When a\n\n::add-mask::x  \n\n## [L-002] When b\n\nText"
    repository.write("agents/learnings.md", text)
    run = learnings.process("fix", "--diff", cwd=repository.path, env=ACTIONS)
    assert run.code == 1
    assert STOPPED.fullmatch(run.out)
    assert "##[L-001]" in run.out
    repository.git("apply", stdin=run.stdout)
    assert learnings("fix", "--diff", cwd=repository.path).code == 0


def test_standard_error_does_not_stop_the_runner_beside_a_patch(
    learnings: Command, repository: GitRepository
) -> None:
    repository.write("agents/learnings.md", "# Learnings\n\n## When a\n\n ::add-mask::x  \n\nText")
    words = ("fix", "--diff", "agents/learnings.md", "\n::add-mask::x.md")
    run = learnings.process(*words, cwd=repository.path, env=ACTIONS)
    assert run.code == 2
    assert "stop-commands" not in run.err
    assert acting(run.err) == []


def acting(text: str) -> list[str]:
    """Return the commands that a runner finds in text; a stop command ends the search."""
    names, token = [], None
    for line in re.split(r"\r\n?|\n", text):
        older = re.search(r"##\[([^\] ]+)[^\]]*\]", line)
        match = re.match(r"\s*::([^: ]+)(?: .*?)?::(.*)", line)
        name = match[1] if match else older[1] if older else None
        if match and token == name:
            token = None
        elif match and token is None and name == "stop-commands":
            token = match[2]
        elif name is not None and token is None:
            names.append(name)
    return names


def logged(chunks: Sequence[str], content: Content = "text") -> str:
    """Return the output of several writes; an empty text means a flush."""
    buffer = io.BytesIO()
    stream = ActionsLog(buffer, encoding="utf-8", newline="\n")
    stream.content = content
    for chunk in chunks:
        stream.write(chunk) if chunk else stream.flush()
    stream.flush()
    return buffer.getvalue().decode("utf-8")


@pytest.mark.parametrize(
    "chunks",
    [
        ["::", "add-mask::x\n"],
        [":", "", ":add-mask::x\n"],
        ["a #", "", "#", "", "[add-mask]x\n"],
        ["a\r::add-mask::x\n"],
        ["a\r", ":", ":add-mask::x"],
        ["a\n", "  ", "", "::add-mask::x"],
        ["\x0b\x85\u2003::add-mask::x\n"],
    ],
)
@pytest.mark.parametrize("content", ["text", "text beside"])
def test_a_line_that_several_calls_write_is_no_command(chunks: list[str], content: Content) -> None:
    assert acting("".join(chunks)) == ["add-mask"]
    assert acting(logged(chunks, content)) == []


PIECES = st.sampled_from(["", ":", "::", "#", "##[", "[", "]", "a", "add-mask", " ", "\r", "\n"])


@given(st.lists(PIECES, max_size=20), st.lists(PIECES, max_size=20), st.randoms())
def test_nothing_acts_whatever_is_written_and_however_the_streams_mix(
    out: list[str], err: list[str], order: random.Random
) -> None:
    streams = [re.split("(?<=[\r\n])", logged(chunks)) for chunks in (out, err)]
    mixed = []
    while any(streams):
        mixed.append(order.choice([stream for stream in streams if stream]).pop(0))
        mixed += [] if mixed[-1].endswith(("\r", "\n")) else ["\n"]
    tokens = re.findall("::stop-commands::([0-9a-f]{32})", "".join(mixed))
    assert set(acting("".join(mixed))) <= set(tokens)


def test_a_line_without_its_end_is_written_at_the_end() -> None:
    shown = [logged(chunks) for chunks in (["a", "b"], ["a", "", "b\n"], ["a:"])]
    assert shown == ["ab", "ab\n", "a:\n"]


def test_a_flush_of_nothing_writes_nothing() -> None:
    """Python flushes a stream that it finalizes, and the one below may be closed by then."""
    written: list[bytes] = []

    class Buffer(io.BytesIO):
        def write(self, data: ReadableBuffer) -> int:
            written.append(bytes(data))
            return super().write(data)

    log = ActionsLog(Buffer(), encoding="utf-8")
    log.write("a\n")
    for _ in range(2):
        log.flush()
    assert written == [b"a\n"]
