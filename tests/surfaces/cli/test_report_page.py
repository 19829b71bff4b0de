"""The command `learnings report`: its page and its numbers, in real repositories."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from learnings.core.text import printable
from tests.support.command import Command
from tests.support.repository import GitRepository
from tests.support.tier_stores import FOLDER, raw_file

FILE, PAGE = "agents/learnings.md", "tmp/learnings-report.html"
HOSTILE = (
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "[link](javascript:alert(1))",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% raw %} &amp; &#60;b>",
    "Title with \x1b[31m and \u202e",
)
# What the page is made of; anything else would have come from a repository.
ELEMENTS = """
    html head meta title style body header main section footer div span p h1 h2 h3 h4 ul li dl dt dd
    strong code table thead tbody tr th td details summary svg path rect
"""
ATTRIBUTES = """
    lang charset name content http-equiv class id style role aria-label aria-labelledby aria-hidden
    focusable tabindex scope viewbox preserveaspectratio d x y width height
"""


class Page(HTMLParser):
    """A page as a browser reads it: its elements, attributes, and the text in each kind of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "path", "rect"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._open[-1] if self._open else "", []).append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(t) for tag, t in self.texts.items() if tag != "style")


def memory(*titles: str) -> str:
    return "# Learnings\n\n" + "".join(
        f"## {title}\n\nThe lock file decides which {title} is built.\n\n" for title in titles
    )


@pytest.fixture
def due(repository: GitRepository) -> GitRepository:
    """Return a repository with a memory that was consolidated once and is due again."""
    titles = [f"When build {number} hangs" for number in range(8)]
    repository.write("agents/decisions/builds.md", "# Builds\n\n## Locks\n\nLook.\n")
    repository.write(FILE, memory(*titles))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=3)
    repository.write(FILE, memory(*titles[4:]))
    repository.commit(date="2026-01-05")
    repository.write(FILE, memory(*titles[4:], *HOSTILE))
    repository.commit(date="2026-01-06")
    repository.work("2026-01-07", days=20)
    return repository


def documents(learnings: Command, repository: GitRepository) -> tuple[Page, str, Any]:
    """Return the page, its source and the JSON document."""
    run = learnings("report", cwd=repository.path)
    assert (run.code, run.out, run.err) == (0, f"{PAGE}\n", "")
    text = repository.read(PAGE).decode()
    return Page(text), text, learnings("report", "--format=json", cwd=repository.path).json


@pytest.mark.slow
@pytest.mark.usefixtures("instructed")
def test_the_page_opens_with_the_answer_and_has_the_numbers_of_the_other_commands(
    due: GitRepository, learnings: Command
) -> None:
    page, text, report = documents(learnings, due)

    def document(*words: str) -> Any:  # noqa: ANN401
        return learnings(*words, "--format=json", cwd=due.path).json

    assert page.texts["h1"] == ["Consolidation is due"]
    (file,) = report["files"]
    assert file["due"] == document("due")["files"][0]
    assert file["ages"] == document("ages")
    assert file["replay"] == document("due", "--replay")["files"][0]
    assert file["groups"]["groups"] == document("groups")["groups"]
    assert report["findings"] == document("check")
    assert learnings("due", cwd=due.path).out.splitlines()[0] in page.text
    assert f"{report['cost']['tokens']:,} tokens" in page.text
    for condition in file["due"]["conditions"]:
        assert f"of {condition['threshold']}{', reached' * condition['met']}" in page.texts["span"]
    assert f"({file['ages']['fresh']['at_least']} active days or more)" in page.text
    for entry in file["ages"]["entries"]:
        title, days = printable(entry["title"]), entry["active_days"]
        assert f"{title}: {days} active days" in page.texts["title"]
    heights = [value for name, value in page.attributes if name == "class" and value == "old"]
    assert len(heights) == file["ages"]["fresh"]["count"]
    (consolidation,) = file["replay"]["consolidations"]
    assert consolidation["date"] in page.texts["td"]
    rules = {finding["rule"] for finding in report["findings"]["findings"]}
    assert {consolidation["commit"][:12], *rules} <= {*page.texts["code"]}
    assert [one for one in file["groups"]["groups"] if one["topic"] not in page.text] == []
    assert "5 of 400" in page.text  # lines of the target
    assert [text for text in page.texts["div"] if text.strip()] == [
        *("lines", "active days", "tokens", "active days", "active days")
    ]
    # A text of the repository is shown and does nothing.
    assert set(page.elements) <= {*ELEMENTS.split()}
    assert {name for name, _ in page.attributes} <= {*ATTRIBUTES.split()}
    assert not [value for _, value in page.attributes if "javascript:" in value]
    shown = [unescape(title) for title in HOSTILE[:5]]
    assert [title for title in shown if title not in page.text] == []
    assert not {"\x1b", "\u202e"} & {*text}
    assert "http" not in text.replace("http-equiv", "")


