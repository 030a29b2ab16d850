"""Chapter 05: Perplexity and attenuation."""
