"""The memory index: the forms it can have, its rows, how they match headings, and its fix."""
