"""A vote by phone: what `run.py present NN --vote` serves in the room's network. It knows no page and no chapter."""
