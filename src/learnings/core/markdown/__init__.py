"""A Markdown file as lines and blocks: the scanner, the parser, front matter, ignore comments."""
