"""What the report on a bot is called."""


def report_words(*, is_first: bool) -> str:
    """Return what a link to the report says.

    is_first: whether the bot leads the event, or has won it: then nobody asks why it loses.
    """
    return "where it gives points away" if is_first else "why it loses"
