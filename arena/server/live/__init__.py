"""What open pages and programs are sent as it happens, as server-sent events.

event_streams     event streams, and how many may be open
shared_reads      what is read once for many streams
live_pages        pages whose parts change; page_parts: the parts; reading_turns: fair scheduling of their reads
"""
