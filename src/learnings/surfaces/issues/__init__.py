"""Issues that are kept open for as long as files are due: requests, retries, desired state."""
