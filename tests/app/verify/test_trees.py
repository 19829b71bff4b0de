"""What is said of one change in each kind of repository and each tree."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.support.command import Command, Completed
from tests.support.repository import GitRepository

LEARNINGS, HOOK = Command("learnings"), Command("learnings-lossless")
MEMORY, NOTES = "agents/learnings.md", "docs/notes.md"
HEAD = "# Learnings\n"
LOCK = "\n## When a lock stays\n\nLook for the process that holds it, and ask who started it.\n"
CLOCK = "\n## When a clock jumps\n\nStore instants in UTC, and convert them only to show them.\n"
QUEUE = "\n## When a queue fills\n\nSlow the producers down before you add another consumer.\n"
BEFORE = HEAD + LOCK + CLOCK
CHANGES = {"nothing": BEFORE, "added": BEFORE + QUEUE, "lost": HEAD + LOCK}
NOTHING = "No memory file changed"


class Kind(NamedTuple):
    """A repository with a memory: where its text is, how to prepare it, whether git sees changes.

    write puts a text into the file; prepare comes before the first commit, finish after it.
    """

    file: str = MEMORY
    prepare: Callable[[GitRepository], object] = lambda _: None
    finish: Callable[[GitRepository], object] = lambda _: None
    write: Callable[[GitRepository, str, str], object] = GitRepository.write
    is_guarded: bool = True
    note: str = ""


def link(name: str, text: str) -> Callable[[GitRepository], object]:
    def make(repository: GitRepository) -> None:
        path = repository.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(text)

    return make


def attributes(line: str, *settings: str) -> Callable[[GitRepository], object]:
    def make(repository: GitRepository) -> None:
        repository.write(".gitattributes", f"{line}\n")
        for setting in settings:
            repository.git("config", *setting.split("=", 1))

    return make


def write_utf_16(repository: GitRepository, path: str, text: str) -> None:
    repository.write(path, text.encode("utf-16"))


def write_outside(repository: GitRepository, path: str, text: str) -> None:
    repository.path.with_name(path).write_text(text, encoding="utf-8")


def write_folder(repository: GitRepository, path: str, text: str) -> None:
    """Make a folder of the entries of a text, one file each."""
    shutil.rmtree(repository.path / path, ignore_errors=True)
    for section in text.split("\n## ")[1:]:
        repository.write(f"{path}/{section.split()[2]}.md", f"# {section}")


def as_text(repository: GitRepository) -> None:
    """Check the link out as a file with its text, as git does on a disk without links."""
    repository.git("config", "core.symlinks", "false")
    (repository.path / MEMORY).unlink()
    repository.git("checkout", "--", MEMORY)
    assert repository.read(MEMORY) == b"../docs/notes.md"


def keep_off_disk(repository: GitRepository) -> None:
    repository.git("sparse-checkout", "set", "--no-cone", "/docs/*", "/src/*")
    assert not (repository.path / MEMORY).exists()


def write_to_index(repository: GitRepository, path: str, text: str) -> None:
    """Change a file that is not on disk."""
    if not repository.git("ls-files", "--", path):
        repository.write(path, text)
        return
    blob = repository.git("hash-object", "-w", "--stdin", stdin=text.encode())
    repository.git("update-index", "--cacheinfo", f"100644,{blob},{path}")
    repository.git("update-index", "--skip-worktree", path)


def make_submodule(repository: GitRepository, path: str = "agents") -> str:
    inner = GitRepository(repository.path / path)
    inner.write("learnings.md", BEFORE)
    inner.commit()
    return repository.git("-c", "advice.addEmbeddedRepo=false", "add", path)


def hidden(flag: str) -> Kind:
    """Return a memory that git was told not to look at."""
    command = ["update-index", f"--{flag}", MEMORY]
    note = f"git update-index --no-{flag} -- {MEMORY}"
    return Kind(finish=lambda r: r.git(*command), is_guarded=False, note=note)


KINDS = {
    "plain": Kind(),
    "link to a file": Kind(NOTES, link(MEMORY, "../docs/notes.md")),
    "link to a folder": Kind("shared/agents/learnings.md", link("agents", "shared/agents")),
    "link above a link": Kind(
        NOTES,
        lambda r: [link("agents", "tools/x")(r), link("tools/x/learnings.md", f"../../{NOTES}")(r)],
    ),
    "chain of links": Kind(
        NOTES, lambda r: [link(MEMORY, "../a/b.md")(r), link("a/b.md", "../docs/notes.md")(r)]
    ),
    "absolute link by way of a link to the top": Kind(
        NOTES,
        lambda r: [
            link("../by-link", str(r.path))(r),
            link(MEMORY, str(r.path.with_name("by-link") / NOTES))(r),
        ],
    ),
    "link to a file of no type": Kind("docs/notes", link(MEMORY, "../docs/notes")),
    "configured link": Kind(
        NOTES,
        lambda r: [
            link("x/memory.md", "../docs/notes.md")(r),
            r.write("learnings.toml", 'path = "x/memory.md"\n'),
        ],
    ),
    "memory folder": Kind(
        "shared/memory", link(".claude/memory", "../shared/memory"), write=write_folder
    ),
    "outside link": Kind(
        "outside.md", link(MEMORY, "../../outside.md"), write=write_outside, is_guarded=False
    ),
    "link in a circle": Kind(
        "docs/notes",
        lambda r: [link("agents/learnings.md", "x.md")(r), link("agents/x.md", "learnings.md")(r)],
        is_guarded=False,
    ),
    "text link": Kind(NOTES, link(MEMORY, "../docs/notes.md"), as_text),
    "sparse": Kind(finish=keep_off_disk, write=write_to_index),
    "submodule": Kind(prepare=make_submodule, is_guarded=False),
    "filter": Kind(
        prepare=attributes(
            f"{MEMORY} filter=rot",
            "filter.rot.clean=tr a-z n-za-m",
            "filter.rot.smudge=tr a-z n-za-m",
        )
    ),
    "filter of a macro behind a link": Kind(
        NOTES,
        lambda r: [
            link(MEMORY, "../docs/notes.md")(r),
            attributes(
                "[attr]secret filter=rot\n*.md secret",
                "filter.rot.clean=tr a-z n-za-m",
                "filter.rot.smudge=tr a-z n-za-m",
            )(r),
        ],
    ),
    "UTF-16": Kind(
        prepare=attributes(f"{MEMORY} text working-tree-encoding=UTF-16"), write=write_utf_16
    ),
    "link into a submodule": Kind(
        "shared/learnings.md",
        lambda r: [link(MEMORY, "../shared/learnings.md")(r), make_submodule(r, "shared")],
        is_guarded=False,
        note="cd shared && learnings verify",
    ),
    "skip-worktree": hidden("skip-worktree"),
    "assume-unchanged": hidden("assume-unchanged"),
    "ignored link": Kind(
        NOTES,
        lambda r: [link(MEMORY, "../docs/notes.md")(r), r.write(".gitignore", "/agents\n")],
    ),
    "ignored link to a folder": Kind(
        "shared/agents/learnings.md",
        lambda r: [link("agents", "shared/agents")(r), r.write(".gitignore", "/agents\n")],
    ),
    "ignored link to a memory folder": Kind(
        "shared/memory",
        lambda r: [link(".claude/memory", "../shared/memory")(r), r.write(".gitignore", ".*\n")],
        write=write_folder,
    ),
    "names in any case": Kind(
        "agents/LEARNINGS.md", lambda r: r.git("config", "core.ignorecase", "true")
    ),
    "composed name": Kind("docs/m\u00e9moire.md", link(MEMORY, "../docs/m\u00e9moire.md")),
    "decomposed name": Kind("docs/me\u0301moire.md", link(MEMORY, "../docs/me\u0301moire.md")),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def memory(repository: GitRepository, kind: Kind) -> GitRepository:
    repository.write("src/main.py", "print()\n")
    kind.prepare(repository)
    kind.write(repository, kind.file, BEFORE)
    repository.git("add", "--all")
    repository.commit(all=False)
    kind.finish(repository)
    return repository


TREES = {
    "working tree": (["verify"], ["diff"]),
    "index": (["verify", "--staged"], None),
    "commit": (["verify", "HEAD~1..HEAD"], ["diff", "HEAD~1", "HEAD"]),
}


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_judged_alike_in_every_tree(
    memory: GitRepository, kind: Kind, tree: str, change: str
) -> None:
    if change != "nothing":
        kind.write(memory, kind.file, CHANGES[change])
    if tree != "working tree":
        memory.write("src/main.py", "print(1)\n")
        memory.git("add", "--all")
    if tree == "commit":
        memory.commit(all=False)
    verify, diff = TREES[tree]
    answers = [LEARNINGS(*verify, cwd=memory.path)]
    if tree == "index":
        answers.append(HOOK(cwd=memory.path))
    is_seen = kind.is_guarded and change != "nothing"
    for answer in answers:
        is_named = tree == "working tree" or not kind.note.startswith("git update-index")
        judged(answer, change if is_seen else "nothing", kind.note if is_named else "")
    if diff:
        shown = LEARNINGS(*diff, cwd=memory.path)
        sentence = {"added": "Adds 1 entry", "lost": "Loses 1 entry"}.get(change, "")
        assert (sentence if is_seen else "No entry changed.") in shown.out
        assert (shown.code, shown.err) == (0, "")


# Nobody follows the links, the entries of a folder are files, and the others are not on this disk.
NOT_CHECKED = (
    *("memory folder", "ignored link to a memory folder", "outside link", "link in a circle"),
    *("sparse", "submodule", "link into a submodule"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_reads_each_memory_and_misses_what_is_gone(
    repository: GitRepository, kind: str
) -> None:
    made = KINDS[kind]
    made.prepare(repository)
    made.write(repository, made.file, BEFORE)
    repository.git("add", "--all")
    repository.commit(all=False)
    made.finish(repository)
    words = ("check", "--rule=entries-gone", "--rule=invalid-encoding", "--rule=dialect-unknown")
    done = LEARNINGS(*words, cwd=repository.path)
    assert (done.code, done.out) == (0, "")
    made.write(repository, made.file, HEAD)
    done = LEARNINGS(*words, cwd=repository.path)
    assert (done.code == 1) == ("entries-gone" in done.out) == (kind not in NOT_CHECKED)


def judged(answer: Completed, change: str, note: str) -> None:
    """Check the answer about a change that git sees."""
    assert answer.err == ""
    assert (NOTHING in answer.out) == (change == "nothing" and not note)
    assert answer.code == (change == "lost")
    if change == "lost":
        assert '"When a clock jumps" is lost' in answer.out
    assert note in answer.out


LOST, HIDDEN = '"When a clock jumps" is lost', '"When a clock jumps" is no longer an entry'
NEW = "docs/new.md"
LINKS: dict[str, tuple[str, dict[str, str | None], str]] = {
    # The link or text before; the changed paths, None to remove one; the answer.
    "led elsewhere": ("->../docs/notes.md", {MEMORY: "->../docs/new.md", NEW: HEAD + LOCK}, HIDDEN),
    "led elsewhere, its end removed": (
        "->../docs/notes.md",
        {MEMORY: "->../docs/new.md", NEW: HEAD + LOCK, NOTES: None},
        LOST,
    ),
    "removed": ("->../docs/notes.md", {MEMORY: None}, HIDDEN),
    "removed with its end": ("->../docs/notes.md", {MEMORY: None, NOTES: None}, LOST),
    "replaced by a file": ("->../docs/notes.md", {MEMORY: HEAD + LOCK, NOTES: None}, LOST),
    "in the place of a file": (
        BEFORE,
        {MEMORY: "->../docs/new.md", NEW: BEFORE, NOTES: None},
        "Nothing is lost",
    ),
    "in the place of a file with more": (
        BEFORE,
        {MEMORY: "->../docs/new.md", NEW: HEAD + LOCK, NOTES: None},
        LOST,
    ),
}


def put(repository: GitRepository, path: str, text: str | None) -> None:
    """Write a text, make a link (`->` and where it leads), or remove what is there."""
    (repository.path / path).unlink(missing_ok=True)
    if text is not None and text.startswith("->"):
        link(path, text.removeprefix("->"))(repository)
    elif text is not None:
        repository.write(path, text)


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", LINKS)
def test_a_changed_link_is_followed_before_and_after(
    repository: GitRepository, name: str, tree: str
) -> None:
    before, change, expected = LINKS[name]
    put(repository, NOTES, BEFORE)
    put(repository, MEMORY, before)
    repository.git("add", "--all")
    repository.commit(all=False)
    for path, text in change.items():
        put(repository, path, text)
    if tree != "working tree":
        repository.git("add", "--all")
    if tree == "commit":
        repository.commit(all=False)
    answer = LEARNINGS(*TREES[tree][0], cwd=repository.path)
    assert answer.code == (expected == LOST)
    assert expected in answer.out


def test_an_untracked_link_is_followed_before_and_after(repository: GitRepository) -> None:
    put(repository, NOTES, BEFORE)
    repository.commit()
    put(repository, MEMORY, "->../docs/notes.md")
    put(repository, NOTES, HEAD + LOCK)
    answers = [LEARNINGS("verify", cwd=repository.path)]
    repository.git("add", NOTES)
    answers += [LEARNINGS("verify", "--staged", cwd=repository.path), HOOK(cwd=repository.path)]
    for answer in answers:
        assert (answer.code, LOST in answer.out) == (1, True)


def test_a_file_that_git_does_not_look_at_is_named_in_every_format(
    repository: GitRepository,
) -> None:
    put(repository, NOTES, BEFORE)
    put(repository, MEMORY, "->../docs/notes.md")
    repository.write("src/main.py", "print()\n")
    repository.commit()
    for path in (NOTES, "src/main.py"):
        repository.git("update-index", "--assume-unchanged", path)
    repository.write(NOTES, HEAD)
    command = f"git update-index --no-assume-unchanged -- {NOTES}"
    unseen = {"path": NOTES, "flag": "assume-unchanged", "repository": None, "command": command}
    for arguments in (["verify"], ["diff"]):
        document = LEARNINGS(*arguments, "--format", "json", cwd=repository.path).json
        assert [{key: file[key] for key in unseen} for file in document["unseen"]] == [unseen]
    for arguments in (["diff"], ["diff", "--format", "markdown"], ["verify", "--format", "github"]):
        assert command in LEARNINGS(*arguments, cwd=repository.path).out
    done = LEARNINGS("verify", cwd=repository.path)
    assert done.out.startswith(f"{NOTES}:1: notice: git was told not to look at this file")
    assert "\nNo other memory file changed in the working tree" in done.out
    assert LEARNINGS("verify", "--quiet", cwd=repository.path).out == ""
    assert NOTHING in LEARNINGS("verify", "--staged", cwd=repository.path).out


def test_the_commands_for_a_lost_file_move_it_to_an_archive(repository: GitRepository) -> None:
    write_folder(repository, ".serena/memories", BEFORE)
    repository.commit()
    name = next((repository.path / ".serena/memories").iterdir()).name
    repository.remove(f".serena/memories/{name}")
    lost = LEARNINGS("verify", cwd=repository.path)
    restore, archive = [shlex.split(line) for line in lost.out.splitlines() if line[:4] == "    "]
    repository.git(*restore[1:])
    assert LEARNINGS(*archive[1:], cwd=repository.path).code == 0
    assert (repository.path / ".serena/memories/archive" / name).is_file()
    assert LEARNINGS("verify", "--staged", cwd=repository.path).code == 0
