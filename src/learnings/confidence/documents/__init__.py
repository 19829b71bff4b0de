"""The YAML texts of a confidence memory as values, and changed values as edits of these texts."""
