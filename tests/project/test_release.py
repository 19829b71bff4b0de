"""`make revision` and `make release`, on a small test checkout of the project."""

from __future__ import annotations

import pytest

import learnings as package
from release import names, release, revision
from release.checkout import Checkout
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

VERSION = "0.1.0"  # of the made-up checkout, whatever the version of this one
COPIED = (
    names.PACKAGE,
    names.PROJECT,
    names.PLUGIN,
    "README.md",
    "action.yml",
    ".github/workflows/learnings.yml",
    "agent-core/bin/learning-ages.py",
    "agent-core/skills/consolidate/SKILL.md",
    "docs/ci.md",
    "docs/index.md",
    "examples/workflows/learnings-fleet.yml",
    "hooks/git/pre-commit",
)
LOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- All of it.\n"
OLD = "1" * 40


@pytest.fixture
def checkout(repository: GitRepository) -> Checkout:
    for name in COPIED:
        target = repository.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = names.with_revision((ROOT / name).read_bytes().decode(), OLD)
        if name in (names.PACKAGE, names.PROJECT, names.PLUGIN):
            text = text.replace(f'"{package.__version__}"', f'"{VERSION}"')
        target.write_bytes(text.encode())
    repository.write(names.CHANGELOG, LOG)
    repository.commit("All there is")
    return Checkout(repository.path)


def released(checkout: Checkout, version: str, *words: str) -> int:
    return release.main([version, *words], checkout)


def named(checkout: Checkout) -> dict[str, set[str]]:
    """Return by path the revisions that its files name."""
    texts = {path: checkout.read(path) for path in checkout.git("ls-files").split("\n")}
    found = {path: {each for _, each in names.revisions(text)} for path, text in texts.items()}
    return {path: revisions for path, revisions in found.items() if revisions}


def everything(checkout: Checkout) -> tuple[str, str, str]:
    questions = ("status --porcelain", "for-each-ref", "rev-parse HEAD^{tree}")
    first, second, third = (checkout.git(*question.split()) for question in questions)
    return first, second, third


@pytest.mark.slow
def test_revision_goes_to_every_file_that_names_it(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    before = named(checkout)
    head = checkout.git("rev-parse", "HEAD")
    texts = {path: checkout.read(path) for path in before}
    assert revision.main([], checkout) == 0
    assert {path for path in COPIED if path in before} == set(before)
    assert named(checkout) == {path: {head} for path in before}
    said = capsys.readouterr().out.splitlines()
    assert said == [f"{path}: names {head}" for path in sorted(before)]
    assert [checkout.read(path).replace(head, OLD) for path in texts] == [*texts.values()]
    checkout.git("tag", "v0.9.0")
    assert revision.main(["v0.9.0"], checkout) == 0
    assert named(checkout) == {path: {"v0.9.0"} for path in before}
    capsys.readouterr()
    assert revision.main(["v9.9.9"], checkout) == 1
    assert capsys.readouterr().err.startswith("revision: git rev-parse failed")
    assert named(checkout) == {path: {"v0.9.0"} for path in before}


@pytest.mark.slow
def test_release_changes_all_names_together(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    places = named(checkout)
    assert released(checkout, VERSION) == 0
    branch = checkout.git("symbolic-ref", "--short", "HEAD")
    push = f"  git push --atomic origin {branch} v{VERSION}"
    assert capsys.readouterr().out.splitlines()[-1] == push
    assert named(checkout) == {path: {f"v{VERSION}"} for path in places}
    unreleased, section = names.sections(checkout.read(names.CHANGELOG))
    assert (unreleased.text, section.name) == ("\n", VERSION)
    assert section.text == LOG.partition("[Unreleased]\n")[2]
    assert checkout.git("status", "--porcelain") == ""
    assert checkout.git("rev-parse", f"v{VERSION}^{{commit}}") == checkout.git("rev-parse", "HEAD")
    assert checkout.git("log", "-1", "--format=%s") == f"Release {VERSION}"

    # The next one: nothing to say at first, then a step, installed from the index.
    assert released(checkout, "0.2.0") == 1
    assert "lists no change" in capsys.readouterr().err
    log = checkout.read(names.CHANGELOG)
    checkout.write({names.CHANGELOG: log.replace("sed]\n", "sed]\n\n- More.\n", 1)})
    checkout.git("commit", "--quiet", "--all", "--message=More")
    assert released(checkout, "0.2.0", "--from-index") == 0
    assert [section.name for section in names.sections(checkout.read(names.CHANGELOG))] == [
        "Unreleased",
        "0.2.0",
        VERSION,
    ]
    for path in (names.PACKAGE, names.PROJECT, names.PLUGIN):
        assert checkout.read(path).count('"0.2.0"') == 1, path
    readme = checkout.read("README.md")
    assert "\nuvx learnings\npipx install learnings\n" in readme
    assert "\n    rev: v0.2.0\n" in readme
    assert '\npipx install "learnings[github]"\n' in checkout.read("docs/ci.md")
    shown = checkout.read("docs/index.md")
    assert "\nuvx learnings\n" in shown
    assert "git+https" not in shown
    address = f"git+https://github.com/{names.ADDRESS}@{'0' * 40}"
    assert names.from_the_index(f'`pip install "{address}"`\n') == f'`pip install "{address}"`\n'


@pytest.mark.slow
def test_a_version_that_cannot_follow_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(checkout)
    no_step, no_version = ("0.3.0", "1.0.1", "2.0.0", "0.0.9"), ("v0.2.0", "01.0.0", "")
    for version in (*no_step, *no_version):
        assert released(checkout, version) == 1
        reason = "is no step from" if version in no_step else "is no version"
        assert reason in capsys.readouterr().err, version
        assert everything(checkout) == before


@pytest.mark.slow
def test_what_is_not_ready_is_refused(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    def refusal(*words: str) -> str:
        assert released(checkout, VERSION, *words) == 1
        said = capsys.readouterr().err
        assert said.endswith("; nothing is changed\n")
        return said

    assert "no release is on the index yet" in refusal("--from-index")
    readme = checkout.read("README.md")
    checkout.write({"README.md": readme + "\n"})
    assert "the work tree has changes, in README.md first" in refusal()
    assert checkout.read("README.md") == readme + "\n"
    checkout.git("checkout", "--quiet", "README.md")
    checkout.git("tag", f"v{VERSION}")
    assert f"the tag v{VERSION} exists" in refusal()
    checkout.git("tag", "--delete", f"v{VERSION}")
    checkout.git("checkout", "--quiet", "--detach")
    assert "git symbolic-ref failed" in refusal()
    checkout.git("checkout", "--quiet", "-")
    checkout.write({names.PLUGIN: '{"version": "0.0.5"}\n'})
    checkout.git("commit", "--quiet", "--all", "--message=Forget it")
    before = everything(checkout)
    assert f"{names.PLUGIN} does not name the version" in refusal()
    assert everything(checkout) == before


REFUSE_TAGS = "while read -r _ _ ref; do case $ref in refs/tags/*) exit 1 ;; esac; done"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hook", "body", "word"),
    [("pre-commit", "exit 1", "commit"), ("reference-transaction", REFUSE_TAGS, "tag")],
)
def test_nothing_is_left_of_a_release_that_fails(
    checkout: Checkout, hook: str, body: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(checkout)
    script = checkout.root / ".git/hooks" / hook
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    script.chmod(0o755)
    assert released(checkout, VERSION) == 1
    assert f"git {word} failed" in capsys.readouterr().err
    script.unlink()
    assert everything(checkout) == before
