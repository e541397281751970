"""What both kinds of call tell gRPC: the method, the options of the channel, settings of the library."""

import os

# grpc reads these when it is imported: cheaper polling, no GOAWAY lines on the bot's stderr, no fork handlers.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

METHOD = "/referee.v1.BotService/Play"

LOCAL_OPTIONS = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
)

REMOTE_OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
)
