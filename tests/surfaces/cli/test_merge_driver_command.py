"""Git starts the installed command when it merges; the cases are those of the merge."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.consolidation.merge.cases import (
    CASES,
    EDITED,
    WORDS,
    Case,
    conflict,
    crlf,
    entry,
    identified,
    items,
    memory,
)
from tests.support.command import Command
from tests.support.repository import GitError, GitRepository

LEARNINGS = Command("learnings")
FILE = "agents/learnings.md"
Versions = Mapping[str, bytes | None]


def configured(repository: GitRepository) -> GitRepository:
    """Return the repository, set up as documented, with the path of the program."""
    driver = f"'{LEARNINGS.path.as_posix()}' merge-driver %O %A %B %P --marker-size=%L"
    repository.git("config", "merge.learnings.driver", driver)
    repository.write(".gitattributes", "*.md merge=learnings\n")
    return repository


def put(repository: GitRepository, versions: Versions) -> str:
    """Commit a version of each file; None means no file."""
    for path, data in versions.items():
        if data is None:
            (repository.path / path).unlink(missing_ok=True)
        else:
            repository.write(path, data)
    return repository.commit()


def _forked(repository: GitRepository, base: Versions, ours: Versions, theirs: Versions) -> None:
    put(repository, base)
    repository.branch("theirs")
    put(repository, theirs)
    repository.checkout("main")
    put(repository, ours)


def operate(
    operation: str, repository: GitRepository, base: Versions, ours: Versions, theirs: Versions
) -> None:
    """Make git merge the versions; it may end with conflicts."""
    if operation == "revert":  # of the commit that made the base out of theirs
        put(repository, theirs)
        words = ["revert", "--no-edit", put(repository, base)]
        put(repository, ours)
    elif operation == "stash pop":
        put(repository, base)
        for path, data in theirs.items():
            repository.write(path, data or b"")
        repository.git("stash", "push", "--quiet")
        put(repository, ours)
        words = ["stash", "pop", "--quiet"]
    else:
        _forked(repository, base, ours, theirs)
        branch, other = ("theirs", "main") if operation == "rebase" else ("main", "theirs")
        repository.checkout(branch)
        words = [operation, other]
    try:
        repository.git(*words)
    except GitError:
        assert repository.git("ls-files", "--unmerged"), words


# Git hands the same three files to the driver in every operation, so those that differ for git are
# enough here; tests/consolidation/merge has all cases.
SOME = (
    *("both append", "a branch older than a consolidation", "edited differently"),
    *("removed here, edited there", "both new, the files too", "both change the preamble"),
    *("Windows line ends", "no final newline in ours"),
)


def path_of(name: str) -> str:
    return f"{name.replace(' ', '-').replace(',', '')}/learnings.md"


def version(number: int, cases: Mapping[str, Case]) -> Versions:
    """Return a version of the file of each case: 0 is the base, 1 ours, 2 theirs, 3 the merged."""
    texts = {path_of(name): case[number] for name, case in cases.items()}
    return {
        path: None if text is None else str(text).encode("utf-8", "surrogateescape")
        for path, text in texts.items()
    }


OTHER_OPERATIONS = ("cherry-pick", "rebase", "revert", "stash pop")


@pytest.mark.slow
@pytest.mark.parametrize(
    "operation",
    ["merge", *(pytest.param(name, marks=pytest.mark.soak) for name in OTHER_OPERATIONS)],
)
def test_some_cases_in_each_operation(operation: str, repository: GitRepository) -> None:
    cases = {name: CASES[name] for name in SOME}
    if operation == "stash pop":  # which keeps no file that the commit below it does not have
        cases = {name: case for name, case in cases.items() if case.base is not None}
    configured(repository)
    operate(operation, repository, *(version(number, cases) for number in (0, 1, 2)))
    expected = version(3, cases)
    assert {path: repository.read(path) for path in expected} == expected
    unmerged = {line.split("\t")[1] for line in repository.git("ls-files", "-u").splitlines()}
    assert unmerged == {path_of(name) for name, case in cases.items() if case.conflicts}
    assert not [*repository.path.glob(".merge_file*"), *repository.path.glob("*.tmp")]


def cross(repository: GitRepository, base: str, ours: str, theirs: str, *settled: str) -> None:
    """Let each branch merge the first commit of the other one, with a settled text of its own.

    The branches have two merge bases then, which git merges first.
    """
    configured(repository)
    _forked(repository, *({FILE: text.encode()} for text in (base, ours, theirs)))
    first = {"main": repository.head(), "theirs": repository.head("theirs")}
    for branch, other, text in zip(("main", "theirs"), ("theirs", "main"), settled, strict=True):
        repository.checkout(branch)
        repository.merge(first[other], resolve={FILE: text})
    assert len(repository.git("merge-base", "--all", "main", "theirs").split()) == 2


@pytest.mark.soak
def test_branches_with_two_bases_that_conflict(repository: GitRepository) -> None:
    cross(repository, memory("A B"), memory("A B'"), memory('A B" T'), *[memory("A B T")] * 2)
    repository.checkout("main")
    put(repository, {FILE: memory("B T O").encode()})
    repository.checkout("theirs")
    put(repository, {FILE: memory("A B T C").encode()})
    repository.git("merge", "--quiet", "main")
    assert repository.read(FILE).decode() == memory("B T C O")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "ours", "theirs", "is_conflict"),
    [
        (memory("A B"), memory("A B'"), memory('A B"'), True),
        (crlf(memory("A B")), crlf(memory("A B'")), crlf(memory('A B"')), True),
        (items("one", "stop it"), items("one", "stop all"), items("one", "stop them"), False),
        (
            identified(1),
            identified(1).replace("The", "Our"),
            identified(1).replace("The", "A"),
            True,
        ),
    ],
)
def test_two_bases_that_each_branch_has_settled_in_its_own_way(
    base: str, ours: str, theirs: str, repository: GitRepository, *, is_conflict: bool
) -> None:
    cross(repository, base, ours, theirs, ours, theirs)
    repository.checkout("main")
    said = repository.git("-c", "alias.aloud=!git merge --no-edit theirs 2>&1 || true", "aloud")
    text = repository.read(FILE).decode()
    assert all(line in text for side in (ours, theirs) for line in side.splitlines())
    assert ("<<<<<<<" in text) == ("CONFLICT" in said) == is_conflict
    assert is_conflict or said.count("which the common version has in a conflict") == 2


@pytest.mark.slow
def test_a_merge_in_a_folder_of_a_linked_worktree(repository: GitRepository) -> None:
    configured(repository)
    texts = memory("A B"), memory("B O"), memory("A B T")
    _forked(repository, *({FILE: text.encode()} for text in texts))
    linked = repository.worktree(repository.path.with_name("linked"))
    linked.git("-C", "agents", "merge", "--quiet", "theirs")
    assert linked.read(FILE).decode() == memory("B O T")


ThreeVersions = tuple[str | bytes, str | bytes, str | bytes]


def driven(
    repository: GitRepository, versions: ThreeVersions, *options: str
) -> tuple[int, str, bytes]:
    """Call the driver as git does; return its exit code, its output, and our file."""
    base, ours, theirs = (f".merge_file_{name}" for name in ("base", "ours", "theirs"))
    for name, data in zip((base, ours, theirs), versions, strict=True):
        repository.write(name, data)
    done = LEARNINGS("merge-driver", base, ours, theirs, FILE, *options, cwd=repository.path)
    assert done.out == ""
    return done.code, done.err, repository.read(ours)


BOTH_ADD = memory("A"), memory("A O"), memory("A T")
CONFLICT = memory("A"), memory("A'"), memory('A"')


def test_a_clean_merge_says_only_what_both_sides_added(repository: GitRepository) -> None:
    assert driven(repository, BOTH_ADD) == (0, "", memory("A O T").encode())
    others = [repository.read(f".merge_file_{name}").decode() for name in ("base", "theirs")]
    assert others == [memory("A"), memory("A T")]
    code, said, _ = driven(repository, (memory("A"), memory("A O'"), memory('A O"')))
    assert code == 0
    assert said == f'learnings: {FILE}: both sides added "When O returns"; both texts are kept\n'


def test_conflicts_have_the_names_and_the_size_that_git_gives(repository: GitRepository) -> None:
    names = "--ours-name=HEAD", "--theirs-name=late (Add)", "--base-name=1234567"
    code, said, data = driven(repository, CONFLICT, *names, "--marker-size=9")
    marked = [line for line in data.decode().splitlines() if line[:1] in ("<", "=", ">")]
    assert marked == ["<" * 9 + " HEAD", "=" * 9, ">" * 9 + " late (Add)"]
    line = f'learnings: {FILE}: both sides changed "When A returns"; keep what is right\n'
    assert (code, said) == (1, line)


@pytest.mark.parametrize("size", ["%L", "0", "999999999", "1" * 5000])
def test_place_holders_of_an_older_git_and_sizes_that_are_none(
    size: str, repository: GitRepository
) -> None:
    names = "--ours-name=%X", "--theirs-name=%Y", "--base-name=%S"
    _, _, data = driven(repository, CONFLICT, *names, f"--marker-size={size}")
    assert data.decode().endswith("\n" + conflict(entry("A'"), entry('A"')))


@pytest.mark.parametrize("style", ["diff3", "zdiff3"])
def test_the_base_is_shown_where_git_would_show_it(style: str, repository: GitRepository) -> None:
    repository.git("config", "merge.conflictStyle", style)
    marked = conflict(entry("A'"), entry('A"')).replace(
        "=======\n", f"||||||| base\n{entry('A')}=======\n"
    )
    assert marked.encode() in driven(repository, CONFLICT)[2]


LINES = "one\ntwo\nthree\nfour\nfive\n"
LATIN = memory("A").encode() + b"\n## Caf\xe9\n\nOpen.\n"
OPEN = memory("A") + "\n" + entry("O") + "\n```sh\nmake\n"
REASONS: dict[str, tuple[ThreeVersions, str | bytes | None, int, str]] = {
    "no entries": (
        (LINES, LINES.replace("one", "1"), LINES.replace("five", "5")),
        "1\ntwo\nthree\nfour\n5\n", 0, "no version of it has entries",
    ),
    "not UTF-8": (
        (LATIN, LATIN.replace(b"Look", b"LOOK"), LATIN.replace(b"Open", b"OPEN")),
        LATIN.replace(b"Look", b"LOOK").replace(b"Open", b"OPEN"), 0, "it is not UTF-8",
    ),
    "list items made headings": (
        (
            "# L\n\n- 2026-01-01: never retry on 409\n- 2026-01-02: always ask the owner\n",
            memory("A B"),
            "# L\n\n- 2026-01-01: never retry on 409\n- 2026-01-02: always ask the caller\n",
        ),
        None, 1, "one side writes its entries in another dialect",
    ),
    "another of two twins removed by each": (
        (memory("A B' B"), memory("A B"), memory("A B'")),
        memory("A") + "\n## When B returns\n\n" + conflict(
            *(f"{words['B']}\n" for words in (WORDS, EDITED))
        ), 1, "“When B returns” would be lost",
    ),
    "a block left open": (
        (memory("A"), OPEN, memory("A T")),
        memory("A") + "\n" + conflict(OPEN.removeprefix(memory("A") + "\n"), entry("T")), 1,
        "“When T returns” would be lost",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REASONS)
def test_what_is_not_merged_by_entry_is_merged_by_lines(
    name: str, repository: GitRepository
) -> None:
    versions, merged, exit_code, reason = REASONS[name]
    code, said, data = driven(repository, versions)
    assert said == f"learnings: {FILE} is merged line by line, as git does ({reason})\n"
    assert code == exit_code
    if merged is None:  # git's own conflict
        assert data.decode().count("<<<<<<< ours\n") == 1
    else:
        assert data == (merged if isinstance(merged, bytes) else merged.encode())


def test_a_document_is_not_merged_as_decisions_for_its_name(repository: GitRepository) -> None:
    path = "docs/design-decisions.md"
    night, day = (f"\n## When to {word}\n\nOnce a day.\n" for word in ("log", "alert"))
    base = "# Design\n\n## When to cache\n\nOnly what is read twice.\n"
    _forked(configured(repository), *({path: (base + t).encode()} for t in ("", night, day)))
    repository.git("merge", "--quiet", "-m", "merge", "theirs")
    merged = repository.read(path).decode()
    assert all(text in merged for text in (base, night, day))


def test_a_file_above_the_limit(repository: GitRepository) -> None:
    large = memory("A") + "A line.\n" * 600_000
    versions = large, large + "End.\n", large.replace("One", "1")
    code, said, data = driven(repository, versions)
    assert code == 0
    assert "has more than 4 MB" in said
    assert data.decode() == large.replace("One", "1") + "End.\n"


def test_a_defect_of_ours(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("what")

    monkeypatch.setattr("learnings.surfaces.cli.merge_driver.merge", broken)
    code, said, data = driven(repository, BOTH_ADD)
    assert code == 1
    assert "a bug in learnings, please report it: KeyError 'what'" in said
    assert data.decode().count(">>>>>>>") == 1


def test_what_git_cannot_merge_either(repository: GitRepository) -> None:
    code, said, data = driven(repository, (b"\0", b"\0ours", b"\0theirs"))
    assert (code, data) == (1, b"\0ours")
    assert said == (
        f"learnings: {FILE} is not merged (it is not UTF-8) and holds our version; "
        f"`git show :3:{FILE}` prints theirs\n"
    )


def test_the_settings_of_the_file_hold(repository: GitRepository) -> None:
    repository.write("learnings.toml", f'path = "{FILE}"\nentry-level = 3\n')
    one, two = (entry(name, level="###") for name in "OT")
    base = "# Learnings\n\n## Builds\n\nOf builds.\n"
    versions = base, f"{base}\n{one}", f"{base}\n{two}"
    assert driven(repository, versions) == (0, "", f"{base}\n{one}\n{two}".encode())


def test_a_conflict_above_the_entries(repository: GitRepository) -> None:
    tops = [f"# {name}\n" for name in ("Learnings", "Lessons", "Memory")]
    base, ours, theirs = (memory("A", top) for top in tops)
    code, said, data = driven(repository, (base, ours, theirs))
    assert data.decode() == f"{conflict(*tops[1:])}\n{entry('A')}"
    assert 'both sides changed "the text above the entries"; keep' in said
    assert code == 1


def test_a_full_disk(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, *_: object) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("learnings.store.files.fill_temporary", full)
    code, said, data = driven(repository, BOTH_ADD)
    assert (code, data) == (1, memory("A O").encode())
    assert "is not merged (No space left on device) and holds our version" in said
    assert not [*repository.path.glob("*.tmp")]
    assert not [*repository.path.glob(".learnings-*")]


@pytest.mark.parametrize(("mention", "number"), [("It is L-20.", "003"), ("See L-002.", "002")])
def test_an_id_of_both_sides_is_renumbered_and_said(
    repository: GitRepository, mention: str, number: str
) -> None:
    def log(*titles: str) -> bytes:
        entries = (f"## L-{n:03}: {title}\n\nIt is {title}.\n" for n, title in enumerate(titles, 1))
        return "\n".join(["# Log\n", *entries]).encode()

    configured(repository)
    _forked(repository, {FILE: log("A")}, {FILE: log("A", "O")}, {FILE: log("A", "T")})
    repository.checkout("theirs")
    put(repository, {"notes.txt": mention.encode()})
    repository.checkout("main")
    said = repository.git("-c", "alias.aloud=!git merge --no-edit theirs 2>&1", "aloud")
    assert f"## L-{number}: T" in (repository.path / FILE).read_text()
    assert "L-002" in said
    assert ("L-003" in said) == (number == "003")
