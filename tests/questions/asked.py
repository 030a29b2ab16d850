"""A question as its page uses it: what the page sends to the kernel, and what it is told then."""


class Page:
    """The view of one question."""

    def __init__(self, item):
        *self.above, self.view = item.rows()

    def __call__(self, act, **given):
        """Send what a reader does; return the words of the reply."""
        self.view._handle_custom_msg({"act": act, **given}, [])
        return self.view.reply.get("words")
