"""Everything that a CI job finds out: findings, verdicts, and what a change does."""
