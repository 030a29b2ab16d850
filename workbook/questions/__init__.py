"""Questions: predictions, exercises and their slips, the room that votes, progress and review; no chapter is known here."""
