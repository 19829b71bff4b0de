"""Files whose entries are not all headings of one level, nor all items of a list."""
