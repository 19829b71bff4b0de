"""All cases of the acceptance table, by theme."""

from __future__ import annotations

from tests.gate import (
    cases_copies,
    cases_edits,
    cases_folders,
    cases_hidden,
    cases_languages,
    cases_layout,
    cases_losses,
    cases_merges,
    cases_moves,
    cases_templates,
)

THEMES = (
    cases_losses.TABLE,
    cases_templates.TABLE,
    cases_copies.TABLE,
    cases_edits.TABLE,
    cases_hidden.TABLE,
    cases_folders.TABLE,
    cases_languages.TABLE,
    cases_merges.TABLE,
    cases_layout.TABLE,
    cases_moves.TABLE,
)
