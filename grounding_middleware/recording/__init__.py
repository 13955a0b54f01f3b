"""Recorded conversations with a judge, replayed strictly (extra `recording`)."""
