"""The consolidation issue: its desired state, and the requests that bring it about."""
