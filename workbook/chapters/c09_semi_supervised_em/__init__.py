"""Chapter 09: Semi-supervised EM."""
