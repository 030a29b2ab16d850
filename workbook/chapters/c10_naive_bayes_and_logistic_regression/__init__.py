"""Chapter 10: Naive Bayes and logistic regression."""
