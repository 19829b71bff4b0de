"""The YAML files of a confidence memory: read as values, changed by edits."""
