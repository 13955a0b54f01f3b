"""Trains, exports and measures the small verifier; not part of the wheel. See README.md beside it."""
