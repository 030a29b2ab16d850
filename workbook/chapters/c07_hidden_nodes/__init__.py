"""Chapter 07: Hidden nodes."""
