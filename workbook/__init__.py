"""The workbook's machinery: what the pages in `notebooks/` need on top of `nbcore`."""


def lecture(on: bool = True) -> None:
    """Projector sizes (fonts of 18 pt and more) for every explorer; `lecture(False)` goes back to page sizes."""
    from workbook.page.explorer import lecture as switch

    switch(on)
