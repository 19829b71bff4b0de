"""The only writer of the user's files."""
