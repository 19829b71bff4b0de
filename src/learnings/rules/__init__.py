"""The rules, one module each; its name is the rule's id with `_` for `-`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnings.rules import (
    conflict_marker,
    dialect_unknown,
    duplicate_entry,
    entry_heading_malformed,
    entry_title_empty,
    final_newline,
    index_ambiguous_heading,
    index_collision,
    index_duplicate_row,
    index_missing_file,
    index_missing_row,
    index_order,
    index_orphan_row,
    index_row_form,
    index_stale_line_number,
    index_structural_row,
    index_wrong_section,
    invalid_encoding,
    line_limit,
    orphan_content,
    soft_limit,
    unclosed_comment,
    unclosed_fence,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from learnings.core.findings import Finding
    from learnings.rules.context import Context, Rule

RULES: tuple[Rule, ...] = (
    conflict_marker,
    dialect_unknown,
    duplicate_entry,
    entry_heading_malformed,
    entry_title_empty,
    final_newline,
    index_ambiguous_heading,
    index_collision,
    index_duplicate_row,
    index_missing_file,
    index_missing_row,
    index_order,
    index_orphan_row,
    index_row_form,
    index_stale_line_number,
    index_structural_row,
    index_wrong_section,
    invalid_encoding,
    line_limit,
    orphan_content,
    soft_limit,
    unclosed_comment,
    unclosed_fence,
)


def check(context: Context, rules: Sequence[Rule] = RULES) -> Iterator[Finding]:
    """Give what those of the rules find that are meant for files of this role.

    Data with NUL bytes is no text, and what other rules would say about it is meaningless.
    """
    is_text = b"\0" not in context.data
    for rule in rules:
        if context.role in rule.ROLES and (is_text or rule is invalid_encoding):
            yield from rule.check(context)
