"""Chapter 08: XOR and other curves."""
