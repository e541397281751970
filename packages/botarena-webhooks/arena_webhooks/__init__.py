"""Webhooks: tell the owners of bots what has happened, by signed requests to their servers.

plugin        answers the hooks of arena; commands: names its command, which is in cli; options: those of servers
tables        its tables, and how they came to be
kinds         the kinds of events: their words, and what is sent
rows          webhooks and deliveries as values
store         webhooks and deliveries in the database, made from the outbox of arena; events: what each event means
overtaking    who has passed an entry of a league
registration  adds webhooks
addresses     which URLs and addresses may be reached
signature     signs what is sent, by the specification Standard Webhooks
sending       one request: to an address that was checked, without redirects, within limits
worker        delivers what is due, and tries again what failed
routes        URLs to add webhooks, and to see what was delivered, on top of pages; templates: their markup
operations    those of the API, and values: their classes
"""
