"""How bots reach the referee: a gRPC server and a socket for each.

stream           one gRPC stream
grpc_server      gRPC servers on one completion queue; only this file and `stream` import grpc
host_loop        trio as a guest of the completion queue, for processes that do little else
own_sockets      the sockets of this process, gRPC's among them
flood_detection  finds the bot that keeps gRPC busy without sending messages
endpoints        one address per bot; the handshake: hello, then welcome or refusal
"""
