"""From a file and the options on its history to its verdict."""
