"""Turn results into text, exit codes, files and issues."""
