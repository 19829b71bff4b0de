"""The rim: results become text, exit codes and issues."""
