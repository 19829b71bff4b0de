"""Files, settings and history joined to one result value; nothing here prints."""
