"""How bots reach the referee: a gRPC server and a socket for each.

stream           one gRPC stream between asyncio and trio
grpc_quirks      workarounds for two defects of grpc.aio servers
grpc_server      gRPC servers in an asyncio thread; only this file and `stream` import grpc
own_sockets      the sockets of this process, gRPC's among them
flood_detection  finds the bot that keeps gRPC busy without sending messages
endpoints        one address per bot; the handshake: hello, then welcome or refusal
"""
