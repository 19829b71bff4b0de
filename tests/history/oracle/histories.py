"""Repositories with a random but plausible history of one memory file.

The seed determines everything, dates included, and one ``git fast-import`` writes it: the same seed
gives the same hashes. The memory file starts as ``LEARNINGS.md`` and is later renamed to
``agents/learnings.md``. The seed sets its style (plain headings, timestamps, H3 under categories,
bullets); timestamps start after the first quarter. Some removed entries go to an archive beside it.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

NAMES = ("LEARNINGS.md", "agents/learnings.md")
STYLES = ("heading", "timestamped", "category", "bullet")
FIRST = int(datetime(2025, 1, 6, 9, tzinfo=UTC).timestamp())
LAST = int(datetime(2026, 10, 20, 18, tzinfo=UTC).timestamp())
HOUR, DAY = 3600, 86400
ZONES = ("+0000", "+0100", "-0800", "+0530", "+1400", "-1200", "+0545")
FEWEST = 3
VOCABULARY = """
agent always answer archive before branch broken bundle cache careful changes check clock clone
command commit config context copy date decide default delete diff directory drift empty error
every exact expect explicit fails fetch file first fixture flag folder format gate graph guess hook
import index input issue keep late layer learn limit line link list lock measure memory merge mock
name never newest note order output owner parse path plan prompt queue quiet read record release
remote rename report restore retry review root rule safe scope script search session shallow shell
silent skill slow split stale state step test token trace tree trigger update verify wait write
"""
WORDS = VOCABULARY.split()


@dataclass(frozen=True, slots=True)
class Note:
    """One entry; ``key`` stays when its words change."""

    key: int
    title: str
    stamp: str
    body: tuple[str, ...]
    fence: str = ""
    before: str = ""
    """What hides the entry: a line above that opens a block, or a sign in front of its mark."""


@dataclass(frozen=True, slots=True)
class Tree:
    """All files of one commit, before they are rendered."""

    notes: tuple[Note, ...] = ()
    elsewhere: tuple[Note, ...] = ()
    archived: tuple[str, ...] = ()
    name: str = NAMES[0]
    style: str = "heading"
    exists: bool = True
    crlf: bool = False
    spaced: bool = False
    work: int = 0


@dataclass(slots=True)
class Branch:
    """A line of commits: the commit where it left the main line, and its tip."""

    ref: str
    base: Tree
    tree: Tree
    tip: int
    length: int = 0
    removals: tuple[tuple[int, tuple[Note, ...]], ...] = ()


@dataclass(slots=True)
class Life:
    """The state for drawing a history: chance, clock, and the stream so far."""

    rng: random.Random
    now: int = FIRST
    mark: int = 0
    notes: int = 0
    removals: tuple[tuple[int, tuple[Note, ...]], ...] = ()
    subject: str = ""
    stream: list[bytes] = field(default_factory=list)


def random_history(path: Path, *, seed: int, commits: int) -> None:
    """Create a repository at ``path`` with ``main`` checked out and about ``commits`` commits."""
    stream = b"".join(_life(seed, commits))
    path.parent.mkdir(parents=True, exist_ok=True)
    for arguments, data in (
        (("init", "--quiet", "--template=", "--initial-branch=main", str(path)), None),
        (("-C", str(path), "fast-import", "--quiet"), stream),
        (("-C", str(path), "reset", "--quiet", "--hard"), None),
    ):
        subprocess.run(
            ["git", *arguments], input=data, env=_environment(), cwd=path.parent, check=True
        )


def name_at(paths: set[str]) -> str | None:
    """Return the name of the memory file among the paths of a commit, or None."""
    return next((name for name in NAMES if name in paths), None)


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


# -- the course of events


def _life(seed: int, commits: int) -> list[bytes]:
    life = Life(random.Random(seed))
    style = STYLES[seed % len(STYLES)]
    main = Branch("main", Tree(), Tree(), 0)
    open_branches: list[Branch] = []
    for step, gap in enumerate(_gaps(life.rng, commits)):
        life.now += gap
        tree = main.tree
        if step == 0:
            first = "heading" if style == "timestamped" else style
            _commit(life, main, Tree(tuple(_note(life) for _ in range(5)), style=first))
        elif step >= commits // 4 and tree.exists and tree.style != style:
            _commit(life, main, replace(tree, style=style))
        elif step >= commits // 2 and tree.exists and tree.name != NAMES[1]:
            _commit(life, main, replace(tree, name=NAMES[1]))
        elif step == commits - 1:
            _commit(life, main, replace(_changed(life, main), exists=True))
        else:
            _happen(life, main, open_branches)
    return life.stream


def _gaps(rng: random.Random, commits: int) -> Iterator[int]:
    """Return the seconds before each commit: busy hours, then nights, then weeks away."""
    drawn = [
        rng.choices((rng.uniform(0.02, 0.2), rng.uniform(0.5, 1.5), rng.uniform(5, 20)), (6, 3, 1))[
            0
        ]
        for _ in range(commits)
    ]
    scale = (LAST - FIRST) / sum(drawn)
    return (int(days * scale) for days in drawn)


def _happen(life: Life, main: Branch, open_branches: list[Branch]) -> None:
    rng = life.rng
    grown = [branch for branch in open_branches if branch.length]
    event = rng.choices(("main", "branch", "merge", "catch-up"), (55, 30, 12, 3))[0]
    if event == "merge" and grown:
        merged = grown if len(grown) > 1 and rng.random() < 0.4 else [rng.choice(grown)]
        _merge(life, main, merged)
        open_branches[:] = [branch for branch in open_branches if branch not in merged]
    elif event == "catch-up" and grown:
        branch = rng.choice(grown)
        _merge(life, branch, [main])
        branch.base = main.tree
    elif event == "branch" and (open_branches or main.tip):
        if len(open_branches) < 2:
            ref = f"work-{life.mark}"
            new = Branch(ref, main.tree, main.tree, main.tip, removals=main.removals)
            open_branches.append(new)
        branch = rng.choice(open_branches)
        branch.length += 1
        _commit(life, branch, _changed(life, branch))
    else:
        _commit(life, main, _changed(life, main))


def _merge(life: Life, into: Branch, others: list[Branch]) -> None:
    tree = into.tree
    for other in others:
        base = into.base if other.ref == "main" else other.base
        tree = _merged(life, base, tree, other.tree)
    _commit(life, into, tree, merged=others)


# -- what a commit changes


def _note(life: Life) -> Note:
    life.notes += 1
    rng = life.rng
    title = ("When ", "How to ", "")[rng.randrange(3)] + _phrase(rng, rng.randint(2, 5))
    moment = datetime.fromtimestamp(life.now, UTC).strftime("%Y-%m-%d-%H%M%S")
    body = tuple(_sentence(rng) for _ in range(rng.randint(3, 8)))
    return Note(life.notes, title, moment, body)


def _phrase(rng: random.Random, length: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(length))


def _sentence(rng: random.Random) -> str:
    return _phrase(rng, rng.randint(6, 12)).capitalize() + rng.choice((".", ".", ":", ""))


def _changed(life: Life, branch: Branch) -> Tree:
    tree, life.removals = branch.tree, branch.removals
    change: Callable[[Life, Tree], Tree]
    if not tree.exists:
        change = life.rng.choice((_work, _recreate))
    elif len(tree.notes) > 14:
        change = _consolidate
    else:
        change = life.rng.choices(tuple(CHANGES), tuple(CHANGES.values()))[0]
    return change(life, tree)


def _work(life: Life, tree: Tree) -> Tree:
    del life
    return replace(tree, work=tree.work + 1)


def _append(life: Life, tree: Tree) -> Tree:
    new = tuple(_note(life) for _ in range(life.rng.choice((1, 1, 1, 2, 4))))
    place = life.rng.choice((0, len(tree.notes), len(tree.notes), len(tree.notes)))
    return replace(tree, notes=tree.notes[:place] + new + tree.notes[place:])


def _repeat_title(life: Life, tree: Tree) -> Tree:
    """Add a second entry under an existing heading."""
    twin = life.rng.choice(tree.notes)
    note = replace(_note(life), title=twin.title, stamp=twin.stamp)
    return replace(tree, notes=(*tree.notes, note))


def _consolidate(life: Life, tree: Tree) -> Tree:
    """Remove several entries; sometimes one new entry replaces them."""
    most = max(0, len(tree.notes) - FEWEST)
    gone = life.rng.sample(tree.notes, min(most, life.rng.randint(2, 8)))
    kept = tuple(note for note in tree.notes if note not in gone)
    new = (_note(life),) if life.rng.random() < 0.5 else ()
    return replace(tree, notes=kept + new)


def _remove_one(life: Life, tree: Tree) -> Tree:
    if len(tree.notes) <= FEWEST:
        return _append(life, tree)
    gone = life.rng.choice(tree.notes)
    return replace(tree, notes=tuple(note for note in tree.notes if note is not gone))


def _revert(life: Life, tree: Tree) -> Tree:
    """Bring back what an earlier commit removed, and say so."""
    present = {note.key for note in tree.notes}
    open_ones = [row for row in life.removals if present.isdisjoint(n.key for n in row[1])]
    if not open_ones:
        return _remove_one(life, tree)
    mark, notes = life.rng.choice(open_ones[-3:])
    life.subject = f'Revert "{mark}"'
    return replace(tree, notes=tree.notes + notes)


def _bring_back(life: Life, tree: Tree) -> Tree:
    """Write a removed entry again, as it was or edited, or only its title."""
    present = {note.key for note in tree.notes}
    gone = [note for _, notes in life.removals for note in notes if note.key not in present]
    if not gone:
        return _remove_one(life, tree)
    note = life.rng.choice(gone)
    lines = life.rng.choice((0, 1, len(note.body)))
    body = _edited(life.rng, note.body, lines)
    again = replace(note, body=body, before="")
    if lines == len(note.body):
        again = replace(_note(life), title=note.title, stamp=note.stamp)
    return replace(tree, notes=(*tree.notes, again))


def _hide(life: Life, tree: Tree) -> Tree:
    """Hide entries, or show them again: in an open block, at a deeper level, behind a sign."""
    hiding = [note for note in tree.notes if note.before]
    if hiding and life.rng.random() < 0.8:
        return _replaced(tree, {note.key: replace(note, before="") for note in hiding})
    note = life.rng.choice(tree.notes)
    # Whether a block between items is in the body of the one above it is not settled.
    signs = ("\u200b",) if tree.style == "bullet" else ("```\n", "<!--\n", "#")
    return _replaced(tree, {note.key: replace(note, before=life.rng.choice((*signs, "\ufeff")))})


def _reword(life: Life, tree: Tree) -> Tree:
    """Change one to three headings; their bodies stay, change a little, or beyond recognition."""
    chosen = life.rng.sample(tree.notes, min(len(tree.notes), life.rng.choice((1, 1, 2, 3))))
    return _replaced(tree, {note.key: _reworded(life, note) for note in chosen})


def _reworded(life: Life, note: Note) -> Note:
    rng = life.rng
    words = note.title.split()
    words[rng.randrange(len(words))] = rng.choice(WORDS)
    title = rng.choice((" ".join(words), note.title.upper(), _phrase(rng, 4)))
    edited = max(0, rng.choice((0, 0, 1, len(note.body))))
    return replace(note, title=title, body=_edited(rng, note.body, edited))


def _edited(rng: random.Random, body: tuple[str, ...], lines: int) -> tuple[str, ...]:
    drawn = rng.sample(range(len(body)), min(lines, len(body)))
    return tuple(_sentence(rng) if n in drawn else line for n, line in enumerate(body))


def _edit_body(life: Life, tree: Tree) -> Tree:
    note = life.rng.choice(tree.notes)
    return _replaced(tree, {note.key: replace(note, body=_edited(life.rng, note.body, 2))})


def _restamp(life: Life, tree: Tree) -> Tree:
    note = life.rng.choice(tree.notes)
    moment = datetime.fromtimestamp(life.now, UTC).strftime("%Y-%m-%d-%H%M%S")
    return _replaced(tree, {note.key: replace(note, stamp=moment)})


def _fence(life: Life, tree: Tree) -> Tree:
    """Add a false heading to a body, in a fence or a comment, or remove it."""
    note = life.rng.choice(tree.notes)
    fence = "" if note.fence else life.rng.choice(("```\n{}\n```", "<!--\n{}\n-->"))
    shown = fence.format(f"## {_phrase(life.rng, 3)}")
    return _replaced(tree, {note.key: replace(note, fence=shown)})


def _break_encoding(life: Life, tree: Tree) -> Tree:
    note = life.rng.choice(tree.notes)
    latin = b"caf\xe9 na\xefve".decode("utf-8", "surrogateescape")
    return _replaced(tree, {note.key: replace(note, body=(*note.body[:-1], latin))})


def _replaced(tree: Tree, new: dict[int, Note]) -> Tree:
    return replace(tree, notes=tuple(new.get(note.key, note) for note in tree.notes))


def _reorder(life: Life, tree: Tree) -> Tree:
    if life.rng.random() < 0.3:
        return replace(tree, notes=tree.notes[::-1])
    notes = list(tree.notes)
    note = notes.pop(life.rng.randrange(len(notes)))
    notes.insert(life.rng.randint(0, len(notes)), note)
    return replace(tree, notes=tuple(notes))


def _normalise(life: Life, tree: Tree) -> Tree:
    if life.rng.random() < 0.5:
        return replace(tree, crlf=not tree.crlf)
    return replace(tree, spaced=not tree.spaced)


def _write_elsewhere(life: Life, tree: Tree) -> Tree:
    return replace(tree, elsewhere=(*tree.elsewhere, _note(life)))


def _move_in(life: Life, tree: Tree) -> Tree:
    if not tree.elsewhere:
        return _write_elsewhere(life, tree)
    return replace(tree, notes=tree.notes + tree.elsewhere[:1], elsewhere=tree.elsewhere[1:])


def _move_out(life: Life, tree: Tree) -> Tree:
    if len(tree.notes) <= FEWEST:
        return _append(life, tree)
    note = life.rng.choice(tree.notes)
    notes = tuple(other for other in tree.notes if other is not note)
    return replace(tree, notes=notes, elsewhere=(*tree.elsewhere, note))


def _archive(life: Life, tree: Tree) -> Tree:
    """Move one or two entries to the archive: to a group, or to the dropped entries."""
    gone = life.rng.sample(
        tree.notes, min(max(0, len(tree.notes) - FEWEST), life.rng.choice((1, 2)))
    )
    notes = tuple(note for note in tree.notes if note not in gone)
    heading = life.rng.choice(("Group", "Group", "Dropped"))
    texts = "".join(_shown(tree, _rendered_note(tree.style, note)) for note in gone)
    part = f"\n## {heading}: {_phrase(life.rng, 2)}\n\n{texts}"
    return replace(tree, notes=notes, archived=(*tree.archived, part)) if gone else tree


def _delete(life: Life, tree: Tree) -> Tree:
    del life
    return replace(tree, exists=False)


def _recreate(life: Life, tree: Tree) -> Tree:
    kept = tree.notes[life.rng.randrange(3) :]
    new = tuple(_note(life) for _ in range(FEWEST))
    return replace(tree, exists=True, notes=kept + new)


CHANGES: dict[Callable[[Life, Tree], Tree], float] = {
    _work: 25,
    _append: 28,
    _repeat_title: 0.7,
    _consolidate: 4,
    _remove_one: 2,
    _revert: 3,
    _bring_back: 3,
    _hide: 5,
    _reword: 8,
    _edit_body: 6,
    _restamp: 2,
    _fence: 4,
    _break_encoding: 1.5,
    _reorder: 5,
    _normalise: 3,
    _write_elsewhere: 4,
    _move_in: 4,
    _move_out: 2,
    _archive: 3,
    _delete: 0.8,
}


# -- merges


def _merged(life: Life, base: Tree, ours: Tree, theirs: Tree) -> Tree:
    """Merge three ways, entry by entry; sometimes wrong in a way that merges go wrong."""
    how = life.rng.choices(("clean", "resurrect", "drop", "reword", "ours"), (65, 15, 8, 7, 5))[0]
    if how == "ours":
        return replace(ours, work=ours.work + 1)
    notes = _merged_notes(base, ours, theirs, resurrect=how == "resurrect")
    tree = Tree(
        notes=notes if len(notes) >= FEWEST else ours.notes,
        elsewhere=theirs.elsewhere if ours.elsewhere == base.elsewhere else ours.elsewhere,
        archived=tuple(dict.fromkeys((*ours.archived, *theirs.archived))),
        name=theirs.name if ours.name == base.name else ours.name,
        style=theirs.style if ours.style == base.style else ours.style,
        exists=theirs.exists if ours.exists == base.exists else ours.exists,
        crlf=theirs.crlf if ours.crlf == base.crlf else ours.crlf,
        spaced=theirs.spaced if ours.spaced == base.spaced else ours.spaced,
        work=ours.work + theirs.work - base.work,
    )
    if how == "drop":
        return _consolidate(life, tree)
    return _reword(life, tree) if how == "reword" else tree


def _merged_notes(base: Tree, ours: Tree, theirs: Tree, *, resurrect: bool) -> tuple[Note, ...]:
    before = {note.key: note for note in base.notes}
    mine = {note.key: note for note in ours.notes}
    other = {note.key: note for note in theirs.notes}
    merged = [
        other[key] if key in other and mine[key] == before.get(key) else mine[key]
        for key in mine
        if resurrect or key in other or key not in before
    ]
    added = [other[key] for key in other if key not in mine and (resurrect or key not in before)]
    return tuple(merged + added)


# -- bytes


def _commit(life: Life, branch: Branch, tree: Tree, *, merged: list[Branch] | None = None) -> None:
    life.mark += 1
    rng, subject = life.rng, life.subject or str(life.mark)
    life.subject = ""
    kept = {note.key for note in tree.notes}
    gone = tuple(note for note in branch.tree.notes if note.key not in kept)
    if gone and not merged:
        branch.removals = (*branch.removals, (life.mark, gone))
    lag = rng.randint(1, 6) * DAY if rng.random() < 0.15 else rng.randint(0, HOUR)
    skew = rng.randint(0, 3 * HOUR) if rng.random() < 0.03 else 0
    lines = [
        f"commit refs/heads/{branch.ref}",
        f"mark :{life.mark}",
        f"author A <a@example.org> {life.now - lag} {rng.choice(ZONES)}",
        f"committer C <c@example.org> {life.now - skew} {rng.choice(ZONES)}",
        f"data {len(subject)}\n{subject}",
        *([f"from :{branch.tip}"] if branch.tip else []),
        *(f"merge :{other.tip}" for other in merged or []),
        "deleteall",
    ]
    life.stream.append("\n".join(lines).encode() + b"\n")
    for name, content in _files(tree).items():
        life.stream.append(b"M 100644 inline %s\ndata %d\n" % (name.encode(), len(content)))
        life.stream.append(content + b"\n")
    branch.tree, branch.tip = tree, life.mark


def _files(tree: Tree) -> dict[str, bytes]:
    files = {"src/app.txt": f"{tree.work}\n".encode()}
    if tree.elsewhere:
        files["agents/notes.md"] = _rendered("heading", tree.elsewhere, "Notes")
    if tree.archived:
        text = "# Consolidated learnings\n\nOriginals.\n" + "".join(tree.archived)
        files[archive_of(tree.name)] = text.encode("utf-8", "surrogateescape")
    if tree.exists:
        text = _rendered(tree.style, tree.notes, "Learnings").decode("utf-8", "surrogateescape")
        content = _shown(tree, text).encode("utf-8", "surrogateescape")
        files[tree.name] = content.replace(b"\n", b"\r\n") if tree.crlf else content
    return files


def archive_of(name: str) -> str:
    """Return the path of the archive beside the memory file."""
    folder, slash, _ = name.rpartition("/")
    return f"{folder}{slash}archive/learnings-consolidated-2025.md"


def _shown(tree: Tree, text: str) -> str:
    """Return a text with the spacing of the file."""
    return text.replace("## ", "##   ").replace(".\n", ".  \n") if tree.spaced else text


def _rendered(style: str, notes: tuple[Note, ...], title: str) -> bytes:
    parts = [f"# {title}\n\nWhat this repository taught us.\n\n---\n\n"]
    if style == "category":
        for name in ("Git", "Tests"):
            group = [note for note in notes if (note.key % 3 == 0) == (name == "Git")]
            parts += [f"## {name}\n\n"] if group else []
            parts += [_rendered_note(style, note) for note in group]
    else:
        parts += [_rendered_note(style, note) for note in notes]
    return "".join(parts).encode("utf-8", "surrogateescape")


def _rendered_note(style: str, note: Note) -> str:
    lines = [*note.body, *note.fence.splitlines()]
    before = note.before
    if style == "bullet":
        indented = [f"  {line}" for line in lines]
        return "\n".join([f"{before}- {note.stamp[:10]}: {note.title}", *indented]) + "\n"
    heading = {
        "heading": f"## {note.title}",
        "timestamped": f"## [{note.stamp}] {note.title}",
        "category": f"### {note.title}",
    }[style]
    closing = "\n---\n" if style == "timestamped" else ""
    return "\n".join([f"{before}{heading}", "", *lines]) + "\n" + closing + "\n"
