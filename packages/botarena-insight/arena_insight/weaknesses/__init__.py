"""Why a bot loses: its choices and results against those of others in the same seats of the same deals.

contest           who held which seats of which deals, and with what result
loading           a contest from a tournament or a league, and the records of its matches
choice            the class of a decision: question, kind of position, kind of action
games             how the decisions of each game are classified
decisions         the decisions of a bot and of better bots, from the records
frequencies       the test whether two sides choose an action equally often
differences       what a bot chooses otherwise than better bots
same_deals        results on the same deals: by deal, seat, opponent and fault
candidates        decisions that may have cost much
costly_decisions  the costliest decisions, by playouts
report            all together
report_json       the report as JSON values
sentences         the report in sentences
"""
