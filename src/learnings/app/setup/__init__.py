"""What `learnings init` writes, one step for each file, and what `learnings config` reports."""
