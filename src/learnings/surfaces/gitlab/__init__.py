"""GitLab: its API, its issues and the environment of a pipeline."""
