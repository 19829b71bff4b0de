"""Git itself: its processes and objects, and a cache; the only package that runs git."""
