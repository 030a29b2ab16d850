"""Chapter 11: The reproduction ledger."""
