"""The trail that proves what was shown, why, and that nobody changed the proof (SPEC §10, §13)."""
