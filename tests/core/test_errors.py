"""The sentences of the problems that end a command: one style, wherever they are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import learnings
from learnings.core import errors
from tests.support.cases import cases

KINDS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.LearningsError)
}
HOLE = "…"


@cache
def sentences() -> list[tuple[str, str]]:
    """Return where each sentence is written and its text, with a hole for each value in it."""
    folder = Path(learnings.__file__).parent
    return [
        (f"{path.stem}:{call.lineno}", text)
        for path in sorted(folder.rglob("*.py"))
        for call in problems(path.read_text(encoding="utf-8"))
        if re.search(r"\w", text := with_holes(call.args[0]))  # else it is put together elsewhere
    ]


def problems(source: str) -> Iterator[ast.Call]:
    """Give the calls in a module that make a problem."""
    if not any(kind in source for kind in KINDS):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in KINDS:
            yield node


def with_holes(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(with_holes(part) for part in node.values)
    return HOLE


def style(sentence: str) -> list[str]:
    """Return what a sentence lacks; one that starts with a name may start as the name does."""
    first = sentence.split(maxsplit=1)[0]
    faults = {
        "starts in upper case": first[:1].isupper() and not first.isupper(),
        "ends with a full stop": sentence.endswith((".", "!")),
        "more than one sentence": re.search(r"[.!?] ", sentence) is not None,
        # What a value says to do may be followed by what comes next.
        "says not what to do": "; " not in sentence and f"{HOLE}, then " not in sentence,
        "has a second advice": sentence.count("; ") > 1,
    }
    return [fault for fault, is_there in faults.items() if is_there]


def test_the_sentences_are_found() -> None:
    assert len(sentences()) > 30
    assert {"MissingFile", "UsageProblem", "BadSettings", "UntrustedHistory"} < KINDS


def test_each_sentence_names_the_problem_and_what_to_do() -> None:
    faults = {(line, text): style(text) for line, text in sentences()}

    assert not {sentence: lacks for sentence, lacks in faults.items() if lacks}


@cases(
    ("sentence", "faults"),
    [
        ("there is no file …; check the path, or write the file first", []),
        ("…:…: …, then split it", []),
        ("FILE is empty; name a learnings file", []),
        ("…:…: is not a regular file; put the configuration into one", []),
        ("There is no file; check the path", ["starts in upper case"]),
        ("there is no file; check the path.", ["ends with a full stop"]),
        ("there is no file. Check it; then go on", ["more than one sentence"]),
        ("there is no file", ["says not what to do"]),
        ("… is a folder; name a file; or a link", ["has a second advice"]),
    ],
)
def test_a_fault_is_seen(sentence: str, faults: list[str]) -> None:
    assert style(sentence) == faults
