"""What commands need to talk to the API of an arena on another machine.

connection    requests to a server, with a token; TLS is verified, and redirects are not followed
answers       what answers must look like
server_events reads server-sent events
credentials   where tokens are kept, and which server is meant
upload        packs a bot for its way
errors        what goes wrong, as sentences
"""
