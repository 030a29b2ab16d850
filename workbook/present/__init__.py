"""A lecture live on this machine: a server for the lecturer, and one for phones that vote."""
