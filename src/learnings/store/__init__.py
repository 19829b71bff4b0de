"""The only writer of users' files."""
