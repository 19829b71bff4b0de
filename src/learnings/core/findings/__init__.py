"""The findings of rules, their fixes, the baseline, and ignore comments."""
