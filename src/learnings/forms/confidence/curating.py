"""The files that `learnings memory curate` writes: applied rows first, then entries and marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from learnings.confidence.curation import curate
from learnings.confidence.documents.entries import edits_of
from learnings.confidence.documents.fields import DocumentProblem
from learnings.confidence.documents.observations import (
    CAPTURED,
    AppliedFile,
    LastRun,
    applied_text,
    marked,
)
from learnings.confidence.values import COUNTED, SKIPPED, Curation, CurationChange, Memory, Story
from learnings.core.sha256 import sha256_of
from learnings.core.text import encode
from learnings.core.yaml.editing import EditRefused, SetValue, YamlEdit, prove
from learnings.core.yaml.parsing import BadYaml
from learnings.core.yaml.round_trip import edited_yaml
from learnings.forms.confidence.loaded_memory import (
    NO_NUMBERS,
    LoadedMemory,
    Numbers,
    UnusableMemory,
    load_memory,
    stories_of,
)
from learnings.forms.confidence.memory_folder import FILE_NAMES, ConfidenceFolder
from learnings.store.files import Change


class CurateResult(NamedTuple):
    """The result of a run: the report in order, the files to write, and problems in others.

    applied is written before `files`, and None if no row is new. captured are the observations
    files to mark. completes is True for a run that only completes a killed one.
    """

    memory: Memory
    changes: tuple[CurationChange, ...]
    applied: Change | None
    files: tuple[Change, ...]
    captured: tuple[str, ...]
    problems: tuple[DocumentProblem, ...]
    completes: bool = False

    @property
    def written(self) -> tuple[Change, ...]:
        """All files to write, in writing order."""
        return (*filter(None, [self.applied]), *self.files)

    @property
    def is_complete(self) -> bool:
        """True if nothing was left out."""
        return not self.problems and all(change.action != SKIPPED for change in self.changes)


def curate_result(
    folder: ConfidenceFolder,
    *,
    today: str,
    named: Sequence[str] = (),
    workflow_type: str | None = None,
    numbers: Numbers = NO_NUMBERS,
) -> CurateResult:
    """Return the result of a run on an ISO date; nothing is written.

    `named` are observations files by path, all uncaptured ones if empty. Raises UnusableMemory for
    a broken memory file or settings file, and for a form of YAML that cannot be changed safely.
    """
    loaded = load_memory(folder, named=named, numbers=numbers)
    loaded.refuse_unreadable()
    stories = stories_of(loaded, workflow_type=workflow_type)
    before = loaded.applied.last_run.before
    unwritten = [  # what a killed run still had to write
        key
        for key, name in FILE_NAMES.items()
        if name in before and _digest(_data(loaded.texts[folder.entry_file(key)])) == before[name]
    ]
    if unwritten:
        return _completing(loaded, stories, unwritten)
    if named:  # any other is evidence, captured or not
        stories = [story._replace(is_new=story.source in named) for story in stories]
    curation = curate(loaded.memory, stories, loaded.settings, loaded.applied.rows, today=today)
    entry_files = _entry_files(loaded, curation.memory, FILE_NAMES)
    rows = {(row.source, row.observation) for row in curation.applied}
    all_applied = {
        story.source
        for story in stories
        if story.is_new and all((story.source, item.id) in rows for item in story.observations)
    }
    marks = [*_marks(loaded, all_applied)]
    return CurateResult(
        memory=curation.memory,
        changes=curation.changes,
        applied=_applied_file(loaded, curation, entry_files, today),
        files=(*entry_files.values(), *(text for _, text in marks)),
        captured=tuple(path for path, _ in marks),
        problems=loaded.problems,
    )


def _completing(
    loaded: LoadedMemory, stories: Iterable[Story], unwritten: Sequence[str]
) -> CurateResult:
    """Compute the result of a killed run from its input, for the files it had not written.

    The files do not depend on each other, so the ones it had written do not matter.
    """
    last_run = loaded.applied.last_run
    rows, added = loaded.applied.rows[: last_run.rows], loaded.applied.rows[last_run.rows :]
    curated = [row.source for row in added if row.action != COUNTED]
    seen = {(row.source, row.observation) for row in loaded.applied.rows}
    then = []
    for story in stories:
        items = story.observations
        is_curated = story.source in curated
        if is_curated:
            items = tuple(item for item in items if (story.source, item.id) in seen)
        then.append(story._replace(observations=items, is_new=is_curated))
    curation = curate(loaded.memory, then, loaded.settings, rows, today=last_run.date)
    entry_files = _entry_files(loaded, curation.memory, unwritten)
    return CurateResult(
        curation.memory, (), None, tuple(entry_files.values()), (), (), completes=True
    )


def _entry_files(loaded: LoadedMemory, memory: Memory, keys: Iterable[str]) -> Mapping[str, Change]:
    files = {}
    for key in keys:
        path, before = loaded.folder.entry_file(key), getattr(loaded.memory, key)
        edits = edits_of(loaded.files[key], key, before, getattr(memory, key))
        if edits:
            change = partial(edited_yaml, edits=edits)
            files[FILE_NAMES[key]] = _proven(path, loaded.texts[path], edits, change)
    return files


def _applied_file(
    loaded: LoadedMemory, curation: Curation, files: Mapping[str, Change], today: str
) -> Change | None:
    old = loaded.applied.rows
    if curation.applied == old and not files:
        return None
    before = {name: _digest(file.before) for name, file in files.items()}
    path = loaded.folder.applied_file
    file = AppliedFile(curation.applied, LastRun(today, len(old), before))
    return Change(path, _data(loaded.texts[path]), encode(applied_text(file)))


def _marks(loaded: LoadedMemory, curated: set[str]) -> Iterable[tuple[str, Change]]:
    """Yield the files that mark observations as captured, each with the observations file.

    A file with an unreadable observation is not captured: the observation would be forgotten.
    """
    broken = {problem.path for problem in loaded.problems}
    for file in loaded.sources:
        source = file.source
        if source.path in curated and source.path not in broken and not file.is_captured:
            edits = [SetValue((), CAPTURED, value=True)]
            if source.handoff is not None:
                yield source.path, _proven(source.handoff, file.handoff_text, edits, marked)
            elif file.content.can_be_marked:
                yield source.path, _proven(source.path, file.text, edits, marked)


def _proven(
    path: str, text: str | None, edits: Sequence[YamlEdit], edit: Callable[[str], str]
) -> Change:
    """Return a file changed by a function, which must make the edits and nothing else."""
    try:
        after = edit(text or "")
        prove(text or "", edits, after)
    except (BadYaml, EditRefused) as error:
        message = f"{path}:{error.line}: {error}; nothing was changed, write it in plain YAML"
        raise UnusableMemory(message) from None
    return Change(path, _data(text), encode(after))


def _data(text: str | None) -> bytes | None:
    return None if text is None else encode(text)


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256_of(data)
