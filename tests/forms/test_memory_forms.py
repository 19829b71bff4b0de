"""Every form of memory keeps the protocol, and a new one is seen by every command."""

from __future__ import annotations

import runpy
from datetime import datetime
from pathlib import Path

import pytest

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.forms import registry
from learnings.forms.memory_form import FormStatus, InitOffer, Maintained, MemoryForm
from learnings.workspace.workspace import Workspace
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository
from tests.support.scored_memory import write_memory
from tests.support.tier_stores import FOLDER, raw_file

NOW = datetime.fromisoformat("2026-01-02T00:00:00+00:00")
LEARNINGS = "agents/learnings.md"
CARDS = ".cards"
NEXT = "cards file"
LINE = f"{CARDS}: 1 card, 1 loose; next: {NEXT}"


class CardForm(MemoryForm):
    """A made-up form: a folder of cards, of which those not in a box have to be filed."""

    name, label, title, details_key, is_quick = "cards", "cards", "Card index", "", True

    def is_here(self, workspace: Workspace) -> bool:
        return (workspace.root / CARDS).is_dir()

    def files(self, workspace: Workspace) -> tuple[str, ...]:
        paths = sorted((workspace.root / CARDS).iterdir())
        return tuple(path.relative_to(workspace.root).as_posix() for path in paths)

    def findings(self, workspace: Workspace, *, since: str = "HEAD") -> CheckReport:
        files = self.files(workspace)
        message = f"is loose since {since}"
        found = [Finding("loose-card", Severity.NOTICE, path, 1, 1, message) for path in files]
        return CheckReport.of(found, files=len(files))

    def statuses(self, workspace: Workspace) -> tuple[FormStatus, ...]:
        count = len(self.files(workspace))
        status = FormStatus(
            self,
            CARDS,
            f"{count} card, {count} loose",
            needs_action=count > 0,
            reason=f"{count} loose card",
            next=NEXT if count else None,
            advice="`cards file` files the cards",
            annotated_file=f"{CARDS}/1",
            counts=count > 0,
            threshold=1,
        )
        return (status,)

    def maintain(self, workspace: Workspace, now: datetime, *, dry_run: bool) -> Maintained:  # noqa: ARG002
        if not dry_run:
            (workspace.root / CARDS / "dusted").touch()
        return Maintained(("Dusted the cards.",), () if dry_run else (f"{CARDS}/dusted",))

    def offer(self, workspace: Workspace) -> InitOffer:
        return (
            InitOffer(notes=(f"{CARDS} needs nothing",)) if self.is_here(workspace) else InitOffer()
        )


