"""Questions: predictions, exercises and their slips, the room that votes, progress and review. They know no chapter."""
