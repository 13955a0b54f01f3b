"""The sections of the page, one module each: figures in, blocks out."""