@pytest.fixture
def cards(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    """Return a repository with nothing but a memory of the made-up form."""
    monkeypatch.setattr(registry, "FORMS", (*registry.FORMS, CardForm()))
    repository.write(f"{CARDS}/1", "A card.\n")
    repository.commit(date="2026-01-01")
    return repository


def write_all_forms(repository: GitRepository) -> None:
    """Write a memory of each form, each of which has something to do."""
    entries = "".join(f"## When {n} fails\n\nDo {n} again.\n\n" for n in range(60))
    repository.write(LEARNINGS, f"# Learnings\n\n{entries}")
    for number in range(3):
        finding = ("Put the tenant into the cache key", f"Customer {number} saw other prices.")
        repository.write(f"{FOLDER}/{number}.json", raw_file(f"WU-{number}", [finding]))
    write_memory(repository, committed=False)
    repository.commit(date="2026-01-02")
    repository.work("2026-01-03", days=9)


@pytest.mark.parametrize("form", registry.FORMS, ids=lambda form: form.name)
def test_each_form_keeps_the_protocol(form: MemoryForm, repository: GitRepository) -> None:
    repository.commit(date="2026-01-01")
    bare = Workspace.open(repository.path)
    assert not form.is_here(bare)
    assert form.offer(bare) == InitOffer()

    write_all_forms(repository)
    repository.write("learnings.toml", "[tiers]\nauto-compact = false\n")
    workspace = Workspace.open(repository.path)
    assert form.is_here(workspace)
    assert len(form.label) <= 9
    files = form.files(workspace)
    assert files == tuple(sorted(files)) != ()
    assert all((repository.path / path).is_file() for path in files)
    [status] = form.statuses(workspace)
    assert status.form is form
    assert any(path.startswith(status.path) for path in files)
    assert status.needs_action
    assert status.next is not None
    assert status.next.startswith("learnings ")
    assert status.reason
    assert status.next in status.advice
    assert (repository.path / status.annotated_file).parent.is_dir()
    assert form.findings(workspace).files == len(files)
    offer = form.offer(workspace)
    assert offer.hook or offer.files == files
    before = repository.git("status", "--porcelain")
    form.maintain(workspace, NOW, dry_run=True)
    assert repository.git("status", "--porcelain") == before


def test_due_overview_and_init(cards: GitRepository, learnings: Command) -> None:
    run = learnings("due", "--exit-code", cwd=cards.path)
    assert (run.code, run.out, run.err) == (1, f"{LINE}\n", "")
    document = learnings("due", "--format=json", cwd=cards.path).json
    entry = {"form": "cards", "path": CARDS, "needs_action": True}
    assert document["forms"] == [{**entry, "reason": "1 loose card", "next": NEXT}]
    markdown = learnings("due", "--format=markdown", cwd=cards.path).out
    assert markdown.endswith(f"Card index `{CARDS}`: 1 card, 1 loose. Next: `{NEXT}`.\n")
    github = learnings("due", "--format=github", cwd=cards.path).out
    assert github == f"::warning file={CARDS}/1,line=1,title=learnings::{LINE}\n"
    lines = learnings(cwd=cards.path).out.splitlines()
    assert (lines[0], lines[-1]) == (f"cards     {LINE}", "next      `cards file` files the cards")
    run = learnings("init", "--dry-run", cwd=cards.path)
    assert (run.code, f"learnings: {CARDS} needs nothing\n" in run.err) == (0, True)
    assert "no learnings file" not in run.err


def test_a_ci_job(cards: GitRepository, learnings: Command, tmp_path: Path) -> None:
    run = learnings("ci", "--compact", cwd=cards.path)
    assert run.code == 0
    assert "loose-card is loose since HEAD" in run.out
    assert f"{CARDS}: 2 card, 2 loose; next: {NEXT}\n" in run.out
    assert run.err == f"Dusted the cards.\nThese files belong to the commit:\n  {CARDS}/dusted\n"
    summary = tmp_path / "summary.md"
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    out = learnings("ci", cwd=cards.path, env=environment).out
    assert f"::warning file={CARDS}/1,line=1,title=learnings::{CARDS}: 2 card" in out
    text = summary.read_text(encoding="utf-8")
    assert f"Card index `{CARDS}`: 2 card, 2 loose. Next: `{NEXT}`." in text


def test_the_consolidation_issue(cards: GitRepository, learnings: Command) -> None:
    write_all_forms(cards)
    words = ("notify", "github", "--dry-run")
    out = learnings(*words, cwd=cards.path, env={"GITHUB_REPOSITORY": "a/b"}).out
    assert f"| `{CARDS}` | 1 loose card: `{NEXT}` | 1 | yes |" in out


def test_a_fleet(cards: GitRepository, learnings: Command) -> None:
    document = learnings("fleet", "scan", ".", "--format=json", cwd=cards.path).json
    [row] = document["repositories"]
    assert (row["state"], row["reasons"]) == ("due", [f"{CARDS}: 1 card, 1 loose"])
    (cards.path / CARDS / "1").unlink()
    assert learnings("fleet", "scan", ".", cwd=cards.path).out.endswith(".: healthy\n")


def test_the_report(cards: GitRepository, learnings: Command) -> None:
    document = learnings("report", "--format=json", cwd=cards.path).json
    [form] = document["forms"]
    assert (form["form"], form["next"], form["files"]) == ("cards", NEXT, [f"{CARDS}/1"])
    page = learnings("report", "--output=-", cwd=cards.path).out
    assert "Other memory needs action" in page
    assert "1 card, 1 loose; next: <code>cards file</code>" in page


def test_the_start_of_a_session(cards: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    # In the process of the test, which alone knows of the form.
    script = runpy.run_path(str(ROOT / "agent-core/bin/memory-line.py"))
    monkeypatch.chdir(cards.path)
    line = script["line"](*script["answers"](script["DUE"], script["AGES"]))
    assert line == f"{CARDS}: 1 loose card; next: {NEXT}\n"


@pytest.mark.parametrize("words", [["check"], ["fix"], ["ages"], ["plan"], ["due"], ["report"], []])
def test_nobody_with_another_memory_is_told_to_write_a_learnings_file(
    repository: GitRepository, learnings: Command, words: list[str]
) -> None:
    repository.write(f"{FOLDER}/a.json", raw_file("a", []))
    repository.write(".shaktra/memory/principles.yml", "principles: []\n")
    repository.commit(date="2026-01-01")
    both = learnings(*words, cwd=repository.path).both.decode()
    assert both != ""
    assert LEARNINGS not in both
    if words[:1] in (["check"], ["fix"], ["ages"], ["plan"]):
        said = "run `learnings` for the confidence memory and the learning tiers here\n"
        assert both == f"learnings: no learnings file found; {said}"
