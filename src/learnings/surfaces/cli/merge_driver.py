"""Merge a memory file by entry; git calls this command with `%O %A %B %P`.

Git runs it in a merge, rebase, cherry-pick, revert or stash for the files that .gitattributes
names; docs/merging.md shows how to set it up. The result, which replaces OURS, has the entries that
either side added, and the edits and removals of either side. If both sides changed the same
paragraph, item, field or row of an entry, or one side edited an entry that the other side removed,
both versions stay between conflict markers around the entry. If both sides gave the same id to
different entries, the entry of their side gets a new id unless something refers to it. Text that
cannot be merged by entry is merged line by line, as git does; a file of decisions is merged by
decision. The result never lacks an entry that both sides have.

Exit code: 0 if merged, 1 if conflicts are left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from learnings.consolidation.merge.conflicts import Markers
from learnings.consolidation.merge.losses import Lost
from learnings.consolidation.merge.merge import Merge, merge
from learnings.consolidation.merge.versions import NotMerged
from learnings.core.entries.decisions import is_decisions, merged_decisions
from learnings.core.entries.document import ReadOptions
from learnings.core.errors import LearningsError
from learnings.core.findings.finding import quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, not_text, printable
from learnings.history.git.merges import mentions, merge_bytes, merge_files, shows_base
from learnings.history.git.process import GitFailed
from learnings.store.files import replace_content
from learnings.surfaces.cli.commands import CLEAN, FINDINGS, Args, Context
from learnings.workspace.disk import read_file
from learnings.workspace.workspace import Workspace

# The default of git, which `learnings check` recognises.
_MARKER_SIZE = 7
# A usable size: .gitattributes may ask for a gigabyte, or for more digits than int() accepts.
_SIZE = lazy_pattern(r"[1-9][0-9]{0,2}", re.ASCII)


class _Call(NamedTuple):
    """The files of base, ours and theirs, the path of the merged file, and the folder of git."""

    files: tuple[Path, Path, Path]
    path: str
    root: Path
    markers: Markers

    @property
    def names(self) -> tuple[str, str, str]:
        """The names of base, ours and theirs in conflict markers."""
        return self.markers.base, self.markers.ours, self.markers.theirs

    def merge_text(self, base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, int]:
        """Merge a text line by line; raises NotMerged."""
        versions, size = (base, ours, theirs), self.markers.size
        try:
            return merge_bytes(versions, self.root, names=self.names, marker_size=size)
        except GitFailed as error:
            raise NotMerged(f"git cannot merge it ({error})") from None


ARGUMENTS = """
base=BASE           common ancestor (%%O)
ours=OURS           our version, replaced by the result (%%A)
theirs=THEIRS       their version (%%B)
path=PATH           path of the file (%%P)
--marker-size N     length of a conflict marker
--base-name NAME    label of base in a conflict
--ours-name NAME    label of ours in a conflict
--theirs-name NAME  label of theirs in a conflict
"""


def run(args: Args, context: Context) -> int:
    call = _call(args, context.folder)
    try:
        versions = [read_file(file, shown=call.path) for file in call.files]
        if any(versions) and all(is_decisions(call.path, data) for data in versions if data):
            replace_content(call.files[1], merged_decisions(*versions))
            return CLEAN
        merged = _merged(call, versions, context.workspace)
        replace_content(call.files[1], merged.data)
    except Exception as error:  # noqa: BLE001  (git would keep only our side)
        return _merge_lines(call, error, context.err)
    remarks = [f"both sides added {quoted(title)}; both texts are kept" for title in merged.twice]
    remarks += [
        f"{quoted(title)} is kept, which the common version has in a conflict"
        for title in merged.disputed
    ]
    for shared in merged.shared_ids:
        given = f"both sides gave the id {printable(shared.id)} to an entry"
        title = quoted(shared.title)
        remarks.append(
            f"{given}; their {title} is now {printable(shared.new_id)}"
            if shared.new_id is not None
            else f"{given}, and something refers to it; renumber {title}, or the other one"
        )
    remarks += [
        f"both sides changed {quoted(title)}; keep what is right" for title in merged.conflicts
    ]
    shown = printable(call.path)
    context.err.writelines(f"learnings: {shown}: {remark}\n" for remark in remarks)
    return FINDINGS if merged.conflicts else CLEAN


def _call(args: Args, folder: Path) -> _Call:
    size = args.marker_size or ""
    markers = Markers(
        size=int(size) if _SIZE.fullmatch(size) else _MARKER_SIZE,
        base=_name(args.base_name, "base"),
        ours=_name(args.ours_name, "ours"),
        theirs=_name(args.theirs_name, "theirs"),
    )
    files = folder / args.base, folder / args.ours, folder / args.theirs
    return _Call(files, args.path, folder, markers)


def _name(given: str | None, default: str) -> str:
    """Return the name of a version; an older git passes its placeholder (`%X`) literally."""
    if not given or given.startswith("%"):
        return default
    return " ".join(given.split()) or default


def _merged(call: _Call, versions: Sequence[bytes], workspace: Workspace) -> Merge:
    if any(not_text(decode(version)) for version in versions):
        raise NotMerged("it is not UTF-8")
    settings = workspace.file_settings(call.path)
    return merge(
        *versions,
        merge_text=call.merge_text,
        options=ReadOptions.of(settings),
        markers=call.markers._replace(with_base=shows_base(call.root)),
        is_referred=lambda name: mentions(call.root, name, but=call.path),
    )


def _reason(error: Exception) -> str:
    if isinstance(error, LearningsError):
        return str(error)
    if isinstance(error, OSError):
        return error.strerror or "unknown reason"
    return f"a bug in learnings, please report it: {type(error).__name__} {error}"


def _merge_lines(call: _Call, error: Exception, err: TextIO) -> int:
    """Merge the files as git does; keep our version if git cannot merge them either.

    What would be lost is a conflict without the base, by which git would lose it, too.
    """
    shown, sentence = printable(call.path), printable(_reason(error))
    names, size = call.names, call.markers.size
    try:
        if isinstance(error, Lost):
            sides = (read_file(file, shown=call.path) for file in call.files[1:])
            data, conflicts = call.merge_text(b"", *sides)
        else:
            data, conflicts = merge_files(call.files, call.root, names=names, marker_size=size)
        replace_content(call.files[1], data)
    except (GitFailed, LearningsError, OSError):
        err.write(
            f"learnings: {shown} is not merged ({sentence}) and holds our version; `git "
            f"show :3:{shown}` prints theirs\n"
        )
        return FINDINGS
    err.write(f"learnings: {shown} is merged line by line, as git does ({sentence})\n")
    return FINDINGS if conflicts else CLEAN
