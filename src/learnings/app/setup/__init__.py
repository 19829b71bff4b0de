"""What `learnings init` writes: one module for each file, all of them text to text."""
