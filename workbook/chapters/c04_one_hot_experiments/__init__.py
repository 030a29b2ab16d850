"""Chapter 04: One-hot experiments."""
