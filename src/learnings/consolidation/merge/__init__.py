"""Two versions of a memory file merged by entry: `learnings merge-driver`."""
