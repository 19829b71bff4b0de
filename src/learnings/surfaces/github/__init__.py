"""A run of GitHub Actions: its log and files."""
