"""Chapter 12: your own table."""
