"""Chapter 06: Calibration."""
