"""From the paths on a command line to a report: select files, read them, run the rules."""
