"""Questions: predictions, exercises and their slips, progress and review. They know no chapter."""
