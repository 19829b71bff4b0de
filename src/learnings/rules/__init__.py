"""The rules, one module each; its name is the rule's id with `_` for `-`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from learnings.core.findings.finding import Finding
from learnings.core.settings.values import EXTRA_RULES
from learnings.rules import (
    agent_default_number,
    agent_embedded_copy,
    agent_front_matter,
    agent_missing_file,
    agent_unknown_command,
    conflict_marker,
    date_mismatch,
    dialect_mixed,
    dialect_unknown,
    duplicate_entry,
    entries_in_comment,
    entry_heading_malformed,
    entry_title_empty,
    entry_title_form,
    ephemeral_path,
    final_newline,
    ignore_without_reason,
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
    load_limit,
    merge_damage,
    orphan_content,
    replacement_characters,
    resurrected_entry,
    section_without_content,
    setext_entry,
    soft_limit,
    unclosed_comment,
    unclosed_fence,
    unused_ignore,
)
from learnings.rules.context import Context, Rule
from learnings.rules.ignoring import applied, has_ignores

RULES: tuple[Rule, ...] = (
    agent_default_number,
    agent_embedded_copy,
    agent_front_matter,
    agent_missing_file,
    agent_unknown_command,
    conflict_marker,
    date_mismatch,
    dialect_mixed,
    dialect_unknown,
    duplicate_entry,
    entries_in_comment,
    entry_heading_malformed,
    entry_title_empty,
    entry_title_form,
    ephemeral_path,
    final_newline,
    ignore_without_reason,
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
    load_limit,
    merge_damage,
    orphan_content,
    replacement_characters,
    resurrected_entry,
    section_without_content,
    setext_entry,
    soft_limit,
    unclosed_comment,
    unclosed_fence,
    unused_ignore,
)


def check(context: Context, chosen: Sequence[Rule] | None = None) -> Iterator[Finding]:
    """Give what the chosen rules find, those of them that are meant for files of this role.

    By default these are all but the extra ones, which have to be asked for in the settings. What
    comments in the file ignore is left out. Data with NUL bytes is no text, and what other rules
    would say about it is meaningless.
    """
    rules = _asked_for(context.settings.extra_rules) if chosen is None else chosen
    if has_ignores(context):
        return applied(context, _found(context, rules), rules, (rule.ID for rule in RULES))
    return _found(context, rules)


def _found(context: Context, rules: Sequence[Rule]) -> Iterator[Finding]:
    is_text = b"\0" not in context.data
    for rule in rules:
        if context.role in rule.ROLES and (is_text or rule is invalid_encoding):
            yield from rule.check(context)


@lru_cache(maxsize=4)
def _asked_for(extra: tuple[str, ...]) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if rule.ID not in EXTRA_RULES or rule.ID in extra)
