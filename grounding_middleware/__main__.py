"""`python -m grounding_middleware` is the command `grounding`."""

from grounding_middleware.cli import main

main()
