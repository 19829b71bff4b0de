"""Histories in one line: what was committed on which day, and what is said of it afterwards."""

from __future__ import annotations

import re

from tests.history.memory import FILE, Json, body, day, live, memory
from tests.support.repository import GitRepository

BRANCH = re.compile(r"(\w+)(?:=([\w~]+))?:")
TITLE = re.compile(r"([A-Z][a-z]*)(?:=([A-Z][a-z]*))?")
SIGNS = {"commit": "", "renamed-heading": "~", "restored": "^", "uncommitted": "?"}


def tell(repository: GitRepository, story: str) -> dict[str | None, str]:
    """Make the commits of a story; return the number of the day of each, by hash.

    Steps are divided by `;`. The first word is the day (`3`, author and committer `3/9`, or several
    `3..9`); `now` and `staged` commit nothing. Further words: `work:` checks a branch out, which
    begins here (`work=main:`: there) if it is new; `<work` merges it (`<!work`: keeps our side,
    `<work+more`: an octopus); `a>b` renames; `-a` removes, `-` the memory; `*90` fills it up to 90
    lines; a path says what the titles after it are written to; `()` is a memory without any. Titles
    begin with a capital letter; `Be=B` has the body of B.
    """
    days: dict[str | None, str] = {None: "now"}
    for step in filter(None, map(str.strip, story.split(";"))):
        when, *words = step.split()
        if ".." in when:
            first, last = map(int, when.split(".."))
            live(repository, first, last)
            newest = zip(
                range(last, first - 1, -1), repository.git("rev-list", "HEAD").split(), strict=False
            )
            days |= {commit: str(number) for number, commit in newest}
        elif commit := _Step(repository).take(when, words):
            days[commit] = when.partition("/")[0]
    return days


class _Step:
    def __init__(self, repository: GitRepository) -> None:
        self.repository = repository
        self.merged = ""
        self.strategy: str | None = None
        self.contents: dict[str, list[tuple[str, str]] | None] = {}
        self.lines = 0

    def take(self, when: str, words: list[str]) -> str:
        repository, file = self.repository, FILE
        for word in words:
            if branch := BRANCH.fullmatch(word):
                self._check_out(branch[1], branch[2] or "HEAD")
            elif word[0] == "<":
                self.strategy = "ours" if word[1] == "!" else None
                self.merged = word.lstrip("<!")
            elif ">" in word:
                repository.rename(*word.split(">"))
            elif word[0] == "-":
                self.contents[word[1:] or FILE] = None
            elif word[0] == "*":
                self.lines = int(word[1:])
            elif word == "()":
                self.contents[file] = []
            elif len(word) > 1 and ("." in word or "/" in word):
                file = word
            elif word != ".":
                titles = [(title, like or title) for title, like in TITLE.findall(word)]
                self.contents[file] = (self.contents.get(file) or []) + titles
        return self._commit(*when.split("/"))

    def _check_out(self, name: str, start: str) -> None:
        if name in self.repository.git("branch", "--format=%(refname:short)").split():
            self.repository.checkout(name)
        else:
            self.repository.branch(name, start)

    def _commit(self, when: str, committed: str | None = None) -> str:
        texts = {file: self._text(file, titles) for file, titles in self.contents.items()}
        date = day(int(when)) if when.isdigit() else ""
        if self.merged and "+" not in self.merged:
            return self.repository.merge(
                self.merged, date=date, resolve=texts, strategy=self.strategy
            )
        for file, text in texts.items():
            if text is None:
                self.repository.remove(file)
            else:
                self.repository.write(file, text)
        if self.merged:
            return self._octopus(date)
        if when == "staged":
            self.repository.git("add", "--all")
        later = day(int(committed)) if committed else None
        return self.repository.commit(date=date, committer_date=later) if date else ""

    def _text(self, file: str, titles: list[tuple[str, str]] | None) -> str | None:
        if titles is None:
            return None
        bodies = {title: body(like) for title, like in titles}
        lines = self.lines if file == FILE else 0
        return memory(*(title for title, _ in titles), lines=lines, **bodies)

    def _octopus(self, date: str) -> str:
        git, stamp = self.repository.git, f"{date}T12:00:00Z"
        git("add", "--all")
        parents = [word for name in ("HEAD", *self.merged.split("+")) for word in ("-p", name)]
        stamps = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        octopus = git("commit-tree", git("write-tree"), *parents, "-m", "Merge", env=stamps)
        git("reset", "--quiet", "--hard", octopus)
        return octopus


def told(document: Json, days: dict[str | None, str]) -> str:
    """What `ages` says: each title with its day and basis, and day and size of a consolidation."""
    parts = []
    for entry in document["entries"]:
        number = "" if entry["added"] is None else days[entry["commit"]]
        assert entry["added"] == (day(int(number)) if number else None), entry
        sign = SIGNS.get(entry["basis"], f"<{entry['moved_from']}")
        parts.append(f"{entry['title']}{number}{sign}")
    last = document["last_consolidation"]
    if last:
        assert last["date"] == day(int(days[last["commit"]]))
        parts.append(f"| {days[last['commit']]}:{last['removed']}")
    return " ".join(parts)
