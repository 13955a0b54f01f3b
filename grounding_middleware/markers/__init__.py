"""How markers are found, read and scoped; the public functions stand in `grounding_middleware.citations`."""