@pytest.mark.slow
def test_health_and_each_trouble_have_their_headlines(
    repository: GitRepository, learnings: Command
) -> None:
    repository.commit(date="2026-01-01")
    assert documents(learnings, repository)[0].texts["h1"] == ["No learnings file yet"]
    repository.write(FILE, memory("When a build hangs"))
    repository.commit(date="2026-01-01")
    assert documents(learnings, repository)[0].texts["h1"] == ["The memory is healthy"]
    repository.write(FILE, memory("When a build hangs", "When a build hangs"))
    repository.commit(date="2026-01-02")
    assert documents(learnings, repository)[0].texts["h1"] == ["1 error to correct"]
    shallow = repository.clone(depth=1)
    page, _, report = documents(learnings, shallow)
    assert page.texts["h1"] == ["The memory cannot be judged"]
    assert "git fetch --unshallow" in page.text
    assert report["files"][0]["due"] is None


@pytest.mark.slow
def test_the_page_says_which_entries_were_kept(due: GitRepository, learnings: Command) -> None:
    plan = ("plan", "--all", "--output", "plan.md")
    assert learnings(*plan, cwd=due.path).code == 0
    assert learnings("apply", "plan.md", "--keep-all", cwd=due.path).code == 0
    due.write("learnings.toml", "size-trigger = 1000\nstaleness-trigger = 1000\n")
    lines = learnings("due", cwd=due.path).out.splitlines()
    (decided,) = [line.split(maxsplit=1)[1] for line in lines if line.startswith("  decided ")]
    page, _, _ = documents(learnings, due)
    assert f"{decided}." in page.texts["p"]


@pytest.mark.slow
def test_where_the_page_goes(due: GitRepository, learnings: Command) -> None:
    run = learnings("report", "--output", "page.html", cwd=due.path / "agents")
    assert (run.code, run.out) == (0, "page.html\n")
    written = due.read("agents/page.html").decode()
    assert learnings("report", "--output", "-", cwd=due.path).out == written
    run = learnings("report", "--format=json", "--output=r.json", cwd=due.path)
    assert (run.code, run.out) == (0, "r.json\n")


@pytest.mark.slow
def test_the_memory_as_at_another_time(repository: GitRepository, learnings: Command) -> None:
    for day in range(1, 9):
        repository.write(FILE, memory(*(f"When build {number} hangs" for number in range(day))))
        repository.commit(date=f"2026-01-0{day}")
    for time, as_of in (
        ("2026-01-04T12:00:00", "2026-01-05"),
        ("2026-02-01T00:00:00", "2026-01-08"),
    ):
        run = learnings("report", "--format=json", "--now", time, cwd=repository.path)
        [file] = run.json["files"]
        assert (run.code, file["ages"]["as_of"]) == (0, as_of)
        ages = learnings("ages", "--format=json", "--as-of", as_of, cwd=repository.path).json
        assert file["ages"]["history"]["active_days"] == ages["history"]["active_days"]


def test_options_that_do_not_go_together_and_a_page_that_is_a_folder(
    due: GitRepository, learnings: Command
) -> None:
    (due.path / PAGE).mkdir(parents=True)
    for line in (
        "plan.md",
        "--consolidation --output=x",
        "--consolidation --now=x",
        "",
        "--now noon",
    ):
        words = line.split()
        run = learnings("report", *words, cwd=due.path)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)


def test_known_findings_are_shown_apart(repository: GitRepository, learnings: Command) -> None:
    repository.write(FILE, memory("When a build hangs", "When a build hangs"))
    repository.commit(date="2026-01-01")
    learnings("baseline", cwd=repository.path)
    page, _, report = documents(learnings, repository)
    assert report["findings"]["summary"]["known"] == 2
    assert "No new findings." in page.texts["p"]
    assert "2 known findings in the baseline" in page.texts["summary"]
    assert "duplicate-entry" in page.texts["code"]
    repository.write(FILE, memory("When it is new", "When it is new"))
    page, _, _ = documents(learnings, repository)
    assert "No new findings." not in page.texts["p"]


def test_other_memory_is_shown_with_its_findings(
    repository: GitRepository, learnings: Command
) -> None:
    scored = "principles:\n- {id: PR-001, text: Warm the cache., confidence: 7}\n"
    repository.write(".shaktra/memory/principles.yml", scored)
    finding = ("Put the tenant into the cache key", "One customer saw another.")
    for name in ("WU-1", "WU-2"):
        repository.write(f"{FOLDER}/{name}.json", raw_file(name, [finding]))
    repository.write(f"{FOLDER}/INDEX.md", "# Index\n")
    repository.commit(date="2026-01-01")
    page, _, report = documents(learnings, repository)
    commands = {"confidence": "memory", "tiers": "tiers"}
    for form in report["forms"]:
        words = commands.pop(form["form"]), "check", "--format=json"
        found = learnings(*words, cwd=repository.path).json
        for name in ("errors", "notices"):
            assert form[name] == found["summary"][name]
        assert form["path"] in page.text
        rules = {one["rule"] for one in found["findings"]}
        assert rules
        assert rules <= {*page.texts["code"]}
    assert commands == {}
