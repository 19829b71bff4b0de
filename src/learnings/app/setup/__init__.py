"""The changes of `learnings init`, one step per file, the next steps, and the doctor."""
