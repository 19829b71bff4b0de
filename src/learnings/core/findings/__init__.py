"""The findings of rules, their fixes, and the baseline and comments that set them aside."""
