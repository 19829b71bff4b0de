"""The rules run over the files of a workspace: which files, what they find, what fixes it."""
