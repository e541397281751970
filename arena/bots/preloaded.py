"""What checks of hand-ins import, loaded once by the process from which those of checks are forked.

To import it takes a second of CPU time, and much longer on a busy machine. What imports gRPC is left out: that holds
locks that a fork would keep for ever. So is what starts threads, as NumPy does.
"""

import gc

import referee.connection.own_sockets
import referee.process.cpu_fairness  # noqa: F401  to be imported is all

gc.freeze()
