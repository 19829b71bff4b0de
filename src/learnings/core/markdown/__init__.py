"""A Markdown file as lines and blocks: the parser, the scanner, front matter, ignore comments."""
