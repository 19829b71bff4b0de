"""Issues kept open while files are due: requests, retries, desired state."""
