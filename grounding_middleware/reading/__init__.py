"""Text understood without a model: tokens, lemmas, cues, values, sentences; what the checks compare."""
