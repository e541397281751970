"""Whether this machine is fit for tournaments, and how to mend what is not.

check_result    one thing that was looked at, and how it is
checks     all of them, in the order in which they are told
isolation  what bots are confined by
machine    versions, cores, room on the disk, the database
languages  what the bots of other languages are built with
"""

from arena.doctor.check_result import Finding
from arena.doctor.checks import examine

__all__ = ["Finding", "examine"]
