"""The changes that `learnings init` makes, one step for each file, and the steps that follow."""
