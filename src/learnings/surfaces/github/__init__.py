"""GitHub: its API and issues, and a run of GitHub Actions with its log and files."""
