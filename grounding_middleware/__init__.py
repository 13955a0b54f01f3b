"""Verifies each claim of an answer against the exact text it cites, before a reader sees it."""
