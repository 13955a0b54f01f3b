"""`grounding report`: a run as one HTML page that needs nothing but itself; `making.write_page` writes it."""
