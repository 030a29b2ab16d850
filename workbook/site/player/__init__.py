"""What a reader touches on the site: one script, one style, and the questions that it asks."""
