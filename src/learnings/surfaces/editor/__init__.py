"""The language server: findings, facts and fixes of memory files in an editor."""
