"""What the report on a bot is called."""

from arena.language.messages import gettext as _


def report_words(*, is_first: bool) -> str:
    """Return what a link to the report says, in the language of the current request.

    is_first: whether the bot leads the event, or has won it: then nobody asks why it loses.
    """
    return _("where it gives points away") if is_first else _("why it loses")
