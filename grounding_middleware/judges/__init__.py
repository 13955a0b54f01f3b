"""Judges: whatever decides entailment semantically, behind one protocol without I/O."""
