"""The book as a website: notebooks, figures and questions become a folder that needs no kernel and no server."""
