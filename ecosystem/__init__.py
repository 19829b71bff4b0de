"""Runs a base version and a change of `learnings` over public repositories and compares them."""
