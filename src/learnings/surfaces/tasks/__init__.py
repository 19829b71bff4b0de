"""The consolidation task in a Markdown file."""
