"""Chapter 03: The one-hot pitfall."""
