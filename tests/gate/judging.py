"""Cases as git repositories, and errors in the answers of the gate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.gate.case import Case, Changes
from tests.support.repository import GitRepository


class Answer(NamedTuple):
    """The output of `learnings verify`: the JSON document, the text, the exit code of each."""

    document: Mapping[str, Any]
    text: str
    codes: tuple[int, int]


def prepare(case: Case, repository: GitRepository) -> list[str]:
    """Make the change of a case in an empty repository; return the arguments of the command."""
    write(repository, case.before)
    first = repository.commit("Before")
    if case.way == "merge":
        _merge(case, repository, first)
        return ["verify", "--base", "HEAD^1", "--head", "HEAD"]
    write(repository, case.after)
    if case.way == "commit":
        repository.commit("After")
        return ["verify", "--base", "HEAD~1", "--head", "HEAD"]
    if case.way == "staged":
        repository.git("add", "--all")
        write(repository, case.later)
        return ["verify", "--base", "HEAD", "--staged"]
    return ["verify", "--base", "HEAD"]


def write(repository: GitRepository, changes: Changes) -> None:
    for path, content in changes.items():
        if content is None:
            (repository.path / path).unlink()
        else:
            repository.write(path, content)


def _merge(case: Case, repository: GitRepository, first: str) -> None:
    """Commit both sides and the merge of them with the result that the case asks for."""
    branch = repository.path / ".git" / "refs" / "heads" / "main"
    write(repository, case.ours)
    ours = repository.commit("Ours")
    write(repository, case.before)
    for path in case.ours.keys() - case.before.keys():
        (repository.path / path).unlink()
    branch.write_text(f"{first}\n", encoding="ascii")
    write(repository, case.theirs)
    theirs = repository.commit("Theirs")
    write(repository, case.after)
    branch.write_text(f"{ours}\n", encoding="ascii")
    (repository.path / ".git" / "MERGE_HEAD").write_text(f"{theirs}\n", encoding="ascii")
    repository.commit("Merge")


def complaints(case: Case, answer: Answer) -> Iterator[str]:
    """Yield the missing and the unexpected parts of an answer."""
    allowed = {"lost": (1,), "told": (0, 1)}.get(case.want, (0,))
    if answer.codes[0] not in allowed or len({*answer.codes}) > 1:
        yield f"exit {answer.codes[0]} as JSON, {answer.codes[1]} as text; allowed: {allowed}"
    losses = {_place(loss): loss for loss in answer.document.get("losses", ())}
    notices = {_place(notice): notice for notice in answer.document.get("notices", ())}
    answers = {"lost": losses, "told": losses | notices}.get(case.want, notices)
    for piece in case.entries:
        if not _meant(case, piece) & answers.keys():
            yield f"not named: {piece!r}"
    known = set().union(*(_meant(case, piece) for piece in (*case.entries, *case.also)))
    if case.want == "quiet":
        known |= notices.keys()
    for place, stranger in (losses | notices).items():
        if place not in known:
            yield f"about another entry: {stranger['message']}"
    for word in case.words:
        if not _has(answer.text, word):
            yield f"{word!r} is missing in the text"


def _meant(case: Case, piece: str) -> set[tuple[str, int]]:
    """Return the places (path, line before) of an entry, given by a piece of its first line.

    If the piece is the path of a file, any line of it is meant, so the line is 0.
    """
    texts = [*case.before.items(), *case.ours.items(), *case.theirs.items()]
    if any(path == piece for path, _ in texts):
        return {(piece, 0)}
    places = set()
    for path, content in texts:
        lines = str(content or "").split("\n")
        places |= {(path, number) for number, line in enumerate(lines, 1) if piece in line}
    assert places, f"{case.name}: no line has {piece!r}"
    return places | {(path, 0) for path, _ in places if _is_topic(path)}


def _is_topic(path: str) -> bool:
    folders = (".claude/memory/", ".serena/memories/", "docs/solutions/")
    return path.startswith(folders) and "MEMORY" not in path


def _place(result: Mapping[str, Any]) -> tuple[str, int]:
    before = result["before"]
    path, line = str(before["path"]), int(before["line"])
    return path, 0 if _is_topic(path) else line


def _has(text: str, word: str) -> bool:
    """Return True if a text has a word as a whole, whatever the lines it is broken into."""
    pattern = r"\s+".join(map(re.escape, word.split()))
    start = r"(?<!\w)" if word[:1].isalnum() else ""
    end = r"(?!\w)" if word[-1:].isalnum() else ""
    return re.search(f"{start}{pattern}{end}", text) is not None
