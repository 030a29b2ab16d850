"""Chapter 02: Laplace smoothing."""
