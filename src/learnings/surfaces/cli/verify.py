"""Prove that a change of the memory lost nothing: no entry, archived original or index row.

Each entry of the compared commit must still be in the memory, word for word in an archive or in
another Markdown file, or covered by one section or entry. The setting `coverage` is the share of
the entry that must be covered; a notice shows the uncovered words. An archive on disk must be
committed together with the change that removes its entries. The command names entries that were
edited in place. By default, the command compares HEAD with the working tree; with --staged, with
the staged changes. A..B compares two commits, checks each commit between them, and names the one
that lost an entry.

Exit code: 0 if nothing is lost, 1 if something is lost (the output has the command that archives
it), 2 for wrong usage or history.
"""

from __future__ import annotations

import os

from learnings.app.verify.verification import Verification, verification_for_hook, verification_of
from learnings.core.errors import UsageProblem
from learnings.core.text import printable, short_commit
from learnings.forms.learnings_file import doubt_of
from learnings.surfaces.cli.commands import Args, Context

ARGUMENTS = """
range=A..B?   two commits; B defaults to HEAD
--base REV    commit to compare with (default: HEAD)
| --staged    check the staged changes
| --head REV  check this commit
+format verify
--quiet       print only losses, without notes
--hook
"""


def run(args: Args, context: Context) -> int:
    if args.hook and args.base is None:
        verification = verification_for_hook(context.workspace, os.environ)
        if isinstance(verification, str):
            context.out.write(f"learnings: {verification}\n")
            return 0
    else:
        verification = _verification(args, context)
    note = _about_base(verification)
    if note and verification.proof.losses and not args.quiet:
        context.note(note)
    if args.format == "text" and not args.quiet:
        found = (
            (name, doubt_of(context.workspace, name, document))
            for name, document in verification.documents.items()
        )  # memories that can be read in two ways: others would be their losses
        context.note(*(printable(f"{name}: {doubt}") for name, doubt in found if doubt))
    losses = verification.proof.losses
    if args.quiet:
        proof = verification.proof._replace(notices=())
        verification = verification._replace(proof=proof, unseen=())
    if losses or not (args.quiet and args.format == "text"):
        context.show("verify", args.format, verification)
    return int(bool(losses))


def _verification(args: Args, context: Context) -> Verification:
    if args.range is None:
        base = args.base or "HEAD"
        return verification_of(context.workspace, base, head=args.head, staged=args.staged)
    base, dots, head = args.range.partition("..")
    if not base or not dots or head.startswith("."):
        raise UsageProblem(
            f"{printable(args.range)} is not a range; write it as A..B, or name one commit "
            "with --base"
        )
    if args.base or args.head or args.staged:
        raise UsageProblem("a range names both commits; leave out --base, --head and --staged")
    return verification_of(context.workspace, base, head=head or "HEAD", each=True)


def _about_base(verification: Verification) -> str:
    """Return a note if the history does not descend from the base, else ""."""
    base, diverged = short_commit(verification.base), short_commit(verification.diverged)
    if not verification.is_related and verification.is_shallow:
        return (
            f"this shallow clone lacks the commit where {base} and this history parted, so "
            "everything removed before counts as lost; run git fetch --unshallow"
        )
    if not verification.is_related:
        common = "has no commit in common with this history"
        return f"{base} {common}, so everything in it counts as lost"
    if not diverged:
        return ""
    return (
        f"{base} has commits that are not in this history, so everything they added "
        "counts as lost; to compare with the commit where they parted, use --base "
        f"{diverged}"
    )
