"""Files, settings and history to one result value; nothing here prints."""
