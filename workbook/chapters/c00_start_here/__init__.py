"""Chapter 00: Start here."""
