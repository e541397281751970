"""What can go wrong with a position."""


class NoWorld(Exception):
    """There is no world to be had: no question is open, or none was found that fits what the seat was told."""
