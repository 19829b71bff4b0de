"""Groups of entries of one file that overlap."""
