"""The site's pages: notebooks, the ledger, the lectures and the library's reference, as Sphinx reads them."""
