"""Git itself: its processes, objects and repository, and a cache; the only package that runs it."""
