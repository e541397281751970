"""Tell owners of bots what has happened, by requests to their servers (webhooks).

The events are stored by `arena.store.webhook_events`, in the transaction of what they tell; what is here delivers them.

addresses     which URLs and addresses may be reached
signature     signs what is sent, by the specification Standard Webhooks
sending       one request: to an address that was checked, without redirects, within limits
worker        delivers what is due, and tries again what failed
registration  adds webhooks
"""
