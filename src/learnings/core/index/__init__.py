"""The memory index: its forms, its rows, and how they agree with the headings they name."""
