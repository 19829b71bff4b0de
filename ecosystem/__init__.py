"""Run a base version and a change of `learnings` on public repositories and compare them."""
