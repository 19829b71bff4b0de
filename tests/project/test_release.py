"""`make revision` and `make release`, on a small test checkout of the project."""

from __future__ import annotations

import pytest

import learnings as package
from release import home, names, release, revision
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
    "docs/ci.md",
    "docs/index.md",
    "examples/workflows/learnings-fleet.yml",
)
LOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- All of it.\n"
OLD = "1" * 40


@pytest.fixture
def checkout(repository: GitRepository) -> Checkout:
    for name in COPIED:
        target = repository.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = names.with_revision((ROOT / name).read_bytes().decode(), package.REVISION, OLD)
        if name in (names.PACKAGE, names.PROJECT, names.PLUGIN):
            text = text.replace(f'"{package.__version__}"', f'"{VERSION}"')
        target.write_bytes(text.encode())
    repository.write(names.CHANGELOG, LOG)
    repository.commit("All there is")
    return Checkout(repository.path)


def released(checkout: Checkout, version: str) -> int:
    return release.main([version], checkout)


def named(checkout: Checkout) -> dict[str, int]:
    """Return by path how often its files name the revision of the package."""
    _, revision = checkout.values()
    texts = {path: checkout.read(path) for path in checkout.git("ls-files").split("\n")}
    return {path: text.count(revision) for path, text in texts.items() if revision in text}


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
    assert len(before) >= 5
    assert (named(checkout), checkout.values()[1]) == (before, head)
    said = capsys.readouterr().out.splitlines()
    assert said == [f"{path}: names {head}" for path in sorted(before)]
    assert [checkout.read(path).replace(head, OLD) for path in texts] == [*texts.values()]
    checkout.git("tag", "v0.9.0")
    assert revision.main(["v0.9.0"], checkout) == 0
    assert (named(checkout), checkout.values()[1]) == (before, "v0.9.0")
    capsys.readouterr()
    assert revision.main(["v9.9.9"], checkout) == 1
    assert capsys.readouterr().err.startswith("revision: git rev-parse failed")
    assert named(checkout) == before


@pytest.mark.slow
def test_release_changes_all_names_together(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    places = named(checkout)
    assert released(checkout, VERSION) == 0
    branch = checkout.git("symbolic-ref", "--short", "HEAD")
    push = f"  git push --atomic origin {branch} v{VERSION}"
    assert capsys.readouterr().out.splitlines()[-1] == push
    assert (named(checkout), checkout.values()[1]) == (places, f"v{VERSION}")
    unreleased, section = names.sections(checkout.read(names.CHANGELOG))
    assert (unreleased.text, section.name) == ("\n", VERSION)
    assert section.text == LOG.partition("[Unreleased]\n")[2]
    assert checkout.git("status", "--porcelain") == ""
    assert checkout.git("rev-parse", f"v{VERSION}^{{commit}}") == checkout.git("rev-parse", "HEAD")
    assert checkout.git("log", "-1", "--format=%s") == f"Release {VERSION}"

    # The next one: nothing to say at first, then a step.
    assert released(checkout, "0.2.0") == 1
    assert "lists no change" in capsys.readouterr().err
    log = checkout.read(names.CHANGELOG)
    checkout.write({names.CHANGELOG: log.replace("sed]\n", "sed]\n\n- More.\n", 1)})
    checkout.git("commit", "--quiet", "--all", "--message=More")
    assert released(checkout, "0.2.0") == 0
    assert [section.name for section in names.sections(checkout.read(names.CHANGELOG))] == [
        "Unreleased",
        "0.2.0",
        VERSION,
    ]
    for path in (names.PACKAGE, names.PROJECT, names.PLUGIN):
        assert checkout.read(path).count('"0.2.0"') == 1, path
    readme = checkout.read("README.md")
    assert "\n    rev: v0.2.0\n" in readme


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
    def refusal() -> str:
        assert released(checkout, VERSION) == 1
        said = capsys.readouterr().err
        assert said.endswith("; nothing is changed\n")
        return said

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


@pytest.mark.parametrize("url", ["https://github.com/ada.invalid/memory", "https://example.org/x"])
def test_the_address_goes_everywhere_and_out_again(
    published: GitRepository, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout = Checkout(published.path)

    def written(words: str) -> dict[str, str]:
        assert home.main([words], checkout) == 0
        paths = [line.partition(": names ")[0] for line in capsys.readouterr().out.splitlines()]
        return {path: checkout.read(path) for path in paths}

    start = checkout.values()[0]
    written("")
    before = {path: checkout.read(path) for path in checkout.git("ls-files").split("\n")}
    try:
        texts = written(f"{url}.git/")
        assert checkout.values()[0] == url
        assert {"README.md", names.PACKAGE, "examples/gitlab/learnings.yml"} <= set(texts)
        assert written(url) == {}, "a second run changes nothing"
        is_github = url.startswith("https://github.com/")
        for path, text in texts.items():
            assert names.CLONE not in text, path
            assert (names.SERVER in text) <= (not is_github), path
        assert (".github/workflows/learnings.yml" in texts) is is_github
        assert {"README.md", names.PACKAGE} <= set(written("https://example.org/other"))
    finally:
        written("")
        assert {path: checkout.read(path) for path in before} == before
        written(start)


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/x", "https://ada:pw@example.org/x", "git@example.org:x", "x"),
        *("https://example.org", "https://example.org/x?token=1", 'https://example.org/"x'),
    ],
)
def test_an_address_that_can_be_none_is_refused(
    checkout: Checkout, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(checkout)
    assert home.main([url], checkout) == 1
    assert "is no address https://HOST/PATH" in capsys.readouterr().err
    assert everything(checkout) == before
