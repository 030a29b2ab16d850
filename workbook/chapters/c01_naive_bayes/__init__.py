"""Chapter 01: Naive Bayes."""
