"""Every frame of every explorer that the site has: which states, cut into what repeats, packed, and kept."""
