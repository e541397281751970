"""What pages share that are built of elements (`arena.replay.html`), which escape all text.

layout            pages that are built of elements; navigation: the links at the top of all
axes              axes of charts
atom              Atom feeds
"""
