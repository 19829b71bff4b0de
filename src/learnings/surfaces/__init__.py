"""Results become text, exit codes, files and issues."""
