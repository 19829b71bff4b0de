"""From a command line to the verdict on a file."""
