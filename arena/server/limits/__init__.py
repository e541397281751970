"""What keeps one visitor from using up what others need.

rate_limit        how often something is done
open_counter      how much is open at the same time
search_turns      turns of searches, so that few run at a time
refresh           how often something may be computed anew
"""
