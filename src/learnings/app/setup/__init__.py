"""The changes of `learnings init`, a step for each file, the steps after it, and the doctor."""
