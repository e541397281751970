"""How bots reach the referee: a gRPC server and a socket for each.

stream           one gRPC stream between asyncio and trio
grpc_quirks      works around two defects of grpc.aio servers
grpc_server      gRPC servers in an asyncio thread; only this file and `stream` import grpc
own_sockets      the sockets of this process, gRPC's among them
flood_detection  finds who keeps gRPC busy with what is no message
endpoints        one address per bot; hello, welcome or refusal
"""
